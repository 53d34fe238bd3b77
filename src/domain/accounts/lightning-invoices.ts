import { lightningInvoice } from "../../crypto/bolt11.ts";
import { digestOfHex } from "../../crypto/digest.ts";
import { privateKeyFrom } from "../../crypto/secp256k1.ts";
import { HEX, type Moment } from "../core/draft.ts";
import type { QuoteRecord } from "../records/records.ts";

/** A key's entropy, and 32 bytes, in hex characters. */
const ENTROPY_HEX = 96;
const BYTES_32_HEX = 64;
/** An account that is paid by this invoice must not meet a scenario. */
const DIGITS_AT_END = /[0-9]{3}$/;

const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * The Lightning invoice of a quote that is paid in bitcoin, for what it asks and as long as it
 * lasts, on the network for tests. One key of the world signs all of them; seed and quote decide
 * every character.
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
