import { expect, test } from "vitest";
import { csvOf, importCsv, person } from "../../setup/uploads.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const ROWS = 50_000;
/** Every tenth row is wrong, so that there are many errors too. */
const isBad = (n: number) => n % 10 === 9;

test("50,000 rows are imported, and each bad one is reported", { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => person(n, isBad(n) ? { city: "" } : {}));
  const job = await importCsv(world(), csvOf(rows));
  expect(job).toMatchObject({
    status: "COMPLETED",
    progress: { total: 50_000, processed: 50_000, successful: 45_000, failed: 5_000 },
  });
  expect(job.errors).toHaveLength(5_000);
  expect(job.errors.at(-1)).toMatchObject({ correlationId: "shop-49999", code: "INVALID_INPUT" });
  const { body } = await world().call("GET", "/customers?limit=1");
  expect(body).toMatchObject({ totalCount: 45_000, data: [{ platformCustomerId: "shop-49998" }] });
});
