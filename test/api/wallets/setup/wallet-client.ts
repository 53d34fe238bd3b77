import { createECDH, randomBytes } from "node:crypto";
import { sealCode, targetKeyIn } from "../../../../src/crypto/code-bundles.ts";
import { pointAs } from "../../../../src/crypto/p256.ts";
import { openSessionKey } from "../../../../src/crypto/sealing.ts";
import { stampOver } from "../../../../src/crypto/wallet-signatures.ts";
import type { Answer, TestSimulator } from "../../../setup/test-simulator.ts";

export const MAGIC_SIGNATURE = "sandbox-valid-signature";

/** A client's key pair, in the form of `clientPublicKey`. */
export interface ClientKeys {
  publicKey: string;
  privateKeyHex: string;
}

export const clientKeys = (): ClientKeys => {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  return {
    publicKey: keys.getPublicKey("hex", "uncompressed"),
    privateKeyHex: keys.getPrivateKey("hex").padStart(64, "0"),
  };
};

/** A session after its owner has opened the sealed key. */
export interface OpenSession {
  id: string;
  privateKeyHex: string;
  publicKeyHex: string;
}

/** Calls of an integrator's backend, with signature headers. */
export interface Signing {
  signature?: string;
  requestId?: string;
}

/** A customer with an embedded wallet, and shortcuts for the owner's actions. */
export class WalletClient {
  readonly sim: TestSimulator;
  readonly customerId: string;
  readonly accountId: string;

  constructor(sim: TestSimulator, customerId: string, accountId: string) {
    this.sim = sim;
    this.customerId = customerId;
    this.accountId = accountId;
  }

  static async create(sim: TestSimulator, customer: object = {}): Promise<WalletClient> {
    const made = await sim.call("POST", "/customers", { customerType: "INDIVIDUAL", ...customer });
    const query = `customerId=${made.body.id}&type=EMBEDDED_WALLET`;
    const { body } = await sim.call("GET", `/customers/internal-accounts?${query}`);
    return new WalletClient(sim, made.body.id, body.data[0].id);
  }

  /** The same wallet, in a simulator that was opened again. */
  on(sim: TestSimulator): WalletClient {
    return new WalletClient(sim, this.customerId, this.accountId);
  }

