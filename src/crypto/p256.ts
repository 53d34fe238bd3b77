import { createECDH, ECDH, type JsonWebKey } from "node:crypto";

/**
 * Points and private scalars of P-256 as hex (SEC 1, section 2.3; RFC 7518, section 6.2);
 * node:crypto does the arithmetic.
 */
const CURVE = "prime256v1";

/** Forms of a point: 33 bytes compressed, 65 uncompressed. */
export type PointForm = "compressed" | "uncompressed";

const POINT = /^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i;
const SCALAR = /^[0-9a-f]{64}$/i;

/**
 * A point in the wanted form, in lower case.
 * @throws when the text is not a point on the curve
 */
export const pointAs = (form: PointForm, pointHex: string): string => {
  if (!POINT.test(pointHex)) throw new Error("Expected a point in hex but found another text");
  return ECDH.convertKey(pointHex, CURVE, "hex", "hex", form) as string;
};

/** Tells whether a text is a point on the curve, in either form and either case. */
export const isPoint = (pointHex: string) => {
  try {
    return pointAs("compressed", pointHex) !== "";
  } catch {
    return false;
  }
};

/**
 * The point of a private scalar.
 * @throws when the scalar is not 64 hex characters, zero, or not below the order of the curve
 */
export const publicKeyOf = (privateKeyHex: string, form: PointForm): string => {
  if (!SCALAR.test(privateKeyHex)) throw new Error("Expected a private key of 64 hex characters");
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKeyHex, "hex");
  return pair.getPublicKey("hex", form);
};

/** Tells whether a text is a valid private scalar. */
export const isPrivateKey = (privateKeyHex: string) => {
  try {
    return publicKeyOf(privateKeyHex, "compressed") !== "";
  } catch {
    return false;
  }
};

const base64Url = (hex: string) => Buffer.from(hex, "hex").toString("base64url");

/**
 * The JWK of a point.
 * @throws when the text is not a point on the curve
 */
export const publicJwk = (pointHex: string): JsonWebKey => {
  const coordinates = pointAs("uncompressed", pointHex).slice(2);
  const [x, y] = [coordinates.slice(0, 64), coordinates.slice(64)];
  return { kty: "EC", crv: "P-256", x: base64Url(x), y: base64Url(y) };
};

/**
 * The JWK of a private scalar.
 * @throws when the scalar is not valid
 */
export const privateJwk = (privateKeyHex: string): JsonWebKey => ({
  ...publicJwk(publicKeyOf(privateKeyHex, "uncompressed")),
  d: base64Url(privateKeyHex),
});
