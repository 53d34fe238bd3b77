import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { invoiceOfQuote } from "../../../src/domain/accounts/lightning-invoices.ts";
import type { QuoteRecord } from "../../../src/domain/records/records.ts";
import { decodedInvoice, nodeOf } from "../../crypto/setup/decoded-invoice.ts";

const derive = (purpose: string, length: number) =>
  hash("sha512", purpose, "hex").padEnd(length, "0").slice(0, length);

const quote = (at: number) =>
  ({
    id: `Quote:${at}`,
    totalSendingMinor: 31_415,
    createdAtMs: 1_767_603_600_999,
    expiresAtMs: 1_767_603_900_999,
  }) as QuoteRecord;

const INVOICES = Array.from({ length: 300 }, (_, at) =>
  invoiceOfQuote(quote(at), "REF-9XKD27QAB", { derive }),
);

test("no invoice ends in three digits, which could mean something to the sandbox", () => {
  expect(INVOICES.filter((invoice) => /[0-9]{3}$/.test(invoice))).toEqual([]);
});

test("every one decodes, for as long as the quote lasts, and is signed by one node", () => {
  for (const invoice of INVOICES)
    expect(decodedInvoice(invoice)).toMatchObject({
      amount: "31415000",
      timestamp: 1_767_603_600,
      expiry: 300,
      description: "Payment REF-9XKD27QAB",
    });
  expect(new Set(INVOICES.slice(0, 20).map(nodeOf)).size).toBe(1);
});
