import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createStorage, type Storage } from "unstorage";
import { expect, onTestFinished, test } from "vitest";
import type { Rule } from "../../src/domain/core/draft.ts";
import type { QuoteRecord } from "../../src/domain/records/records.ts";
import { readSegment } from "../../src/runtime/change.ts";
import type { Engine } from "../../src/runtime/engine.ts";
import { History, statusOf } from "../../src/runtime/history.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import {
  readCheckpoint,
  storeCheckpoint,
} from "../../src/storage/file/timeline/checkpoint-files.ts";
import { partsOfWorld } from "../../src/storage/format/checkpoint.ts";
import { openWorld } from "../../src/storage/open-world.ts";
import { runsOf } from "../setup/campaign.ts";
import { CAUSE, openEngine, START_MS, setFor } from "./setup/test-engine.ts";
import { turn } from "./setup/turns.ts";

/** Writes a checkpoint of the world while it continues. */
const written = (storage: Storage, engine: Engine) => {
  const { state, generation } = engine;
  const parts = partsOfWorld({ engine, state, generation });
  return storeCheckpoint(storage, parts, { seq: state.seq, segment: "1-1" });
};

const QUOTE = "Quote:1";

const quote = (status: QuoteRecord["status"]) => ({ id: QUOTE, status }) as QuoteRecord;

/** Puts one quote in a status and names the deciding row. */
const putQuote: Rule<QuoteRecord["status"], void> = (draft, status) => {
  draft.put("Quote", quote(status));
  draft.decidedBy(`row.${status}`);
};

test("each change of a record is remembered with its cause, its row and the status after it", () => {
  const { engine } = openEngine("manual");
  engine.commit(putQuote, "PENDING", { cause: "req-1-1", by: "createQuote" });
  engine.commit(putQuote, "PROCESSING", { cause: "req-1-2", by: "executeQuote" });
  expect(engine.state.history.of(QUOTE)).toEqual([
    {
      seq: 2,
      atMs: START_MS,
      cause: "req-1-1",
      by: "createQuote",
      row: "row.PENDING",
      status: "PENDING",
    },
    {
      seq: 3,
      atMs: START_MS,
      cause: "req-1-2",
      by: "executeQuote",
      row: "row.PROCESSING",
      status: "PROCESSING",
    },
  ]);
});

test("only the last 16 are kept", () => {
  const { engine } = openEngine("manual");
  for (let count = 1; count <= 20; count += 1)
    engine.commit(putQuote, "PENDING", { cause: `req-1-${count}`, by: "test" });
  const causes = engine.state.history.of(QUOTE).map(({ cause }) => cause);
  expect(causes).toHaveLength(16);
  expect([causes[0], causes[15]]).toEqual(["req-1-5", "req-1-20"]);
});

test("a change that sets a timer for a record is remembered with the timer", () => {
  const { engine } = openEngine("manual");
  const rule: Rule<void, void> = (draft, _input, moment) => {
    putQuote(draft, "PENDING", moment);
    setFor(draft, { subject: QUOTE, inMs: 300_000, name: "quote.expire" }, moment);
    setFor(draft, { subject: "Quote:2", inMs: 1, name: "quote.expire" }, moment);
  };
  engine.commit(rule, undefined, CAUSE);
  expect(engine.state.history.of(QUOTE)[0]?.timers).toEqual([["quote.expire", START_MS + 300_000]]);
});

test("timers, deliveries, events and stored answers have no history", () => {
  const { engine } = openEngine("manual");
  const rule: Rule<void, void> = (draft, _input, moment) => {
    setFor(draft, { subject: QUOTE, inMs: 1 }, moment);
    draft.put("Replay", { id: "Replay:1", key: "k", atMs: moment.atMs, status: 200, text: "" });
    draft.emit({ id: "Webhook:1", type: "TEST", lane: "a", body: "{}", deliverable: true });
  };
  engine.commit(rule, undefined, CAUSE);
  for (const id of [`payment.settle ${QUOTE}`, "Replay:1", "Webhook:1"])
    expect(engine.state.history.of(id)).toEqual([]);
});

test("a record that is gone leaves nothing behind, and neither does a reset", () => {
  const { engine } = openEngine("manual");
  engine.commit(putQuote, "PENDING", CAUSE);
  engine.commit((draft) => draft.del("Quote", QUOTE), undefined, CAUSE);
  expect(engine.state.history.of(QUOTE)).toEqual([]);
  engine.commit(putQuote, "PENDING", CAUSE);
  const clock = { mode: "manual", offsetMs: 0, instantMs: START_MS } as const;
  engine.open(() => {}, { world: "sandbox", seed: "test", branch: 2 }, clock);
  expect(engine.state.history.of(QUOTE)).toEqual([]);
});

