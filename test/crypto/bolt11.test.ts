import { expect, test } from "vitest";
import { type InvoiceTerms, lightningInvoice } from "../../src/crypto/bolt11.ts";
import { decodedInvoice, nodeOf } from "./setup/decoded-invoice.ts";

/** The node's key and other facts that all examples of BOLT 11 share. */
const NODE_KEY = "e126f68f7eafcc8b74f54d269fe206be715000f94dac067d1c04a8ca3b2db734";
const NODE = "03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad";
const TERMS: InvoiceTerms = {
  prefix: "lnbc",
  amountSatoshi: 250_000,
  createdAtSeconds: 1_496_314_658,
  expirySeconds: 60,
  description: "1 cup coffee",
  paymentHashHex: "0001020304050607080900010203040506070809000102030405060708090102",
  paymentSecretHex: "1111111111111111111111111111111111111111111111111111111111111111",
};

test("the example of BOLT 11 with an amount, a description and an expiry, to the letter", () => {
  expect(lightningInvoice(TERMS, NODE_KEY)).toBe(
    "lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh",
  );
});

test("the example with a description beyond ASCII, to the letter", () => {
  const terms = { ...TERMS, description: "ナンセンス 1杯" };
  expect(lightningInvoice(terms, NODE_KEY)).toMatch(
    /^lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpquwpc4curk03c9wlrswe78q4eyqc7d8d0xqzpu9qrsgqhtjpauu9ur7f/,
  );
});

test.each([
  { amountSatoshi: 100_000_000, text: "lnbcrt11p", millisatoshi: "100000000000" },
  { amountSatoshi: 2_000_000_000, text: "lnbcrt201p", millisatoshi: "2000000000000" },
  { amountSatoshi: 100_000, text: "lnbcrt1m1p", millisatoshi: "100000000" },
  { amountSatoshi: 123_400_000, text: "lnbcrt1234m1p", millisatoshi: "123400000000" },
  { amountSatoshi: 100, text: "lnbcrt1u1p", millisatoshi: "100000" },
  { amountSatoshi: 2_500, text: "lnbcrt25u1p", millisatoshi: "2500000" },
  { amountSatoshi: 1, text: "lnbcrt10n1p", millisatoshi: "1000" },
  { amountSatoshi: 31_415, text: "lnbcrt314150n1p", millisatoshi: "31415000" },
])("$amountSatoshi satoshi begin $text", ({ amountSatoshi, text, millisatoshi }) => {
  const invoice = lightningInvoice({ ...TERMS, prefix: "lnbcrt", amountSatoshi }, NODE_KEY);
  expect(invoice).toMatch(new RegExp(`^${text}`));
  expect(decodedInvoice(invoice)).toMatchObject({ coin_network: "bcrt", amount: millisatoshi });
  expect(nodeOf(invoice)).toBe(NODE);
});

test.each([
  { createdAtSeconds: -1, read: 0 },
  { createdAtSeconds: 0, read: 0 },
  { createdAtSeconds: 34_359_738_367, read: 34_359_738_367 },
  { createdAtSeconds: 253_402_300_799, read: 34_359_738_367 },
])("a timestamp of $createdAtSeconds reads $read", ({ createdAtSeconds, read }) => {
  const invoice = lightningInvoice({ ...TERMS, createdAtSeconds }, NODE_KEY);
  expect(decodedInvoice(invoice)).toMatchObject({ timestamp: read, expiry: 60 });
});
