import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";

export const ISSUER = "https://idp.example";

const seconds = (instant: string) => Date.parse(instant) / 1000;

/** 2026-01-05T09:00:00Z, when tests begin. */
export const NOW_S = seconds("2026-01-05T09:00:00.000Z");

export const CLAIMS = {
  iss: ISSUER,
  sub: "user-7",
  aud: "wallet-app",
  email: "ada@idp.example",
  iat: NOW_S,
};

/** An identity provider for tests: a key, its JWKS, and tokens. */
export class IdTokenIssuer {
  readonly kid: string | undefined;
  readonly publicKey: KeyObject;
  private readonly privateKey: KeyObject;

  constructor(kid?: string) {
    this.kid = kid;
    const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.publicKey = keys.publicKey;
    this.privateKey = keys.privateKey;
  }

  jwk() {
    const kid = this.kid === undefined ? {} : { kid: this.kid };
    return { ...this.publicKey.export({ format: "jwk" }), ...kid, alg: "ES256", use: "sig" };
  }

  /** Signs a token with the given claims; `undefined` removes a claim. */
  token(claims: object = {}, header: object = {}): Promise<string> {
    const kid = this.kid === undefined ? {} : { kid: this.kid };
    return new SignJWT(JSON.parse(JSON.stringify({ ...CLAIMS, ...claims })))
      .setProtectedHeader({ alg: "ES256", typ: "JWT", ...kid, ...header })
      .sign(this.privateKey);
  }
}
