import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { REVISION_CHANGES } from "../../src/contract/core/revision-changes.ts";
import { FIRST_REVISION, REVISIONS } from "../../src/contract/core/revision-names.ts";
import {
  hasChange,
  REVISION_FEATURES,
  type RevisionChange,
  type RevisionFeature,
  sinceOf,
} from "../../src/contract/core/revisions.ts";
import { connect, createSimulator, type LocalSimulator } from "../../src/simulator.ts";
import { runInProcess } from "../cli/setup/in-process.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

const CHANGES = Object.keys(REVISION_CHANGES) as RevisionChange[];
const FEATURES = Object.keys(REVISION_FEATURES) as RevisionFeature[];
const ROWS = [...CHANGES, ...FEATURES];
const LATER = "2026-08";

const opened: LocalSimulator[] = [];

const open = async (options: Parameters<typeof createSimulator>[0]) => {
  const sim = await createSimulator({ seed: "7", clock: "manual", ...options });
  opened.push(sim);
  return sim;
};

afterEach(async () => {
  for (const sim of opened.splice(0)) await sim.close();
});

const documentOf = async (sim: LocalSimulator) => {
  const answer = await sim.fetch(new Request(`${sim.controlUrl}/openapi.json`));
  return (await answer.json()) as {
    paths: object;
    components: { schemas: Record<string, object> };
  };
};

// spec/revisions.md#changes
describe("the table of changes", () => {
  test("has every change and feature in the spec, with what it is since", () => {
    const page = readFileSync(new URL("../../src/docs/spec/revisions.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{4}-\d\d) \|/gm)].map(([, name, since]) => [
      name,
      since,
    ]);
    expect(rows).toEqual(ROWS.map((name) => [name, sinceOf(name)]));
  });

  test("the first revision has none of them, the last one has all", () => {
    const last = REVISIONS.at(-1) ?? FIRST_REVISION;
    expect(ROWS.filter((name) => hasChange(FIRST_REVISION, name))).toEqual([]);
    expect(ROWS.filter((name) => !hasChange(last, name))).toEqual([]);
  });

  test("names operations that there are", () => {
    const names = Object.values(openApiDocument("0", LATER).paths as object).flatMap((path) =>
      Object.values(path as object).map((one) => one.operationId),
    );
    for (const change of CHANGES)
      for (const operation of REVISION_CHANGES[change].operations)
        if (!operation.startsWith("every ")) expect(names).toContain(operation);
  });

  test("is printed", async () => {
    const { code, stdout } = await runInProcess(["revisions", "--json"]);
    const { changes, features, ...rest } = JSON.parse(stdout);
    const revisions = [
      {
        ...{ revision: "2025-10", describedOn: "2026-05-28", operations: 103, webhookTypes: 32 },
        answered501: [],
      },
      {
        ...{ revision: "2026-08", describedOn: "2026-08-21", operations: 153, webhookTypes: 43 },
        answered501: ["linkStablecoinProviderAccount"],
      },
    ];
    expect([code, rest]).toEqual([0, { default: "2025-10", revisions }]);
    expect(features.map(({ feature }: { feature: string }) => feature)).toEqual(FEATURES);
    expect(changes.map(({ change }: { change: string }) => change)).toEqual(CHANGES);
    const text = (await runInProcess(["revisions"])).stdout;
    expect(text.split("\n").slice(1, 3)).toEqual([
      "2025-10: as of 2026-05-28, 103 operations, 32 webhook types",
      "2026-08: as of 2026-08-21, 153 operations, 43 webhook types; answered 501: linkStablecoinProviderAccount",
    ]);
    const page = readFileSync(new URL("../../src/docs/spec/revisions.md", import.meta.url), "utf8");
    for (const { revision, describedOn, ...sizes } of rest.revisions)
      expect(page).toContain(
        `| \`${revision}\` | ${describedOn} | ${sizes.operations} | ${sizes.webhookTypes} |`,
      );
    for (const { before } of changes) expect(text).toContain(before);
    for (const { brings } of features) expect(text).toContain(brings);
  });
});

describe("a world's revision", () => {
  test("is a fork's too, and its document is that revision's", async () => {
    const sim = await open({ revision: LATER });
    const fork = await sim.fork("copy");
    expect((await fork.status()).settings.revision).toBe(LATER);
    expect(Object.keys((await documentOf(sim)).paths)).toContain("/cards/{cardId}/reveal");
    const first = await open({});
    expect(Object.keys((await documentOf(first)).paths)).not.toContain("/cards/{cardId}/reveal");
  });

  // spec/library.md#calls
  test("decides which calls the library makes, in process, in a fork and over HTTP", async () => {
    const sim = await open({ revision: LATER });
    const { url } = await sim.listen();
    const reached = await connect(url, { clientSecret: sim.clientSecret });
    for (const world of [sim, await sim.fork(), reached, await reached.fork()]) {
      expect(world.revision).toBe(LATER);
      const call = world.callIn(LATER).revealCard({ params: { cardId: "Card:1" } });
      await expect(call).rejects.toMatchObject({ status: 404 });
      expect(() => world.callIn("2025-10")).toThrow(
        /Expected revision 2026-08, which the world ".+" serves, but found 2025-10: start it with/,
      );
    }
    await reached.close();
  });

  test("can be the one of a brand file, and an option goes before it", async () => {
    const brand = { word: "acme", revision: LATER } as const;
    expect((await open({ brand })).status().settings.revision).toBe(LATER);
    const named = await open({ brand, revision: "2025-10" });
    expect(named.status().settings.revision).toBe("2025-10");
  });

  test("can be changed by a restart, there and back, over the same records", async () => {
    const directory = new StateDirectory();
    const storage = directory.url;
    const states: unknown[] = [];
    for (const revision of [undefined, LATER, undefined, "2025-10"] as const) {
      const sim = await createSimulator({
        ...{ seed: "7", clock: "manual", fixture: "cards-demo", storage },
        ...(revision && { revision }),
      });
      const answer = await sim.fetch(
        new Request(`${sim.apiUrl}/cards?limit=100`, {
          headers: { authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}` },
        }),
      );
      const { data } = (await answer.json()) as { data: { state: string }[] };
      states.push(data.map(({ state }) => state).filter((state) => state.startsWith("P")));
      await sim.close();
    }
    directory.remove();
    expect(states).toEqual([["PENDING_ISSUE"], ["PROCESSING"], ["PROCESSING"], ["PENDING_ISSUE"]]);
  });

  test("that is unknown is refused with the ones there are", async () => {
    const { code, stderr } = await runInProcess(["start", "--revision", "2027-01"]);
    expect(code).toBe(2);
    expect(stderr).toContain("2025-10");
    expect(stderr).toContain("2026-08");
    expect(stderr).toContain("2027-01");
  });
});

// spec/revisions.md#document
test("openapi --revision prints the document of that revision", async () => {
  const { stdout } = await runInProcess(["openapi", "--revision", LATER]);
  const { paths, components } = JSON.parse(stdout);
  expect(components.schemas.CardState.enum).toContain("PROCESSING");
  expect(components.schemas.CardState.enum).not.toContain("PENDING_ISSUE");
  expect(components.schemas.Card.properties).not.toHaveProperty("panEmbedUrl");
  const simulate = paths["/sandbox/cards/{cardId}/simulate/authorization"].post;
  expect(Object.keys(simulate.responses)).toContain("202");
  expect(Object.keys(simulate.responses)).not.toContain("200");
});
