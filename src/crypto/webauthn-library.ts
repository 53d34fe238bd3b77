import { failParse, messageOf } from "./webauthn-check.ts";

const MAJOR = { bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;

/** Number of items that follow an item's head, by its major type and argument. */
const itemsWithin = (major: number, argument: number) => {
  if (major === MAJOR.array) return argument;
  if (major === MAJOR.map) return 2 * argument;
  return major === MAJOR.tag ? 1 : 0;
};

const bigEndian = (bytes: Uint8Array) => bytes.reduce((value, byte) => value * 256 + byte, 0);

/**
 * Finds the end of the CBOR item that starts here (RFC 8949, section 3). Decoders stop there
 * silently, whatever follows, and some accept an item that is cut short.
 * @returns an offset; nothing for an item that is cut short or has no announced length
 */
const endOfItem = (bytes: Uint8Array, start = 0): number | undefined => {
  const head = bytes[start];
  if (head === undefined) return undefined;
  const major = head >> 5;
  const info = head & 0x1f;
  if (info > 27) return undefined;
  const size = info < 24 ? 0 : 2 ** (info - 24);
  const argument = size === 0 ? info : bigEndian(bytes.subarray(start + 1, start + 1 + size));
  let end: number | undefined = start + 1 + size;
  if (major === MAJOR.bytes || major === MAJOR.text) end += argument;
  for (let left = itemsWithin(major, argument); left > 0 && end !== undefined; left -= 1)
    end = endOfItem(bytes, end);
  return end !== undefined && end <= bytes.length ? end : undefined;
};

export type Library = typeof import("@simplewebauthn/server") &
  typeof import("@simplewebauthn/server/helpers");

/** Loads the library at the first passkey: it is large, and few runs need it. */
export const loadLibrary = async (): Promise<Library> => ({
  ...(await import("@simplewebauthn/server")),
  ...(await import("@simplewebauthn/server/helpers")),
});

/** Decodes bytes and fails the check when they cannot be read. */
const read = <T>(name: string, decode: () => T): T => {
  try {
    return decode();
  } catch (error) {
    return failParse(`${name} cannot be read: ${messageOf(error)}`);
  }
};

/** The parts of an attestation object (WebAuthn Level 3, section 6.5.4). */
export interface AttestationObject {
  fmt: string;
  attStmt: ReadonlyMap<unknown, unknown>;
  authData: Uint8Array;
}

export const decodeAttestationObject = (bytes: Buffer, library: Library): AttestationObject => {
  const name = "attestationObject";
  const decoded: unknown = read(name, () =>
    library.decodeAttestationObject(Uint8Array.from(bytes)),
  );
  if (read(name, () => endOfItem(bytes)) !== bytes.length)
    failParse(`${name} cannot be read: it is cut short, or continues past its end`);
  if (!(decoded instanceof Map)) return failParse(`${name} is not a CBOR map`);
  const [fmt, attStmt, authData] = ["fmt", "attStmt", "authData"].map((key) => decoded.get(key));
  if (typeof fmt !== "string") return failParse(`${name}.fmt is missing or not a string`);
  if (!(attStmt instanceof Map)) return failParse(`${name}.attStmt is missing or not a map`);
  if (!(authData instanceof Uint8Array))
    return failParse(`${name}.authData is missing or not bytes`);
  return { fmt, attStmt, authData };
};

/** Offsets in authenticator data (sections 6.1 and 6.5.1). */
const CREDENTIAL_ID_AT = 55;
const EXTENSIONS_AT_WITHOUT_CREDENTIAL = 37;

/** Reads authenticator data, whose CBOR parts (key, extensions) must fill it to the end. */
export const decodeAuthenticatorData = (bytes: Uint8Array, library: Library, name: string) => {
  const data = read(name, () => library.parseAuthenticatorData(Uint8Array.from(bytes)));
  const { flags, credentialID } = data;
  let end: number | undefined = credentialID
    ? CREDENTIAL_ID_AT + credentialID.length
    : EXTENSIONS_AT_WITHOUT_CREDENTIAL;
  for (const isThere of [flags.at, flags.ed])
    if (isThere && end !== undefined) end = endOfItem(bytes, end);
  if (end !== bytes.length) failParse(`${name} cannot be read: it is cut short`);
  return data;
};

export type AuthenticatorData = ReturnType<typeof decodeAuthenticatorData>;
