import { expect, test } from "vitest";
import { decodeChecked, encodeChecked } from "../../../src/storage/format/checked-file.ts";

const BODY = { clientId: "sandbox", amounts: [1, 2, 3], text: "é" };

test("an image is a line with version, kind, length and SHA-256, then JSON", () => {
  expect(encodeChecked("identity", { a: 1 }).toString("utf8")).toBe(
    "service-sim image 5 identity 7 " +
      "0db53c8fe8ff8c460d7b697b0a7836f4b494fcab4c256f69fb3e05c6e317085c\n" +
      '{"a":1}',
  );
});

test("an image is read back as it was written", () => {
  expect(decodeChecked("identity", encodeChecked("identity", BODY))).toEqual({
    body: BODY,
  });
});

test("no flipped bit is served", () => {
  const whole = encodeChecked("identity", BODY);
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    const read = decodeChecked("identity", bytes);
    if (!("found" in read)) throw new Error(`Expected bit ${bit} to be noticed but found it read`);
  }
});

test("no cut file is served", () => {
  const whole = encodeChecked("identity", BODY);
  for (let length = 0; length < whole.length; length += 1) {
    const read = decodeChecked("identity", whole.subarray(0, length));
    if (!("found" in read)) throw new Error(`Expected a cut at ${length} to be noticed`);
  }
});

test.each([
  { what: "nothing", bytes: Buffer.alloc(0), found: "an empty file" },
  { what: "zeros", bytes: Buffer.alloc(400), found: "no header" },
  { what: "JSON alone", bytes: Buffer.from(JSON.stringify(BODY)), found: "no header" },
  { what: "another kind", bytes: encodeChecked("manifest", BODY), found: "the manifest" },
  {
    what: "two images",
    bytes: Buffer.concat([encodeChecked("identity", BODY), encodeChecked("identity", BODY)]),
    found: "a wrong length",
  },
])("$what is not an image: $found", ({ bytes, found }) => {
  expect(decodeChecked("identity", bytes)).toEqual({ found });
});

test("an image of a newer version is refused by name", () => {
  const newer =
    "service-sim image 6 identity 2 " +
    "b7e3bd0b76c19ee719d10e6ce4b91c9d674c74cf8478bab768959854ce450136\n{}";
  expect(() => decodeChecked("identity", Buffer.from(newer))).toThrow(
    "Expected format version 5 but found 6 in the identity: a newer version of this program wrote it",
  );
});
