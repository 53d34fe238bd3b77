import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import { csvOf, importCsv, person } from "../../setup/uploads.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const ROWS = runsOf(50_000, 5_000);
/** Every tenth row is wrong, so that there are many errors too. */
const isBad = (n: number) => n % 10 === 9;
const BAD = ROWS / 10;

test(`${ROWS} rows are imported, and each bad one is reported`, { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => person(n, isBad(n) ? { city: "" } : {}));
  const job = await importCsv(world(), csvOf(rows));
  expect(job).toMatchObject({
    status: "COMPLETED",
    progress: { total: ROWS, processed: ROWS, successful: ROWS - BAD, failed: BAD },
  });
  expect(job.errors).toHaveLength(BAD);
  expect(job.errors.at(-1)).toMatchObject({
    correlationId: `shop-${ROWS - 1}`,
    code: "INVALID_INPUT",
  });
  const { body } = await world().call("GET", "/customers?limit=1");
  expect(body).toMatchObject({
    totalCount: ROWS - BAD,
    data: [{ platformCustomerId: `shop-${ROWS - 2}` }],
  });
});
