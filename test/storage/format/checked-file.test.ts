import { expect, test } from "vitest";
import { decodeChecked, encodeChecked } from "../../../src/storage/format/checked-file.ts";

const BODY = { clientId: "sandbox", amounts: [1, 2, 3], text: "é" };

test("an image is a line with version, kind, length and SHA-256, then JSON", () => {
  expect(encodeChecked("identity", { a: 1 }).toString("utf8")).toBe(
    "service-sim image 4 identity 7 " +
      "196b3ce4fdc465113917f134b5a4076d58e60e3f50864c043dd500864dc870e1\n" +
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
    "service-sim image 5 identity 2 " +
    "3a54bc2e9f3bc09a69ff3421078b41eb8fad6a6462af0e8c586b0e8c3e4b2104\n{}";
  expect(() => decodeChecked("identity", Buffer.from(newer))).toThrow(
    "Expected format version 4 but found 5 in the identity: a newer version of this program wrote it",
  );
});
