import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Alignment } from "../../src/conform/alignment.ts";

const isAlike = ([ours, theirs]: readonly [string, string], member = "value") =>
  new Alignment().difference(
    { status: 200, body: { [member]: ours } },
    { status: 200, body: { [member]: theirs } },
    { passedMs: 0 },
  ) === undefined;

const drawn = (at: number) => hash("sha256", `${at}`, "base64url").slice(0, 22);

// spec/conform.md#lining-up
describe("values of two services", () => {
  test.each<[string, readonly [string, string], boolean]>([
    // One in forty ids of 16 bytes has no digit.
    ["an id without a digit", ["kRbQzLwMnCxVtYsDfGhJpA", "4ZkRbQzLwMnCxVtYsDfGhJ"], true],
    ["two ids without a digit", ["kRbQzLwMnCxVtYsDfGhJpA", "AkRbQzLwMnCxVtYsDfGhJp"], true],
    ["constants", ["SUBMITTED_FOR_APPROVAL", "SUBMITTED_FOR_REVIEWER"], false],
    ["words", ["authenticatorAttachment", "authenticatorSelection1"], false],
    ["sentences", ["The quote has expired", "The quote is unknown now"], false],
  ])("line up as they should: %s", (_name, values, expected) => {
    expect(isAlike(values)).toBe(expected);
  });

  test("line up as ids of passkeys whatever 16 bytes were drawn", () => {
    const apart = Array.from({ length: 4000 }, (_, at) => at).filter(
      (at) => !isAlike([drawn(at), drawn(at + 4000)], "credentialId"),
    );
    expect(apart).toEqual([]);
  });
});
