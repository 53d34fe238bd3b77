import { lightningInvoice } from "../../crypto/bolt11.ts";
import { digestOfHex } from "../../crypto/digest.ts";
import { privateKeyFrom } from "../../crypto/secp256k1.ts";
import { HEX, type Moment } from "../core/draft.ts";
import type { QuoteRecord } from "../records/records.ts";

/** Hex characters of a key's entropy (48 bytes) and of 32 bytes. */
const ENTROPY_HEX = 96;
const BYTES_32_HEX = 64;
/** Three digits at the end of an invoice would choose a sandbox scenario. */
const DIGITS_AT_END = /[0-9]{3}$/;

const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * The Lightning invoice of a quote in bitcoin (spec/payment-instructions.md#lightning-invoices). It
 * is for the test network and lasts as long as the quote. One key of the world signs all invoices;
 * seed and quote decide every character.
 */
export const invoiceOfQuote = (
  { id, totalSendingMinor, createdAtMs, expiresAtMs }: QuoteRecord,
  reference: string,
  { derive }: Pick<Moment, "derive">,
): string => {
  const nodeKeyHex = privateKeyFrom(derive("lightning-node", ENTROPY_HEX, HEX));
  const preimageHex = derive(`lightning-preimage ${id}`, BYTES_32_HEX, HEX);
  const createdAtSeconds = seconds(createdAtMs);
  for (let attempt = 0; ; attempt += 1) {
    const invoice = lightningInvoice(
      {
        prefix: "lnbcrt",
        amountSatoshi: totalSendingMinor,
        createdAtSeconds,
        expirySeconds: seconds(expiresAtMs) - createdAtSeconds,
        description: `Payment ${reference}`,
        paymentHashHex: digestOfHex(preimageHex),
        paymentSecretHex: derive(`lightning-secret ${id} ${attempt}`, BYTES_32_HEX, HEX),
      },
      nodeKeyHex,
    );
    if (!DIGITS_AT_END.test(invoice)) return invoice;
  }
};
