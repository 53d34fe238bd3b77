import { expect, test } from "vitest";
import { leakedSecrets, unescaped } from "./setup/leaks.ts";
import { PRODUCT } from "./setup/product.ts";
import { SEED } from "./setup/share.ts";

test(`no planted character comes through (seed ${SEED})`, () => {
  expect(unescaped(PRODUCT)).toEqual([]);
});

test("no secret of a caller is in a line of the log", async () => {
  expect(await leakedSecrets(PRODUCT)).toEqual([]);
});
