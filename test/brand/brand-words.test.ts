import { describe, expect, test } from "vitest";
import {
  BRANDED_WORDS,
  brandedWord,
  brandOf,
  isBrandWord,
  OWN,
} from "../../src/contract/core/brand-words.ts";

// Written out: each word as it is stored, and as two brands have it on the wire.
const WORDS: [string, string, string][] = [
  ["Service-Wallet-Signature", "Acme-Wallet-Signature", "PayCo2-Wallet-Signature"],
  ["service-wallet-signature", "acme-wallet-signature", "payco2-wallet-signature"],
  ["X-Service-Signature", "X-Acme-Signature", "X-PayCo2-Signature"],
  ["x-service-signature", "x-acme-signature", "x-payco2-signature"],
  ["serviceApiMultiplier", "acmeApiMultiplier", "payCo2ApiMultiplier"],
  ["serviceApiFixedFee", "acmeApiFixedFee", "payCo2ApiFixedFee"],
  ["serviceApiVariableFeeRate", "acmeApiVariableFeeRate", "payCo2ApiVariableFeeRate"],
  ["serviceApiVariableFeeAmount", "acmeApiVariableFeeAmount", "payCo2ApiVariableFeeAmount"],
  ["SERVICE_SWITCH_ERROR", "ACME_SWITCH_ERROR", "PAYCO2_SWITCH_ERROR"],
  ["SERVICE-AGENT-", "ACME-AGENT-", "PAYCO2-AGENT-"],
  ["service-agent-", "acme-agent-", "payco2-agent-"],
];

test("the table has these words and no others", () => {
  const words = BRANDED_WORDS.map(({ word }) => brandedWord(word, "service"));
  expect(words).toEqual(WORDS.map(([stored]) => stored));
});

// spec/brand.md#words
describe.each(WORDS)("%s", (stored, acme, payCo) => {
  test("is branded on its way out and its own on its way in", () => {
    for (const [brand, branded] of [
      ["acme", acme],
      ["payCo2", payCo],
    ] as const) {
      const { outward, inward } = brandOf(brand);
      expect(outward(`{"a":"${stored}"}`)).toBe(`{"a":"${branded}"}`);
      expect(inward(branded)).toBe(stored);
      // Twice is as once: a fixture's steps pass the edge again.
      expect(inward(inward(branded))).toBe(stored);
    }
  });
});

test("what the contract names a constant, and this program, stay", () => {
  for (const text of ["CLOSED_BY_GRID", "GOODS_OR_SERVICES", "service-sim status", "SERVICE_FEE"])
    expect(brandOf("acme").outward(text)).toBe(text);
});

test("a value is renamed on its way in, with its members", () => {
  const sent = { acmeApiFixedFee: 1, list: ["ACME-AGENT-AB23-CD45", null, 2], deep: { a: true } };
  expect(brandOf("acme").inwardValue(sent)).toEqual({
    serviceApiFixedFee: 1,
    list: ["SERVICE-AGENT-AB23-CD45", null, 2],
    deep: { a: true },
  });
});

test("the own word changes nothing", () => {
  const text = WORDS.map(([stored]) => stored).join(" ");
  expect([OWN.outward(text), OWN.inward(text)]).toEqual([text, text]);
});

test.each(["acme", "A", "payCo2", "x".repeat(32)])("%s is a brand", (word) =>
  expect(isBrandWord(word)).toBe(true),
);

test.each(["", "9x", "a-b", "a b", "a_b", "ä", "x".repeat(33), "a\n"])("%j is none", (word) =>
  expect(isBrandWord(word)).toBe(false),
);
