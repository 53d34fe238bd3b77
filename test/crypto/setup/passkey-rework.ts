import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { SoftwarePasskey } from "../../../src/crypto/software-authenticator.ts";
import type { Assertion, Attestation } from "../../../src/crypto/webauthn.ts";

/** One registration and a sign-in with it, made by another implementation. */
export interface PasskeyVector {
  name: string;
  algorithm: number;
  registration: { challenge: string; attestation: Attestation };
  signIn: { challenge: string; assertion: Assertion; counter: number };
}

const vectorsIn = (file: string): PasskeyVector[] =>
  JSON.parse(readFileSync(`fixtures/vectors/${file}`, "utf8")).vectors;

export const VECTORS = [...vectorsIn("webauthn-chromium.json"), ...vectorsIn("webauthn-w3c.json")];

export const text = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
export const bytes = (base64url: string) => Buffer.from(base64url, "base64url");

/** Offsets in authenticator data (WebAuthn Level 3, sections 6.1 and 6.5.1). */
export const AT = { flags: 32, counter: 33, aaguid: 37, idLength: 53, id: 55 } as const;

type Json = Record<string, unknown>;

/** Changes to make; each function gets the present value and returns the new one. */
export interface Rework {
  clientData?: (json: Json) => unknown;
  authData?: (data: Buffer) => Uint8Array;
  fmt?: unknown;
  attStmt?: unknown;
  credentialId?: string;
}

const clientDataWith = (clientDataJson: string, { clientData }: Rework) =>
  clientData
    ? text(JSON.stringify(clientData(JSON.parse(bytes(clientDataJson).toString("utf8")))))
    : clientDataJson;

/** A registration with changes in it; nothing is signed again. */
export const reworked = (attestation: Attestation, rework: Rework): Attestation => {
  const object = isoCBOR.decodeFirst<Map<string, unknown>>(
    Uint8Array.from(bytes(attestation.attestationObject)),
  );
  const authData = Buffer.from(object.get("authData") as Uint8Array);
  for (const name of ["fmt", "attStmt"] as const)
    if (rework[name] !== undefined) object.set(name, rework[name]);
  object.set("authData", Uint8Array.from(rework.authData?.(authData) ?? authData));
  return {
    ...attestation,
    credentialId: rework.credentialId ?? attestation.credentialId,
    clientDataJson: clientDataWith(attestation.clientDataJson, rework),
    attestationObject: text(isoCBOR.encode(object as Map<string, string>)),
  };
};

/** An assertion with changes in it, signed again by the right key. */
export const resigned = (
  passkey: SoftwarePasskey,
  assertion: Assertion,
  rework: Rework,
): Assertion => {
  const clientDataJson = clientDataWith(assertion.clientDataJson, rework);
  const data = bytes(assertion.authenticatorData);
  const authenticatorData = Buffer.from(rework.authData?.(data) ?? data);
  const hash = createHash("sha256").update(bytes(clientDataJson)).digest();
  const key = createPrivateKey(passkey.privateKey);
  return {
    ...assertion,
    credentialId: rework.credentialId ?? assertion.credentialId,
    clientDataJson,
    authenticatorData: text(authenticatorData),
    signature: text(sign("sha256", Buffer.concat([authenticatorData, hash]), key)),
  };
};

/** Authenticator data with some of its bytes overwritten. */
export const overwritten =
  (at: number, ...values: number[]) =>
  (data: Buffer) => {
    const copy = Buffer.from(data);
    copy.set(values, at);
    return copy;
  };

/** Authenticator data with another credential id, or another COSE key behind it. */
export const credentialOf =
  ({ id, key }: { id?: Buffer; key?: Uint8Array }) =>
  (data: Buffer) => {
    const idEnd = AT.id + data.readUInt16BE(AT.idLength);
    const newId = id ?? data.subarray(AT.id, idEnd);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(newId.length);
    return Buffer.concat([
      data.subarray(0, AT.idLength),
      length,
      newId,
      key ?? data.subarray(idEnd),
    ]);
  };

/** The bytes of a COSE key with these members. */
export const coseKey = (members: [number, number | Uint8Array][]) =>
  Uint8Array.from(isoCBOR.encode(new Map(members)));
