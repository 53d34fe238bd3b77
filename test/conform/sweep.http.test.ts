import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { sweep } from "../../src/cli/tasks/sweep.ts";
import { DescribedApi } from "../../src/conform/described-api.ts";
import { Judge } from "../../src/conform/judge.ts";
import { brandOf } from "../../src/contract/core/brand-words.ts";
import type { Revision } from "../../src/contract/core/revisions.ts";
import { runInProcess } from "../cli/setup/in-process.ts";

const ourDocument = (revision?: Revision) =>
  JSON.parse(JSON.stringify(openApiDocument("0.0.0", revision)));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sweep-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

// spec/conform.md#sweep
test.each([
  { revision: "2025-10", operations: 103 },
  { revision: "2026-08", operations: 104 },
] as const)(
  "in $revision every operation and every described status is met, and fits",
  {
    timeout: 60_000,
  },
  async ({ revision, operations }) => {
    const file = join(folder, "own.json");
    writeFileSync(file, JSON.stringify(ourDocument(revision)));
    const { code, stdout } = await runInProcess([
      "conform",
      file,
      "--sweep",
      "--revision",
      revision,
      "--json",
      "--min",
      "100",
    ]);
    const { score, undocumented, invalid, neverMet, pairs } = JSON.parse(stdout);
    expect({ code, score, undocumented, invalid, neverMet }).toEqual({
      code: 0,
      score: 100,
      undocumented: [],
      invalid: [],
      neverMet: [],
    });
    const byCalls = pairs.filter(({ by }: { by: string }) => by === "call");
    const done = byCalls.filter(({ status }: { status: string }) => status < "3");
    expect(new Set(done.map(({ operation }: { operation: string }) => operation)).size).toBe(
      operations,
    );
    // Faults of the server are all that fault switches stand in for, with few exceptions.
    const switched = pairs.filter(
      ({ by, status }: { by: string; status: string }) => by !== "call" && status < "5",
    );
    expect(switched.length).toBeLessThan(100);
  },
);

test("a sweep finds what a document says otherwise, under another brand too", {
  timeout: 60_000,
}, async () => {
  const document = JSON.parse(brandOf("acme").outward(JSON.stringify(ourDocument())));
  delete document.paths["/config"].get.responses["401"];
  document.components.schemas.QuoteStatus.enum = ["PROCESSING", "COMPLETED", "FAILED", "EXPIRED"];
  const api = new DescribedApi(document);
  const { exchanges } = await sweep(api, { brand: "acme" });
  const judge = new Judge(api);
  for (const one of exchanges) judge.take(one);
  const { undocumented, invalid } = judge.report();
  expect(undocumented).toEqual([{ operation: "GET /config", status: "401", count: 1 }]);
  expect(invalid.length).toBeGreaterThan(0);
  expect(new Set(invalid.map(({ says }) => says))).toEqual(
    new Set(['Instance does not match any of ["PROCESSING","COMPLETED","FAILED","EXPIRED"].']),
  );
});
