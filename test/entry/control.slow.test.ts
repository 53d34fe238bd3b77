import { expect, test } from "vitest";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { CALLERS } from "./setup/callers.ts";
import { ACCESSES, ROUTE_COUNT, wrongAccesses } from "./setup/control-access.ts";
import { CLOSED_COUNT, SPELLED, wrongSpellings } from "./setup/control-spellings.ts";
import { PRODUCT } from "./setup/product.ts";
import { SEED, shareOf } from "./setup/share.ts";
import { SPELLINGS } from "./setup/spellings.ts";

test("each operation of the control surface is in the matrix, with each caller", () => {
  expect(new Set(ACCESSES.map(({ operationId }) => operationId)).size).toBe(
    CONTROL_ENDPOINTS.length,
  );
  expect(ACCESSES.length).toBe(ROUTE_COUNT * CALLERS.length * 2);
  expect(CALLERS.length).toBeGreaterThan(80);
  for (const verdict of [
    "enters",
    "HOST_NOT_ALLOWED",
    "ORIGIN_NOT_ALLOWED",
    "CONTROL_TOKEN_NEEDED",
  ])
    expect(ACCESSES.filter(({ expects }) => expects === verdict).length, verdict).toBeGreaterThan(
      500,
    );
});

// decisions/host-guard.md
// spec/promises.md#entry
test(`each is open to whom it may be, and to nobody else (seed ${SEED})`, async () => {
  expect(await wrongAccesses(PRODUCT, shareOf(ACCESSES, 600))).toEqual([]);
});

test("each closed operation is tried in each spelling", () => {
  expect(SPELLED.length).toBe(CLOSED_COUNT * Object.keys(SPELLINGS).length);
  expect(CLOSED_COUNT).toBeGreaterThan(80);
});

test(`no spelling of a path leads around the guard (seed ${SEED})`, async () => {
  expect(await wrongSpellings(PRODUCT, shareOf(SPELLED, 150))).toEqual([]);
});
