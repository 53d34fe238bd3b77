import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Alignment } from "../../src/conform/alignment.ts";

const isAlike = (ours: string, theirs: string) =>
  new Alignment().difference(
    { status: 200, body: { value: ours } },
    { status: 200, body: { value: theirs } },
    { passedMs: 0 },
  ) === undefined;

const drawn = (at: number) => hash("sha256", `${at}`, "base64url").slice(0, 22);

// spec/conform.md#lining-up
describe("values of two services", () => {
  test.each([
    // One in forty ids of 16 bytes has no digit.
    ["an id without a digit", "kRbQzLwMnCxVtYsDfGhJpA", "4ZkRbQzLwMnCxVtYsDfGhJ", true],
    ["two ids without a digit", "kRbQzLwMnCxVtYsDfGhJpA", "AkRbQzLwMnCxVtYsDfGhJp", true],
    ["constants", "SUBMITTED_FOR_APPROVAL", "SUBMITTED_FOR_REVIEWER", false],
    ["words", "authenticatorAttachment", "authenticatorSelection1", false],
    ["sentences", "The quote has expired", "The quote is unknown now", false],
  ])("line up as they should: %s", (_name, ours, theirs, expected) => {
    expect(isAlike(ours, theirs)).toBe(expected);
  });

  test("line up whatever 16 bytes were drawn", () => {
    const apart = Array.from({ length: 4000 }, (_, at) => at).filter(
      (at) => !isAlike(drawn(at), drawn(at + 4000)),
    );
    expect(apart).toEqual([]);
  });
});
