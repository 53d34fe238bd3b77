import { afterEach, expect, test } from "vitest";
import { LATEST_REVISION, type Revision } from "../../src/contract/core/revision-names.ts";
import { createSimulator, type LocalSimulator } from "../../src/simulator.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

const LISTS = [
  "/customers",
  "/customers/internal-accounts",
  "/customers/external-accounts",
  "/platform/internal-accounts",
  "/transactions",
  "/cards",
  "/documents",
  "/verifications",
  "/agents",
  "/tokens",
] as const;

let open: LocalSimulator | undefined;

afterEach(() => open?.close());

interface Page {
  data: Record<string, unknown>[];
  nextCursor?: string;
}

/** Every record that the lists of a world show, and its configuration. */
const shownBy = async (sim: LocalSimulator) => {
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const read = async (path: string) => {
    const request = new Request(sim.apiUrl + path, { headers: { authorization } });
    const answer = await sim.fetch(request);
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as Page;
  };
  const rows: Record<string, unknown>[] = [];
  for (const list of LISTS)
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page = await read(`${list}?limit=100${after}`);
      rows.push(...page.data);
      cursor = page.nextCursor;
    }
  return [...rows, (await read("/config")) as unknown as Record<string, unknown>];
};

// spec/revisions.md: records are stored alike in every revision
test("a thousand generated records answer the same after a switch there and back", {
  timeout: 60_000,
}, async () => {
  const storage = new StateDirectory().url;
  const start = async (revision: Revision) => {
    await open?.close();
    open = await createSimulator({
      ...{ seed: "switch", clock: "manual", now: "2026-01-05T09:00:00.000Z" },
      ...{ storage, revision, fixture: "cards-demo" },
    });
    return open;
  };
  const sim = await start("2025-10");
  const generate = { customers: { count: 400 }, quotes: { count: 600 } };
  const request = new Request(`${sim.controlUrl}/seed`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ generate }),
  });
  expect((await sim.fetch(request)).status).toBeLessThan(300);
  const first = await shownBy(sim);
  expect(first.length).toBeGreaterThan(2_000);
  const later = await shownBy(await start(LATEST_REVISION));
  expect(later).not.toEqual(first);
  expect(later.map(({ id }) => id)).toEqual(expect.arrayContaining(first.map(({ id }) => id)));
  expect(await shownBy(await start("2025-10"))).toEqual(first);
  expect(await shownBy(await start(LATEST_REVISION))).toEqual(later);
});
