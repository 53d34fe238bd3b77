/** The two numbers of an ECDSA signature, 32 bytes each, as WebCrypto takes them. */
export interface RawSignature {
  bytes: Uint8Array<ArrayBuffer>;
}

const NUMBER_BYTES = 32;

/** Order of the curve P-256 (SEC 2, 2.4.2): both numbers of a signature lie below it. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const toBigInt = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** Reads an INTEGER at a place. @throws Error that says what differs from DER */
const integerAt = (der: Uint8Array, at: number) => {
  if (der[at] !== 0x02) throw new Error("Expected a number, tag 0x02");
  const length = der[at + 1] ?? 0;
  const value = der.slice(at + 2, at + 2 + length);
  if (length === 0 || value.length !== length) throw new Error("Expected a whole number");
  if ((value[0] ?? 0) >= 0x80) throw new Error("Expected a number that is not negative");
  if (value[0] === 0 && (value[1] ?? 0) < 0x80) throw new Error("Expected no needless zero byte");
  const number = toBigInt(value);
  if (number === 0n || number >= ORDER)
    throw new Error("Expected r and s within the curve's order");
  return { value: value[0] === 0 ? value.slice(1) : value, end: at + 2 + length };
};

/**
 * Turns a signature in DER (RFC 3279, 2.2.3) into the two numbers one after the other.
 * @throws Error that says what differs from DER
 */
export const rawSignature = (der: Uint8Array): RawSignature => {
  if (der[0] !== 0x30) throw new Error("Expected a sequence, tag 0x30");
  if (der[1] !== der.length - 2) throw new Error("Expected the length of the whole sequence");
  const r = integerAt(der, 2);
  const s = integerAt(der, r.end);
  if (s.end !== der.length) throw new Error("Expected nothing behind the second number");
  const bytes = new Uint8Array(2 * NUMBER_BYTES);
  bytes.set(r.value, NUMBER_BYTES - r.value.length);
  bytes.set(s.value, 2 * NUMBER_BYTES - s.value.length);
  return { bytes };
};

/** One line of a check: what was looked at, whether it holds, and what was found. */
export interface CheckLine {
  name: "header" | "key" | "digest" | "result";
  ok: boolean;
  found: string;
  says: string;
}

/** A key that may have signed. */
export interface PublicKey {
  fingerprint: string;
  publicKey: string;
  isRetired?: boolean;
}

const ofBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
};

/** The signature in a header: base64, or a JSON object with it under `s`. */
export const signatureIn = (header: string): string => {
  if (!header.trim().startsWith("{")) return header.trim();
  try {
    return String(JSON.parse(header).s ?? "");
  } catch {
    return header.trim();
  }
};

const hexOf = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const keyOf = ({ publicKey }: PublicKey) =>
  crypto.subtle.importKey(
    "spki",
    ofBase64(publicKey.replace(/-----[^-]+-----|\s/g, "")) ?? new Uint8Array(),
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["verify"],
  );

const readHeader = (header: string): { line: CheckLine; raw?: Uint8Array<ArrayBuffer> } => {
  const text = signatureIn(header);
  const bad = (says: string) => ({
    line: { name: "header", ok: false, found: text, says } as const,
  });
  if (text === "") return bad("there is no signature");
  const der = ofBase64(text);
  if (!der) return bad("it is not base64: copy only the header's value");
  try {
    const raw = rawSignature(der).bytes;
    return {
      raw,
      line: { name: "header", ok: true, found: text, says: "base64, DER, r and s in range" },
    };
  } catch (error) {
    return bad(`it is not DER: ${(error as Error).message}`);
  }
};

/**
 * Checks a signature over exact bytes as a receiver should, line by line.
 * @param keys the current key first
 */
export const checkSignature = async (
  header: string,
  bytes: Uint8Array<ArrayBuffer>,
  keys: readonly PublicKey[],
): Promise<CheckLine[]> => {
  const { line, raw } = readHeader(header);
  const digest = hexOf(await crypto.subtle.digest("SHA-256", bytes));
  const digestLine: CheckLine = {
    name: "digest",
    ok: true,
    found: `sha256 ${digest}`,
    says: `of exactly ${bytes.length.toLocaleString("en")} bytes`,
  };
  let signer: PublicKey | undefined;
  if (raw)
    for (const key of keys) {
      const hash = { name: "ECDSA", hash: "SHA-256" };
      if (await crypto.subtle.verify(hash, await keyOf(key), raw, bytes)) {
        signer = key;
        break;
      }
    }
  const shown = signer ?? keys[0];
  return [
    line,
    {
      name: "key",
      ok: shown !== undefined,
      found: shown?.fingerprint ?? "",
      says: shown?.isRetired ? "retired, P-256" : "the current one, P-256",
    },
    digestLine,
    {
      name: "result",
      ok: signer !== undefined,
      found: "",
      says: signer
        ? "these bytes were signed with this key"
        : "these are not the bytes that were signed, or another key signed them",
    },
  ];
};

/** The same body in other bytes, as receivers often have it by mistake; the name says what happened. */
export const USUAL_MISTAKES: readonly {
  name: string;
  says: string;
  undo(text: string): string[];
}[] = [
  {
    name: "a newline",
    says: "A newline was added to the body.",
    undo: (text) => [text.replace(/\r?\n$/, "")],
  },
  {
    name: "formatted",
    says: "The body was parsed and written again: check the bytes as they came.",
    undo: (text) => {
      try {
        return [JSON.stringify(JSON.parse(text))];
      } catch {
        return [];
      }
    },
  },
  {
    name: "spaces",
    says: "Spaces stand around the body.",
    undo: (text) => [text.trim()],
  },
];

/** Names the mistake that explains why a received body does not verify, where one does. */
export const mistakeIn = async (
  header: string,
  text: string,
  keys: readonly PublicKey[],
): Promise<string | undefined> => {
  const verifies = async (body: string) =>
    (await checkSignature(header, new TextEncoder().encode(body), keys)).every(({ ok }) => ok);
  for (const { says, undo } of USUAL_MISTAKES)
    for (const body of undo(text)) if (body !== text && (await verifies(body))) return says;
  return undefined;
};
