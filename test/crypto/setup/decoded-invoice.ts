import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { decode } from "light-bolt11-decoder";
import { hexOf } from "./key-arbitraries.ts";

/** Decodes an invoice with a public decoder, by the names of its sections. */
export const decodedInvoice = (invoice: string): Record<string, unknown> =>
  Object.fromEntries(
    decode(invoice).sections.map((section) => [
      section.name,
      section.name === "coin_network"
        ? section.letters
        : "value" in section
          ? section.value
          : undefined,
    ]),
  );

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const SIGNATURE_LETTERS = 104;
const CHECKSUM_LETTERS = 6;

/** The node whose key signed an invoice, recovered by another implementation. */
export const nodeOf = (invoice: string): string => {
  const at = invoice.lastIndexOf("1");
  const data = invoice.slice(at + 1, -(SIGNATURE_LETTERS + CHECKSUM_LETTERS));
  const bits = [...data].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"));
  const octets = bits.join("").match(/.{1,8}/g) ?? [];
  const bytes = octets.map((octet) => Number.parseInt(octet.padEnd(8, "0"), 2));
  const signed = Buffer.concat([Buffer.from(invoice.slice(0, at)), Uint8Array.from(bytes)]);
  const digest = createHash("sha256").update(signed).digest();
  const signature = Buffer.from(String(decodedInvoice(invoice).signature), "hex");
  const recovered = Uint8Array.from([...signature.subarray(64), ...signature.subarray(0, 64)]);
  return hexOf(secp256k1.recoverPublicKey(recovered, digest, { prehash: false }));
};
