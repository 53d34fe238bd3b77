import { createHash } from "node:crypto";

/** SHAKE256 (FIPS 202, section 6.2) of a text's UTF-8 bytes, of any length. */
export const shake256 = (text: string, lengthBytes: number): Buffer =>
  createHash("shake256", { outputLength: lengthBytes }).update(text).digest();
