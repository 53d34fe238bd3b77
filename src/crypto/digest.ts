import { hash, timingSafeEqual } from "node:crypto";

/** SHA-256 (FIPS 180-4) of a text's UTF-8 bytes, in hex. */
export const digestHex = (text: string): string => hash("sha256", text, "hex");

/** SHA-256 of bytes in hex, in hex. */
export const digestOfHex = (hex: string): string => hash("sha256", Buffer.from(hex, "hex"), "hex");

/** Compares two secrets in constant time. */
export const isSameSecret = (secret: string, wanted: string): boolean =>
  timingSafeEqual(hash("sha256", secret, "buffer"), hash("sha256", wanted, "buffer"));
