import { expect } from "vitest";
import type { Change } from "../../../../src/runtime/change.ts";
import type { Holding } from "../../../../src/storage/engine/store-engine.ts";
import type { Case } from "./flush-cases.ts";
import { changeOf, FlushedWorlds, told } from "./flushed-worlds.ts";

const REPEAT = "it may have been done: repeat it with the same Idempotency-Key";

const token = (id: string, secretHash: string): NonNullable<Change["put"]>[number] => [
  "ApiToken",
  {
    id,
    name: id,
    clientId: "client",
    secretHash,
    permissions: [],
    createdAtMs: 0,
    updatedAtMs: 0,
  } as never,
];

const document = (id: string, sha256: string): NonNullable<Change["put"]>[number] => [
  "Document",
  { id, file: { sha256, mediaType: "image/png", sizeBytes: 8 } } as never,
];

export const JOURNAL_CASES: readonly Case[] = [
  {
    name: "a caller waits for 2 s; its change stays queued and becomes durable later",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const world = worlds.open("a");
      world.journal.buffer(changeOf(1));
      const reached = told(world.journal.reached(1));
      await time.pass(1_500);
      world.journal.buffer(changeOf(2));
      const later = told(world.journal.reached(2));
      await time.pass(499);
      expect(reached.is).toBe("waiting");
      await time.pass(1);
      expect(reached.is).toBe(`The store has not answered for 2 s: ${REPEAT}`);
      expect(reached.error).toMatchObject({ name: "JournalFailure", mayBeDone: true });
      expect(reached.error).toBeInstanceOf(code.StoreTrouble);
      expect(later.is).toBe("waiting");
      engine.oldest("find").refuse("53300");
      await time.pass(1_500);
      expect(later.is).toBe(`the store takes no writes (PostgreSQL, 53300): ${REPEAT}`);
      expect(later.error?.code).toBe("53300");
      expect(world.late).toBe(0);
      await time.pass(500);
      for (const act of ["append", "find"] as const) engine.oldest(act).lose();
      await time.turn();
      while (engine.asked.at(-1)?.startsWith("find")) {
        if (engine.underWay().length > 0) engine.oldest("find").answer();
        await time.pass(50);
      }
      engine.only("append").answer();
      await time.turn();
      engine.only("append").answer();
      await time.turn();
      expect(worlds.log()).toEqual(["a 1-1", "a 2-2"]);
      expect(world.journal.reached(2)).toBeUndefined();
      expect(world.late).toBe(1);
      expect(world.lost).toEqual([]);
    },
  },
  {
    name: "a caller that comes while others wait has 2 s of its own",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { journal } = worlds.open("a");
      journal.buffer(changeOf(1));
      const waits: string[] = [];
      for (let at = 0; at < 4; at += 1) {
        const from = worlds.time.monotonicMs;
        journal.reached(1)?.catch(() => waits.push(`${worlds.time.monotonicMs - from}`));
        await worlds.time.pass(700);
      }
      await worlds.time.pass(2_000);
      expect(waits).toEqual(["2000", "2000", "2000", "2000"]);
    },
  },
  {
    name: "what a lease ends while it waits is told once, and the flush under way counts for nothing",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      await worlds.lease.join();
      const world = worlds.open("a", { isLeased: true });
      world.journal.buffer(changeOf(1));
      const reached = told(world.journal.reached(1));
      await time.turn();
      world.journal.buffer(changeOf(2));
      engine.ended.add("sim-1");
      await time.pass(1_600);
      engine.oldest("renew").answer();
      await time.turn();
      const why = "this process lost its lease, and others may serve its worlds";
      expect(world.lost).toEqual([`taken, cut true: ${why}`]);
      expect(reached.is).toBe(`${why}: ${REPEAT}`);
      engine.take("a", "sim-2");
      engine.only("append").answer();
      await time.pass(60_000);
      world.journal.buffer(changeOf(3));
      await time.turn();
      expect(engine.underWay()).toEqual([]);
      expect(world.lost).toHaveLength(1);
      expect(worlds.log()).toEqual([]);
    },
  },
  {
    name: "callers made and dropped, files and the next timer are in the append that makes them so",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const callers = new Map([["ApiToken t0", ["user t0 h0", "user client h0"]]]);
      const world = worlds.open("a", { callers });
      const flushed = async (change: Change) => {
        world.journal.buffer(change);
        await time.turn();
        const [batch] = engine.only("append").batches;
        engine.only("append").answer();
        await time.turn();
        const { callers: changed, files, dueAtMs } = batch ?? {};
        return { changed, files, dueAtMs };
      };
      expect(await flushed(changeOf(1, { put: [token("t1", "h1")] }))).toEqual({
        changed: { made: ["user t1 h1", "user client h1"], dropped: [] },
        dueAtMs: null,
      });
      world.dueAtMs = 1_800_000_900_000;
      expect(await flushed(changeOf(2, { put: [document("d1", "f00d")] }))).toEqual({
        files: ["f00d"],
        dueAtMs: 1_800_000_900_000,
      });
      expect(await flushed(changeOf(3, { del: [["ApiToken", "t0"]] }))).toEqual({
        changed: { made: [], dropped: ["user t0 h0", "user client h0"] },
      });
      expect(await flushed(changeOf(4, { put: [token("t1", "h2")] }))).toEqual({
        changed: {
          made: ["user t1 h2", "user client h2"],
          dropped: ["user t1 h1", "user client h1"],
        },
      });
      world.dueAtMs = null;
      expect(await flushed(changeOf(5))).toEqual({ dueAtMs: null });
      expect(await flushed(changeOf(6))).toEqual({});
    },
  },
  {
    name: "a world whose later changes wait is due now: the next timer is that of a later state",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const world = worlds.open("a");
      for (let seq = 1; seq <= 2_500; seq += 1) world.journal.buffer(changeOf(seq));
      world.dueAtMs = 1_800_000_900_000;
      const due: unknown[] = [];
      for (let at = 0; at < 3; at += 1) {
        await time.turn();
        due.push(engine.only("append").batches[0]?.dueAtMs);
        engine.only("append").answer();
      }
      expect(due).toEqual([1_800_000_000_000, undefined, 1_800_000_900_000]);
    },
  },
  {
    name: "a batch that is sent again tells the same of callers, files and timers",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const world = worlds.open("a");
      world.journal.buffer(changeOf(1, { put: [token("t1", "h1"), document("d1", "f00d")] }));
      await time.turn();
      world.dueAtMs = 1_800_000_900_000;
      engine.only("append").refuse();
      await time.pass(50);
      expect(engine.only("append").batches).toMatchObject([
        {
          callers: { made: ["user t1 h1", "user client h1"], dropped: [] },
          files: ["f00d"],
          dueAtMs: null,
        },
      ]);
    },
  },
  {
    name: "closing waits for what is buffered, and takes nothing more",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const { journal } = worlds.open("a");
      journal.buffer(changeOf(1));
      await time.turn();
      journal.buffer(changeOf(2));
      const closed = told(journal.close());
      journal.buffer(changeOf(3));
      engine.only("append").answer();
      await time.turn();
      expect(closed.is).toBe("waiting");
      engine.only("append").answer();
      await time.turn();
      expect(closed.is).toBe("done");
      expect(worlds.log()).toEqual(["a 1-1", "a 2-2"]);
      // Its world may be served by another process from now on.
      for (const seq of [2, 3]) {
        const reached = told(journal.reached(seq));
        await time.turn();
        expect(reached.is).toBe("the journal is closed");
      }
      await journal.close();
    },
  },
  {
    name: "work on the world's rows waits for the flush under way, and the next one for it",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const { journal } = worlds.open("a");
      journal.buffer(changeOf(1));
      await time.turn();
      const given: unknown[] = [];
      const ends: (() => void)[] = [];
      const work = (holding: Holding) => {
        given.push({ ...holding });
        holding.fence += 1;
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      const [one, two] = [told(journal.between(work)), told(journal.between(work))];
      journal.buffer(changeOf(2));
      await time.turn();
      expect(given).toEqual([]);
      engine.only("append").answer();
      await time.turn();
      const holding = { name: "a", owner: "sim-1", timeline: 3, seq: 1 };
      expect(given).toEqual([{ ...holding, fence: 7 }]);
      for (const end of ends.splice(0)) end();
      await time.turn();
      expect([one.is, two.is]).toEqual(["done", "waiting"]);
      expect(given.slice(1)).toEqual([{ ...holding, fence: 8 }]);
      expect(engine.underWay()).toEqual([]);
      engine.heads.set("a", { owner: "sim-1", fence: 9, timeline: 3, seq: 1 });
      for (const end of ends.splice(0)) end();
      await time.turn();
      expect(two.is).toBe("done");
      engine.only("append").answer();
      await time.turn();
      expect(worlds.log()).toEqual(["a 1-1", "a 2-2"]);
      expect(engine.log[1]?.fence).toBe(9);
    },
  },
  {
    name: "work on the world's rows that fails leaves the fence that it noted",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const { journal } = worlds.open("a");
      const failing = journal.between(async (holding) => {
        holding.fence = 9;
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      journal.buffer(changeOf(1));
      await time.turn();
      expect(engine.only("append").batches[0]?.fence).toBe(9);
      journal.lose("the world a is served by sim-2");
      const late = journal.between(async () => {});
      await expect(late).rejects.toThrow("the world a is served by sim-2");
    },
  },
  {
    name: "closing waits for 5 s at most",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { journal } = worlds.open("a");
      journal.buffer(changeOf(1));
      const closed = told(journal.close());
      await worlds.time.pass(4_999);
      expect(closed.is).toBe("waiting");
      await worlds.time.pass(1);
      expect(closed.is).toBe(`The store has not answered for 2 s: ${REPEAT}`);
    },
  },
  {
    name: "a journal that could not be closed in time hears nothing more of the lease",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      await worlds.lease.join();
      const { journal, lost } = worlds.open("a", { isLeased: true });
      journal.buffer(changeOf(1));
      const closed = told(journal.close());
      await time.pass(5_000);
      expect(closed.is).toBe(`The store has not answered for 2 s: ${REPEAT}`);
      engine.ended.add("sim-1");
      engine.newest("renew").answer();
      await time.turn();
      expect(lost).toEqual([]);
    },
  },
];
