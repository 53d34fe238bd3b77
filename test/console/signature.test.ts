import { createSign, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkSignature,
  mistakeIn,
  rawSignature,
  signatureIn,
} from "../../src/console/crypto/verify.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const otherPem = other.publicKey.export({ type: "spki", format: "pem" }).toString();
const keys = [{ fingerprint: "current", publicKey: pem }];
const sign = (text: string) => createSign("sha256").update(text).sign(privateKey);
const bytes = (text: string) => new TextEncoder().encode(text);

const BODY = '{"id":"Webhook:1","data":{"amount":25000}}';

describe("the check of a signature in the page", () => {
  test("holds over the exact bytes, line by line", async () => {
    const lines = await checkSignature(sign(BODY).toString("base64"), bytes(BODY), keys);
    expect(lines.map(({ name, ok }) => [name, ok])).toEqual([
      ["header", true],
      ["key", true],
      ["digest", true],
      ["result", true],
    ]);
  });

  test("fails for any other byte", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(BODY.length - 1), async (place) => {
        const changed = bytes(BODY);
        changed[place] = (changed[place] ?? 0) ^ 1;
        const lines = await checkSignature(sign(BODY).toString("base64"), changed, keys);
        expect(lines.at(-1)?.ok).toBe(false);
      }),
      { numRuns: 20 },
    ));

  test("finds a retired key, and refuses another one", async () => {
    const header = sign(BODY).toString("base64");
    const rotated = [
      { fingerprint: "new", publicKey: otherPem },
      { fingerprint: "old", publicKey: pem, isRetired: true },
    ];
    const found = await checkSignature(header, bytes(BODY), rotated);
    expect(found[1]).toMatchObject({ found: "old", says: "retired, P-256" });
    const wrong = await checkSignature(header, bytes(BODY), rotated.slice(0, 1));
    expect(wrong.at(-1)?.ok).toBe(false);
  });

  test.each([
    ["", "there is no signature"],
    ["not base64!", "it is not base64"],
    ["AAAA", "it is not DER"],
  ])("says of the header %j what is wrong", async (header, says) => {
    const [line] = await checkSignature(header, bytes(BODY), keys);
    expect(line).toMatchObject({ ok: false, says: expect.stringContaining(says) });
  });

  test("reads the JSON form of the header, too", () => {
    expect(signatureIn('{"v":"1","s":"abc="}')).toBe("abc=");
  });
});

describe("DER", () => {
  test("every signature of Node.js becomes two numbers of 32 bytes", () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(rawSignature(sign(text)).bytes).toHaveLength(64);
      }),
      { numRuns: 200 },
    ));

  const flipped = (place: number, value: number) => {
    const der = new Uint8Array(sign("x"));
    der[place] = value;
    return der;
  };
  test.each([
    ["another tag", () => flipped(0, 0x31), "Expected a sequence"],
    ["another length", () => flipped(1, 3), "Expected the length"],
    ["no number", () => flipped(2, 0x03), "Expected a number"],
    ["a negative number", () => flipped(4, 0x80), "Expected a number that is not negative"],
  ])("%s is refused", (_name, der, says) => {
    const given = der();
    // Where the first number begins with a zero byte, its sign is in the next one.
    if (says.includes("negative") && sign("x")[4] === 0) return;
    expect(() => rawSignature(given)).toThrow(says);
  });
});

describe("the usual mistakes", () => {
  test.each([
    [`${BODY}\n`, "A newline was added"],
    [JSON.stringify(JSON.parse(BODY), null, 2), "parsed and written again"],
    [`  ${BODY} `, "parsed and written again"],
  ])("%j", async (received, says) => {
    const header = sign(BODY).toString("base64");
    expect(await mistakeIn(header, received, keys)).toContain(says);
  });

  test("another body is no mistake of these", async () => {
    expect(await mistakeIn(sign(BODY).toString("base64"), '{"id":"2"}', keys)).toBeUndefined();
  });
});
