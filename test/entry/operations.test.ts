import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { CLAIMS, OPERATION_ACCESSES, wrongOperations } from "./setup/operation-access.ts";
import { PRODUCT } from "./setup/product.ts";
import { SEED, shareOf } from "./setup/share.ts";

test("every operation of the platform is in the matrix, with every claim", () => {
  expect(OPERATION_ACCESSES.length).toBe(PLATFORM_ENDPOINTS.length * CLAIMS.length);
  const kinds = new Set(OPERATION_ACCESSES.map(({ expects }) => expects));
  expect([...kinds].sort()).toEqual([
    "400 WORLD_CONFLICT",
    "401 PRODUCTION_CREDENTIALS",
    "401 UNAUTHORIZED",
    "401 WORLD_NAME",
    "401 WORLD_UNKNOWN",
    "403 MANAGE",
    "403 TRANSACT",
    "enters",
  ]);
});

// spec/errors.md#codes-for-401
test(`each lets in whom it should, and nobody else (seed ${SEED})`, async () => {
  expect(await wrongOperations(PRODUCT, shareOf(OPERATION_ACCESSES, 600))).toEqual([]);
});
