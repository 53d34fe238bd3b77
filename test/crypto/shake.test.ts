import { expect, test } from "vitest";
import { shake256 } from "../../src/crypto/shake.ts";

/** First 32 bytes of the published examples (NIST, SHAKE256). */
test.each([
  { text: "", hex: "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f" },
  { text: "abc", hex: "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739" },
])("of '$text' begins with $hex", ({ text, hex }) => {
  expect(shake256(text, 32).toString("hex")).toBe(hex);
  expect(shake256(text, 200).toString("hex").slice(0, 64)).toBe(hex);
  expect(shake256(text, 200).length).toBe(200);
});
