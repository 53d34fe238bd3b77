import { expect, test } from "vitest";
import { drawsOf } from "../../setup/draws.ts";
import { everyRow } from "../../setup/every-row.ts";
import { drawnFaults, type Fault } from "./engine-faults.ts";
import { batchAfter, holdingOf, keepingOf } from "./scene.ts";
import { SimulatedData } from "./simulated-data.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

/** A world of a process, its owner's client whose next acts have faults, and another client. */
const openWorld = async (schedule?: () => Promise<void>) => {
  const data = new SimulatedData();
  const faults: (Fault | undefined)[] = [];
  const engine = new SimulatedEngine(data, {
    faults: () => faults.shift(),
    ...(schedule && { schedule }),
  });
  const other = new SimulatedEngine(data);
  await other.create({
    facts: { name: "w" },
    owner: "p",
    timeline: await other.newTimeline(),
    seq: 0,
    callers: [],
    keep: [keepingOf("w", 1)],
    dueAtMs: null,
  });
  const world = holdingOf((await other.find("w"))!);
  return {
    data,
    faults,
    engine,
    append: () => engine.append("p", [batchAfter(world, 1)]),
    seq: async () => (await other.find("w"))?.seq,
  };
};

const LOST = { mayBeDone: true, code: "08006" };
const AWAY = { mayBeDone: false, code: "08001" };
const READ_ONLY = { mayBeDone: false, code: "25006" };

const FAULTS: {
  fault: Fault | undefined;
  trouble: object | undefined;
  seqs: [atOnce: number, later: number];
  next: object | undefined;
}[] = [
  { fault: undefined, trouble: undefined, seqs: [1, 1], next: undefined },
  { fault: { kind: "lost", isDone: true }, trouble: LOST, seqs: [1, 1], next: undefined },
  { fault: { kind: "lost", isDone: false }, trouble: LOST, seqs: [0, 0], next: undefined },
  { fault: { kind: "late", afterActs: 2 }, trouble: LOST, seqs: [0, 1], next: undefined },
  {
    fault: { kind: "slow", turnsBefore: 2, turnsAfter: 2 },
    trouble: undefined,
    seqs: [1, 1],
    next: undefined,
  },
  { fault: { kind: "unreachable", forActs: 1 }, trouble: AWAY, seqs: [0, 0], next: undefined },
  { fault: { kind: "unreachable", forActs: 2 }, trouble: AWAY, seqs: [0, 0], next: AWAY },
  { fault: { kind: "readOnly", forActs: 9 }, trouble: READ_ONLY, seqs: [0, 0], next: READ_ONLY },
  { fault: { kind: "restart", forActs: 0 }, trouble: AWAY, seqs: [0, 0], next: undefined },
];

test("each fault does what it says to an append, and to the next act of its client", () =>
  everyRow(FAULTS, async ({ fault, trouble, seqs, next }) => {
    const { faults, engine, append, seq } = await openWorld();
    faults.push(fault);
    const outcome = await append().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (trouble) expect(outcome).toMatchObject(trouble);
    else expect(outcome).toBeUndefined();
    const atOnce = await seq();
    await seq();
    expect([atOnce, await seq()]).toEqual(seqs);
    const nextOutcome = await engine.newTimeline().catch((error: unknown) => error);
    if (next) expect(nextOutcome).toMatchObject(next);
    else expect(nextOutcome).toBe(2);
  }));

test("an engine that ends takes the answer of an act that is under way, and keeps its data", () =>
  everyRow(
    [
      { turnsBefore: 0, turnsAfter: 3, seqThen: 1 },
      { turnsBefore: 3, turnsAfter: 0, seqThen: 0 },
    ],
    async ({ turnsBefore, turnsAfter, seqThen }) => {
      let turns = 0;
      const { data, faults, append, seq } = await openWorld(async () => {
        turns += 1;
        // The first turn lets the act begin.
        if (turns === 2) data.restart(0);
      });
      faults.push({ kind: "slow", turnsBefore, turnsAfter });
      await expect(append()).rejects.toMatchObject(LOST);
      expect(await seq()).toBe(seqThen);
    },
  ));

test("an engine that ends drops an act that was still under way", async () => {
  const { data, faults, append, seq } = await openWorld();
  faults.push({ kind: "late", afterActs: 1 });
  await expect(append()).rejects.toMatchObject(LOST);
  data.restart(0);
  data.settle();
  expect(await seq()).toBe(0);
});

test("everything that is under way comes in when the troubles end", async () => {
  const { data, faults, append, seq } = await openWorld();
  faults.push({ kind: "late", afterActs: 1_000 });
  await expect(append()).rejects.toMatchObject(LOST);
  expect(await seq()).toBe(0);
  data.settle();
  expect(await seq()).toBe(1);
});

test("a closed client does nothing, and another one goes on", async () => {
  const { engine, append, seq } = await openWorld();
  await engine.close();
  await expect(append()).rejects.toMatchObject(AWAY);
  expect(await seq()).toBe(0);
});

test("an engine that is not fit to keep worlds says why", async () => {
  const { data, engine } = await openWorld();
  data.unfit = "fsync is off";
  await expect(engine.open()).rejects.toMatchObject({
    name: "StoreRefused",
    message: "fsync is off",
  });
  await expect(engine.check()).rejects.toMatchObject({ name: "StoreRefused" });
});

test("the same seed draws the same faults, of each kind in its share", () => {
  const rates = { lost: 0.1, late: 0.2, restart: 0.05 };
  const kindsOf = (seed: number) => {
    const faults = drawnFaults(drawsOf(seed), rates);
    return Array.from({ length: 10_000 }, () => faults("append")?.kind);
  };
  const kinds = kindsOf(7);
  expect(kindsOf(7)).toEqual(kinds);
  const share = (kind: string) => kinds.filter((one) => one === kind).length / 10_000;
  expect(share("lost")).toBeCloseTo(0.1, 1);
  expect(share("late")).toBeCloseTo(0.2, 1);
  expect(share("restart")).toBeCloseTo(0.05, 1);
  expect(share("readOnly")).toBe(0);
});
