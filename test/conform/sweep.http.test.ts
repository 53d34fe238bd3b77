import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { meantIn } from "../../src/cli/tasks/conform-files.ts";
import { type SweptPair, sweep } from "../../src/cli/tasks/sweep.ts";
import { DescribedApi } from "../../src/conform/described-api.ts";
import type { MeantDifference } from "../../src/conform/differences-meant.ts";
import { Judge } from "../../src/conform/judge.ts";
import { brandOf } from "../../src/contract/core/brand-words.ts";

const REVISION = "2026-08";

const isMet = (pairs: readonly SweptPair[], operations: number) => {
  const done = pairs.filter(({ by, status }) => by === "call" && status < "3");
  expect(new Set(done.map(({ operation }) => operation)).size).toBe(operations);
  // Faults of the server are all that fault switches stand in for, with few exceptions.
  const switched = pairs.filter(({ by, status }) => by !== "call" && status < "5");
  expect(switched.length).toBeLessThan(100);
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

const NOTHING = { score: 100, undocumented: [], invalid: [], neverMet: [] };

// spec/conform.md#sweep
test("every operation and status is met under a brand and a later revision", {
  timeout: 120_000,
}, async () => {
  const text = JSON.stringify(openApiDocument("0.0.0", REVISION));
  const document = JSON.parse(brandOf("acme").outward(text));
  const api = new DescribedApi(document);
  const { exchanges, pairs } = await sweep(api, { brand: "acme", revision: REVISION });
  const judged = (by: DescribedApi, meant: MeantDifference[] = [], some = exchanges) => {
    const judge = new Judge(by, { meant });
    for (const one of some) judge.take(one);
    return judge.report();
  };
  expect(judged(api)).toMatchObject(NOTHING);
  isMet(pairs, 104);

  const other = structuredClone(document);
  delete other.paths["/config"].get.responses["401"];
  other.components.schemas.QuoteStatus.enum = ["PROCESSING", "COMPLETED", "FAILED", "EXPIRED"];
  const { undocumented, invalid } = judged(
    new DescribedApi(other),
    [],
    exchanges.filter((one) => one.kind === "call" && /\/(config|quotes)/.test(one.path)),
  );
  expect(undocumented).toEqual([
    { operation: "GET /config", status: "401", count: expect.any(Number) },
  ]);
  expect(invalid.length).toBeGreaterThan(0);
  expect(new Set(invalid.map(({ says }) => says))).toEqual(
    new Set(['Instance does not match any of ["PROCESSING","COMPLETED","FAILED","EXPIRED"].']),
  );

  const hosted = new DescribedApi(asHosted(document));
  const tenth = exchanges.filter((_exchange, at) => at % 10 === 0);
  expect(judged(hosted, [], tenth).score).toBeLessThan(95);
  expect(judged(hosted, meantIn("hosted", "openapi.yaml"))).toMatchObject({
    score: 100,
    undocumented: [],
    invalid: [],
  });
});