  /** A call with the given signature headers. */
  signed(
    method: string,
    path: string,
    { body, signature, requestId }: Signing & { body?: unknown },
  ): Promise<Answer> {
    return this.sim.raw(method, path, {
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(signature !== undefined && { "service-wallet-signature": signature }),
        ...(requestId !== undefined && { "request-id": requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Asks for a challenge and answers it with a session's key or the magic value. */
  async retried(
    method: string,
    path: string,
    { body, session }: { body?: unknown; session?: OpenSession } = {},
  ): Promise<Answer> {
    const first = await this.signed(method, path, { body });
    if (first.status !== 202) throw new Error(`Expected 202 but found ${first.status}`);
    const { payloadToSign, requestId } = first.body;
    const signature = session ? stampOver(payloadToSign, session.privateKeyHex) : MAGIC_SIGNATURE;
    return this.signed(method, path, { body, signature, requestId });
  }

  async addEmail(email = "ada@example.com"): Promise<string> {
    const { body } = await this.sim.call("POST", "/auth/credentials", {
      type: "EMAIL_OTP",
      accountId: this.accountId,
      email,
    });
    return body.id;
  }

  /** Adds an OAUTH credential, with the magic signature unless it is the first one. */
  async addOauth(claims: object = {}): Promise<string> {
    return this.add({ type: "OAUTH", oidcToken: unsignedToken(claims) });
  }

  /** Adds a passkey that cannot be verified: only magic assertions work for it. */
  async addPasskey(): Promise<string> {
    return this.add(PASSKEY_BODY);
  }

  private async add(members: object): Promise<string> {
    const body = { accountId: this.accountId, ...members };
    const first = await this.sim.call("POST", "/auth/credentials", body);
    const { body: made } =
      first.status === 201
        ? first
        : await this.signed("POST", "/auth/credentials", {
            body,
            signature: MAGIC_SIGNATURE,
            requestId: first.body.requestId,
          });
    return made.id;
  }

  /** Signs in with the magic token. */
  async signInByToken(credentialId: string): Promise<OpenSession> {
    const keys = clientKeys();
    const { body } = await this.sim.call("POST", `/auth/credentials/${credentialId}/verify`, {
      type: "OAUTH",
      oidcToken: "sandbox-valid-oidc-token",
      clientPublicKey: keys.publicKey,
    });
    return openedSession(body, keys);
  }

  /** Signs in with a code and opens the session's key, as production client code does. */
  async signIn(credentialId: string, otp = "000000"): Promise<OpenSession> {
    const keys = clientKeys();
    if (this.sim.revision === "2026-08") return this.signInSealed(credentialId, otp, keys);
    const { body } = await this.sim.call("POST", `/auth/credentials/${credentialId}/verify`, {
      type: "EMAIL_OTP",
      otp,
      clientPublicKey: keys.publicKey,
    });
    return openedSession(body, keys);
  }

  /** Asks for a code, and seals it with the client's key. */
  async sealedCode(
    credentialId: string,
    code: { otp?: string; keys?: ClientKeys; publicKey?: string; type?: string } = {},
  ): Promise<{ type: string; encryptedOtpBundle: string }> {
    const { otp = "000000", keys = clientKeys(), type = "EMAIL_OTP" } = code;
    const { publicKey = keys.publicKey } = code;
    const { body } = await this.sim.call("POST", `/auth/credentials/${credentialId}/challenge`);
    const targetPublic = targetKeyIn(body.otpEncryptionTargetBundle);
    return { type, encryptedOtpBundle: await sealed({ code: otp, publicKey }, targetPublic) };
  }

  private async signInSealed(credentialId: string, otp: string, keys: ClientKeys) {
    const body = await this.sealedCode(credentialId, { otp, keys });
    const path = `/auth/credentials/${credentialId}/verify`;
    const { privateKeyHex } = keys;
    const session = { id: "", privateKeyHex, publicKeyHex: pointAs("compressed", keys.publicKey) };
    const { body: started } = await this.retried("POST", path, { body, session });
    return { ...session, id: started.id };
  }
}

/** Seals a code as client code does. */
export const sealed = (code: { code: string; publicKey: string }, targetPublic: string) =>
  sealCode(code, { targetPublic, entropyHex: randomBytes(48).toString("hex") });

export const openedSession = async (
  session: { id: string; encryptedSessionSigningKey: string },
  keys: ClientKeys,
): Promise<OpenSession> => ({
  id: session.id,
  ...(await openSessionKey(session.encryptedSessionSigningKey, keys)),
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token of the right form and issuer, without a valid signature. */
export const unsignedToken = (claims: object = {}) => {
  const all = {
    iss: "https://accounts.google.com",
    sub: "1042",
    email: "ada@idp.example",
    ...claims,
  };
  return `${part({ alg: "RS256", typ: "JWT" })}.${part(all)}.c2lnbmF0dXJl`;
};

/** A registration in the form of the published samples, which cannot be parsed. */
export const PASSKEY_BODY = {
  type: "PASSKEY",
  nickname: "Work laptop",
  challenge: "c0FtcGxlLXJlZy1jaGFsbGVuZ2UtMDEyMzQ1Njc4OQ",
  attestation: {
    credentialId: "q1ZrT0hWm9xUe2pLd7sYcA",
    clientDataJson: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYzBGdC4uLiJ9",
    attestationObject: "o2NmbXRkbm9uZQ",
    transports: ["internal"],
  },
};

export const randomText = () => randomBytes(16).toString("base64url");
