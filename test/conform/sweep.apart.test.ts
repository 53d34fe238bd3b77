import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { meantIn } from "../../src/cli/tasks/conform-files.ts";
import { type SweptPair, sweep } from "../../src/cli/tasks/sweep.ts";
import { DescribedApi } from "../../src/conform/described-api.ts";
import type { MeantDifference } from "../../src/conform/differences-meant.ts";
import { Judge } from "../../src/conform/judge.ts";
import { brandOf } from "../../src/contract/core/brand-words.ts";
import { REVISION_FEATURES } from "../../src/contract/core/revisions.ts";
import { LATER_OPERATIONS } from "../../src/contract/operations.ts";
import { runInProcess } from "../cli/setup/in-process.ts";
import { isCampaign } from "../setup/campaign.ts";

const REVISION = "2026-08";

const isMet = (pairs: readonly SweptPair[], operations: number) => {
  const done = pairs.filter(({ by, status }) => by === "call" && status < "3");
  expect(new Set(done.map(({ operation }) => operation)).size).toBe(operations);
  // Faults of the server are all that fault switches stand in for, with few exceptions.
  const switched = pairs.filter(
    ({ by, status, operation }) => by !== "call" && status < "5" && !OF_OTHERS.includes(operation),
  );
  expect(switched.length).toBeLessThan(75);
};

/** A document as the hosted service writes it: less of the refusals, webhooks by name, old spellings. */
const asHosted = (document: object) => {
  const text = JSON.stringify(document)
    .replaceAll('"card.state_change"', '"CARD.STATE_CHANGE"')
    .replaceAll('"card.funding_source_change"', '"CARD.FUNDING_SOURCE_CHANGE"')
    .replaceAll(',"DECLINED"', "");
  const hosted = JSON.parse(text);
  const hooks = Object.values(hosted.webhooks).map((hook, at) => [`hook-${at}`, hook]);
  hosted.webhooks = Object.fromEntries(hooks);
  for (const item of Object.values<Record<string, { responses: object }>>(hosted.paths))
    for (const { responses } of Object.values(item))
      for (const status of ["403", "413", "415", "429", "503"])
        delete (responses as Record<string, unknown>)[status];
  delete hosted.paths["/quotes/{quoteId}/execute"].post.responses["202"];
  return hosted;
};

const NOTHING = { score: 100, undocumented: [], invalid: [] };

/** Operations that answer as to a platform that they do not concern: most of them never succeed. */
const OF_OTHERS = LATER_OPERATIONS.flatMap(({ since, method, path }) =>
  since && REVISION_FEATURES[since].served !== "full" ? [`${method} ${path}`] : [],
);

/** Successes that the contract has, and no rule gives. */
const UNUSED = ["POST /quotes 202"];

const document = () =>
  JSON.parse(brandOf("acme").outward(JSON.stringify(openApiDocument("0.0.0", REVISION))));

// spec/conform.md#sweep
test("every operation and status of a later revision is met under another brand", {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "sweep-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "own.json");
  writeFileSync(file, JSON.stringify(document()));
  const form = ["--brand", "acme", "--revision", REVISION];
  const words = ["conform", file, "--sweep", ...form, "--json", "--min", "100"];
  const { code, stdout } = await runInProcess(words);
  const { pairs, neverMet, ...report } = JSON.parse(stdout);
  expect({ code, ...report }).toMatchObject({ code: 0, ...NOTHING });
  isMet(pairs, 122);
  const isSuccessOfOthers = ({ operation, status }: { operation: string; status: string }) =>
    status.startsWith("2") && OF_OTHERS.includes(operation);
  const others = neverMet.filter(isSuccessOfOthers);
  expect(new Set(others.map(({ operation }: { operation: string }) => operation)).size).toBe(31);
  const unmet = neverMet.filter((pair: never) => !isSuccessOfOthers(pair));
  expect(unmet.map(({ operation, status }: SweptPair) => `${operation} ${status}`)).toEqual(UNUSED);
});

// What a single difference leads to is in command.http.test.ts.
test.runIf(isCampaign)(
  "what a hosted document says otherwise is found, unless it is meant",
  {
    timeout: 240_000,
  },
  async () => {
    const { exchanges } = await sweep(new DescribedApi(document()), {
      brand: "acme",
      revision: REVISION,
    });
    const judged = (by: DescribedApi, meant: MeantDifference[] = []) => {
      const judge = new Judge(by, { meant });
      for (const one of exchanges) judge.take(one);
      return judge.report();
    };
    const other = document();
    delete other.paths["/config"].get.responses["401"];
    other.components.schemas.QuoteStatus.enum = ["PROCESSING", "COMPLETED", "FAILED", "EXPIRED"];
    const { undocumented, invalid } = judged(new DescribedApi(other));
    expect(undocumented).toEqual([
      { operation: "GET /config", status: "401", count: expect.any(Number) },
    ]);
    expect(invalid.length).toBeGreaterThan(0);
    expect(new Set(invalid.map(({ says }) => says))).toEqual(
      new Set(['Instance does not match any of ["PROCESSING","COMPLETED","FAILED","EXPIRED"].']),
    );

    const hosted = new DescribedApi(asHosted(document()));
    expect(judged(hosted).score).toBeLessThan(95);
    expect(judged(hosted, meantIn("hosted", "openapi.yaml"))).toMatchObject({
      score: 100,
      undocumented: [],
      invalid: [],
    });
  },
);
