import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Change, readSegment } from "../../../src/runtime/change.ts";
import { waitUntil } from "../../setup/cli.ts";
import { csvOf, person } from "../../setup/uploads.ts";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

const ROWS = 10_000;
const PARTS = ROWS / 25;

const importedParts = (file: string) => {
  let count = 0;
  const note = ({ by }: Change) => {
    if (by === "bulk.import") count += 1;
  };
  readSegment({ file, bytes: readFileSync(file) }, { seq: 1, isLast: true }, note);
  return count;
};

test("a bulk import that is killed in the middle continues, each row once", async () => {
  const simulator = await place().start();
  const { apiUrl, clientId, clientSecret } = simulator.ready;
  const form = new FormData();
  const rows = Array.from({ length: ROWS }, (_, n) => person(n));
  form.append("file", new Blob([csvOf(rows)]), "customers.csv");
  const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
  const url = `${apiUrl}/customers/bulk/csv`;
  const started = await fetch(url, { method: "POST", headers, body: form });
  const { jobId } = (await started.json()) as { jobId: string };
  const journal = place().file(".service-sim", "worlds", "sandbox", "line-0", "journal", "1-1");
  // Growth alone tells too little: the first bytes of a change are no change yet.
  await waitUntil("a first part", () => importedParts(journal) > 0);
  await simulator.stop("SIGKILL");
  const done = importedParts(journal);
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(PARTS);

  const { call } = await place().start();
  expect((await call("GET", `/customers/bulk/jobs/${jobId}`)).body).toMatchObject({
    status: "COMPLETED",
    progress: { total: ROWS, processed: ROWS, successful: ROWS, failed: 0 },
  });
  const { body } = await call("GET", "/customers?limit=1");
  expect(body).toMatchObject({ totalCount: ROWS, data: [{ platformCustomerId: "shop-9999" }] });
}, 120_000);
