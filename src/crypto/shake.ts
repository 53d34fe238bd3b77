import { createHash } from "node:crypto";

/** SHAKE256 (FIPS 202) of a text's UTF-8 bytes: as many bytes as wanted from one hash. */
export const shake256 = (text: string, lengthBytes: number): Buffer =>
  createHash("shake256", { outputLength: lengthBytes }).update(text).digest();
