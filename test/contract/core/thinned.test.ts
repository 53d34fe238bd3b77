import { expect, test } from "vitest";
import { thinned } from "../../../src/contract/judged.ts";

test.each([
  { what: "a Uint8Array", bytes: new Uint8Array(1_001) },
  { what: "a Buffer", bytes: Buffer.alloc(70_000) },
])("the bytes of $what stay as they are", ({ bytes }) => {
  const body = { documentType: "PASSPORT", file: bytes };
  expect(thinned(body)).toBe(body);
});

test("what is beyond 1,000 entries of a list or an object is left out", () => {
  const many = Array.from({ length: 1_001 }, (_, at) => at);
  expect(thinned({ many })).toEqual({ many: many.slice(0, 1_000) });
  const wide = Object.fromEntries(many.map((at) => [`m${at}`, at]));
  expect(Object.keys((thinned([wide]) as object[])[0] as object)).toHaveLength(1_000);
});

test("a document of few entries is the document itself", () => {
  const document = { list: [1, { a: [null] }], text: "x" };
  expect(thinned(document)).toBe(document);
});
