import { expect, test } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../src/api/openapi.ts";
import { sweep } from "../../src/cli/tasks/sweep.ts";
import { DescribedApi } from "../../src/conform/described-api.ts";
import { Judge } from "../../src/conform/judge.ts";
import { eventsOf } from "../../src/contract/webhooks/events.ts";
import { LATER_SUCCESSES } from "./setup/later-shapes.ts";
import { LATER_WEBHOOKS, laterWebhook, webhookDocument } from "./setup/later-webhooks.ts";

const REVISION = "2026-08";

/** Segments of a path that are ids of records, whatever their form. */
const withoutIds = (path: string, api: DescribedApi, method: string) => {
  const named = api.operationOf(method, path)?.name.split(" ")[1] ?? path;
  return `${method} ${named.replaceAll(/\{\w+\}/g, "{}")}`;
};

// spec/revisions.md#changes
test("answers and webhooks of the later revision have the shapes of its contract", {
  timeout: 240_000,
}, async () => {
  const api = new DescribedApi(JSON.parse(JSON.stringify(openApiDocument("0.0.0", REVISION))));
  const { exchanges } = await sweep(api, { revision: REVISION });
  const wrong = new Map<string, string>();
  const judged = new Set<string>();
  for (const one of exchanges) {
    const isCall = one.kind === "call";
    const body = isCall ? one.responseBody : one.body;
    const { type = "" } = (body ?? {}) as { type?: string };
    const name = isCall ? withoutIds(one.path, api, one.method) : `webhook ${type}`;
    const isRefused = isCall && (one.status >= 300 || one.status === 204);
    const shape = isCall ? LATER_SUCCESSES.get(name) : laterWebhook(type);
    if (isRefused) continue;
    if (!isCall && !shape) wrong.set(name, "the revision has no such type");
    if (!shape) continue;
    judged.add(name);
    const { error } = shape.safeParse(body);
    if (error) wrong.set(name, `${z.prettifyError(error)} ${JSON.stringify(body).slice(0, 1_000)}`);
  }
  expect(Object.fromEntries(wrong)).toEqual({});
  const unseen = [...LATER_SUCCESSES.keys()].filter((name) => !judged.has(name));
  expect(unseen).toEqual([]);
  expect([...judged].filter((name) => name.startsWith("webhook")).length).toBeGreaterThan(30);
  const webhooks = exchanges.filter(({ kind }) => kind === "webhook");
  const judge = new Judge(new DescribedApi(webhookDocument()));
  for (const one of webhooks) judge.take(one);
  const { invalid, undocumented, notJudged, judged: fits } = judge.report();
  expect({ invalid, undocumented, notJudged }).toEqual({
    invalid: [],
    undocumented: [],
    notJudged: [],
  });
  expect(fits).toBe(webhooks.length);
});

// spec/conform.md#findings
test("a document that names its webhooks describes each type of each name", () => {
  const api = new DescribedApi(webhookDocument());
  const types = LATER_WEBHOOKS.flatMap(([, types]) => types);
  const known = eventsOf(REVISION).flatMap((all) => all.filter((one) => types.includes(one)));
  expect(types.toSorted()).toEqual(known.toSorted());
  expect(types.map((type) => api.webhooksOf(type).length)).toEqual(types.map(() => 1));
  const judge = new Judge(api);
  const envelope = { id: "Webhook:1", timestamp: "2026-01-05T09:00:00.000Z" };
  judge.take({ kind: "webhook", body: { ...envelope, type: "CARD.state_change", data: {} } });
  judge.take({ kind: "webhook", body: { ...envelope, type: "CARD.STATE_CHANGE", data: {} } });
  const { invalid, undocumented } = judge.report();
  expect(undocumented.map(({ operation }) => operation)).toEqual(["webhook CARD.state_change"]);
  expect(new Set(invalid.map(({ path }) => path))).toEqual(new Set(["/data"]));
});