test("noting a change twice changes nothing, since recovery repeats changes of a checkpoint", () => {
  const history = new History();
  const change = (seq: number) => ({
    v: 5,
    seq,
    at: START_MS,
    cause: "req-1-1",
    by: "test",
    put: [["Quote", quote("PENDING")]] as [["Quote", QuoteRecord]],
    n: 0,
  });
  for (const seq of [1, 2, 1, 2, 3]) history.note(change(seq));
  expect(history.of(QUOTE).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("a checkpoint keeps it, also while changes continue", async () => {
  const { engine, journal } = openEngine("manual");
  for (let count = 0; count < 18; count += 1) engine.commit(putQuote, "PENDING", CAUSE);
  const storage = createStorage();
  const writing = written(storage, engine);
  engine.commit(putQuote, "PROCESSING", { cause: "req-1-2", by: "executeQuote" });
  await turn();
  engine.commit(putQuote, "COMPLETED", { cause: "req-1-3", by: "test" });
  await writing;
  const { state, manifest } = await readCheckpoint(storage);
  const rest = Buffer.from(journal.lines.slice(manifest?.from).join(""));
  const expects = { seq: (manifest?.from ?? 0) + 1, isLast: true };
  readSegment({ file: "test", bytes: rest }, expects, (change) => state.apply(change));
  expect(state.history.of(QUOTE)).toEqual(engine.state.history.of(QUOTE));
  expect(state.history.of(QUOTE)).toHaveLength(16);
  engine.close();
});

test("the journal completes a checkpoint written during changes", async () => {
  const step = fc.record({
    slot: fc.integer({ min: 0, max: 3 }),
    isGone: fc.boolean(),
    waits: fc.integer({ min: 0, max: 2 }),
  });
  const act: Rule<{ slot: number; isGone: boolean }, void> = (draft, { slot, isGone }) => {
    const id = `Quote:${slot}`;
    if (isGone) draft.del("Quote", id);
    else draft.put("Quote", { id, status: "PENDING" } as QuoteRecord);
  };
  const steps = fc.array(step, { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, during) => {
      const { engine, journal } = openEngine("manual");
      for (const one of before) engine.commit(act, one, CAUSE);
      const storage = createStorage();
      const writing = written(storage, engine);
      for (const one of during) {
        for (let turns = 0; turns < one.waits; turns += 1) await turn();
        engine.commit(act, one, CAUSE);
      }
      await writing;
      const { state, manifest } = await readCheckpoint(storage);
      const rest = Buffer.from(journal.lines.slice(manifest?.from).join(""));
      const expects = { seq: (manifest?.from ?? 0) + 1, isLast: true };
      readSegment({ file: "test", bytes: rest }, expects, (change) => state.apply(change));
      for (const slot of [0, 1, 2, 3])
        expect(state.history.of(`Quote:${slot}`)).toEqual(engine.state.history.of(`Quote:${slot}`));
      engine.close();
    }),
    { numRuns: runsOf(500) },
  );
});

test("a world that is opened again remembers what it did before", async () => {
  const directory = mkdtempSync(join(tmpdir(), "history-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const open = () =>
    openWorld({
      storage: { kind: "file", directory },
      wall: machineWall,
      fsync: false,
      identity: { clockMode: "manual" },
    });
  const first = await open();
  first.reset();
  first.engine.commit(putQuote, "PENDING", { cause: "req-1-1", by: "createQuote" });
  const before = first.engine.state.history.of(QUOTE);
  await first.close();
  const second = await open();
  expect(second.engine.state.history.of(QUOTE)).toEqual(before);
  await second.close();
});

test.each([
  { record: { status: "PENDING" }, status: "PENDING" },
  { record: { kycStatus: "APPROVED" }, status: "APPROVED" },
  { record: { kybStatus: "REJECTED" }, status: "REJECTED" },
  { record: { kycStatus: "APPROVED", isDeleted: true }, status: "DELETED" },
  {
    record: { status: "FAILED", refund: { status: "PENDING" } },
    status: "FAILED, refund PENDING",
  },
  { record: { perUsd: {} }, status: undefined },
])("$record is $status", ({ record, status }) => {
  expect(statusOf(record)).toBe(status);
});
