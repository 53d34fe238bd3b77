import { expect, test } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../src/api/openapi.ts";
import { sweep } from "../../src/cli/tasks/sweep.ts";
import { DescribedApi } from "../../src/conform/described-api.ts";
import { LATER_SUCCESSES, laterWebhook } from "./setup/later-shapes.ts";

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
});
