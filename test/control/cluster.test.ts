import { expect, test } from "vitest";
import { formatCluster } from "../../src/cli/text/cluster.ts";
import { plainStyle } from "../../src/cli/text/terminal.ts";
import { createSimulator } from "../../src/simulator.ts";
import type { ProcessRow, SharedStore } from "../../src/storage/port/shared-store.ts";
import { StoreTrouble } from "../../src/storage/port/store-trouble.ts";

const ROWS: ProcessRow[] = [
  { id: "sim-a", peer: "10.0.0.5:4748", knows: 6, version: "0.1.0", loaded: 3, leaseLeftMs: 4_200 },
  { id: "sim-b", knows: 5, version: "0.0.9", loaded: 0, leaseLeftMs: -61_000 },
];

const storeOf = (processes: SharedStore["processes"]): SharedStore => ({
  process: "sim-a",
  key: Buffer.alloc(32),
  format: 5,
  find: async () => undefined,
  glance: async () => undefined,
  worlds: async () => [],
  maker: async () => undefined,
  due: async () => [],
  processes,
});

/** The answer of a simulator whose store is the given one. */
const answerWith = async (shared: SharedStore | undefined) => {
  const sim = await createSimulator();
  const { worlds } = sim as unknown as { worlds: object };
  if (shared) Object.defineProperty(worlds, "shared", { value: shared });
  const answer = await sim.fetch(new Request("http://127.0.0.1/_sim/cluster"));
  const body = await answer.json();
  await sim.close();
  return { status: answer.status, body };
};

test("the processes of a shared store are listed with their leases", async () => {
  expect(await answerWith(storeOf(async () => ROWS))).toEqual({
    status: 200,
    body: {
      process: "sim-a",
      format: 5,
      processes: [
        {
          id: "sim-a",
          peer: "10.0.0.5:4748",
          version: "0.1.0",
          knows: 6,
          worlds: 3,
          leaseLeftMs: 4_200,
        },
        { id: "sim-b", version: "0.0.9", knows: 5, worlds: 0, leaseLeftMs: -61_000 },
      ],
    },
  });
});

test("a store that does not answer is told of", async () => {
  const silent = storeOf(async () => {
    throw new StoreTrouble("The store does not answer", { mayBeDone: false });
  });
  expect(await answerWith(silent)).toEqual({
    status: 200,
    body: { process: "sim-a", format: 5, processes: [], trouble: "The store does not answer" },
  });
});

test("a store that is not shared is refused", async () => {
  const { status, body } = await answerWith(undefined);
  expect({ status, error: body.error }).toEqual({
    status: 409,
    error: {
      code: "NOT_SHARED",
      message: "The store memory: is not shared: only a database has several processes",
      next: [
        "service-sim start --storage postgres://<user>:<password>@<host>/<database> --processes 2",
      ],
      details: { url: "memory:" },
    },
  });
});

test("status --cluster prints a row for each process, and the trouble", () => {
  const [first, second] = ROWS as [ProcessRow, ProcessRow];
  const rows = [first, second].map(({ loaded: worlds, ...row }) => ({ ...row, worlds }));
  const cluster = { process: "sim-a", format: 5, processes: rows, trouble: "no disk" };
  expect(formatCluster(cluster, plainStyle())).toEqual([
    "PROCESS          PEER           WORLDS  VERSION  FORMAT  LEASE",
    "sim-a (answers)  10.0.0.5:4748       3  0.1.0         6  ends in 4s",
    "sim-b            none                0  0.0.9         5  ended 1m1s ago",
    "all write format 5",
    "✗ no disk",
  ]);
});
