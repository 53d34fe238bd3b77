/** Order of P-256, for turning an S into the other valid one. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** One DER INTEGER at an offset, and its end. */
const integerAt = (der: Buffer, at: number) => {
  const length = der[at + 1] ?? 0;
  const bytes = der.subarray(at + 2, at + 2 + length);
  if (der[at] !== 0x02 || bytes.length !== length || length === 0)
    throw new Error(`Expected an INTEGER at byte ${at} of ${der.toString("hex")}`);
  return { value: BigInt(`0x${bytes.toString("hex")}`), end: at + 2 + length };
};

/** The two numbers of an ECDSA signature, read by its structure, since its length varies. */
export const derOf = (der: Buffer): { r: bigint; s: bigint } => {
  const r = integerAt(der, 2);
  const s = integerAt(der, r.end);
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || s.end !== der.length)
    throw new Error(`Expected a SEQUENCE of two INTEGERs but found ${der.toString("hex")}`);
  return { r: r.value, s: s.value };
};

export const isHighS = (der: Buffer) => derOf(der).s > ORDER / 2n;

const integer = (value: bigint) => {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const padded = Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even;
  return `02${(padded.length / 2).toString(16).padStart(2, "0")}${padded}`;
};

/** The same signature with the larger or the smaller S. */
export const withS = (der: Buffer, which: "high" | "low") => {
  const { r, s: found } = derOf(der);
  const s = isHighS(der) === (which === "high") ? found : ORDER - found;
  const body = integer(r) + integer(s);
  return Buffer.from(`30${(body.length / 2).toString(16).padStart(2, "0")}${body}`, "hex");
};
