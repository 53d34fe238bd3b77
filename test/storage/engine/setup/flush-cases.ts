import { expect } from "vitest";
import type { EngineCode } from "./engine-code.ts";
import { changeOf, FlushedWorlds, told } from "./flushed-worlds.ts";

/** A case that the code must pass, and that notices planted bugs. */
export interface Case {
  name: string;
  check(code: EngineCode): Promise<void>;
}

/** A world whose first change was sent. */
const sent = async (code: EngineCode) => {
  const worlds = new FlushedWorlds(code);
  const world = worlds.open("a");
  world.journal.buffer(changeOf(1));
  const reached = told(world.journal.reached(1));
  await worlds.time.turn();
  return { worlds, ...worlds, world, reached };
};

const BROKE = "the connection to the store broke";

export const FLUSH_CASES: readonly Case[] = [
  {
    name: "what is ready at the end of a turn is one append, and a world has one flush under way",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const [a, b, c] = [worlds.open("a"), worlds.open("b"), worlds.open("c")];
      a.journal.buffer(changeOf(1));
      b.journal.buffer(changeOf(1));
      a.journal.buffer(changeOf(2));
      expect(engine.underWay()).toEqual([]);
      await time.turn();
      expect(engine.underWay()).toEqual(["append a 1-2, b 1-1"]);
      a.journal.buffer(changeOf(3));
      a.journal.buffer(changeOf(4));
      c.journal.buffer(changeOf(1));
      await time.turn();
      expect(engine.underWay()).toEqual(["append a 1-2, b 1-1", "append c 1-1"]);
      engine.oldest("append").answer();
      await time.turn();
      expect(engine.underWay()).toEqual(["append c 1-1", "append a 3-4"]);
      engine.oldest("append").answer();
      engine.oldest("append").answer();
      await time.turn();
      expect(engine.underWay()).toEqual([]);
      expect(worlds.log()).toEqual(["a 1-2", "b 1-1", "c 1-1", "a 3-4"]);
      expect([a, b, c].map(({ journal }) => journal.durableSeq())).toEqual([4, 1, 1]);
      // A line of the journal has 68 characters here.
      expect([a, b, c].map(({ journal }) => journal.sizeBytes())).toEqual([272, 68, 68]);
    },
  },
  {
    name: "at most four flushes are under way; what waits joins the next one",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      for (const name of ["a", "b", "c", "d", "e", "f"]) {
        worlds.open(name).journal.buffer(changeOf(1));
        await time.turn();
      }
      const four = ["append a 1-1", "append b 1-1", "append c 1-1", "append d 1-1"];
      expect(engine.underWay()).toEqual(four);
      engine.oldest("append").answer();
      await time.turn();
      expect(engine.underWay()).toEqual([...four.slice(1), "append e 1-1, f 1-1"]);
    },
  },
  {
    name: "a group is never split, and waits until it is whole",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const { journal } = worlds.open("a");
      for (let seq = 1; seq < 1_500; seq += 1) journal.buffer(changeOf(seq, { upTo: 1_500 }));
      const reached = told(journal.reached(1_499));
      await time.turn();
      expect(engine.underWay()).toEqual([]);
      journal.buffer(changeOf(1_500));
      journal.buffer(changeOf(1_501));
      for (const batch of ["a 1-1500", "a 1501-1501"]) {
        await time.turn();
        expect(engine.underWay()).toEqual([`append ${batch}`]);
        engine.only("append").answer();
      }
      await time.turn();
      expect(reached.is).toBe("done");
    },
  },
  {
    name: "a batch has 1,000 changes at most, and about a megabyte",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const { journal } = worlds.open("a");
      for (let seq = 1; seq <= 999; seq += 1) journal.buffer(changeOf(seq));
      journal.buffer(changeOf(1_000, { upTo: 1_002 }));
      journal.buffer(changeOf(1_001, { upTo: 1_002 }));
      journal.buffer(changeOf(1_002));
      for (let seq = 1_003; seq <= 1_005; seq += 1)
        journal.buffer(changeOf(seq, { by: "x".repeat(600_000) }));
      for (const batch of ["a 1-999", "a 1000-1003", "a 1004-1004", "a 1005-1005"]) {
        await time.turn();
        expect(engine.underWay()).toEqual([`append ${batch}`]);
        engine.only("append").answer();
      }
      await time.turn();
      expect(journal.durableSeq()).toBe(1_005);
    },
  },
  {
    name: "many worlds are flushed a megabyte at a time",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      for (const name of ["a", "b", "c"])
        worlds.open(name).journal.buffer(changeOf(1, { by: "x".repeat(600_000) }));
      await worlds.time.turn();
      expect(worlds.engine.underWay()).toEqual(["append a 1-1, b 1-1", "append c 1-1"]);
    },
  },
  {
    name: "nothing is acknowledged before the engine has answered",
    check: async (code) => {
      const { engine, time, world, reached } = await sent(code);
      engine.only("append").apply();
      await time.turn();
      expect(reached.is).toBe("waiting");
      expect(world.journal.durableSeq()).toBe(0);
      engine.only("append").answer();
      await time.turn();
      expect(reached.is).toBe("done");
      expect(world.journal.reached(1)).toBeUndefined();
    },
  },
  {
    name: "an unknown outcome that was in is found at the head, and not sent again",
    check: async (code) => {
      const { worlds, engine, time, reached } = await sent(code);
      // Only the question keeps the change from being there twice.
      engine.ignoresSeq = true;
      engine.only("append").apply();
      engine.only("append").lose();
      await time.turn();
      expect(engine.underWay()).toEqual(["find a"]);
      expect(reached.is).toBe("waiting");
      engine.only("find").answer();
      await time.pass(60_000);
      expect(reached.is).toBe("done");
      expect(engine.underWay()).toEqual([]);
      expect(worlds.log()).toEqual(["a 1-1"]);
      expect(worlds.flusher.trouble()).toBeUndefined();
    },
  },
  {
    name: "an unknown outcome that was not in is sent again, with the same changes",
    check: async (code) => {
      const { worlds, engine, time, world, reached } = await sent(code);
      const [first] = engine.only("append").batches;
      engine.only("append").lose();
      world.journal.buffer(changeOf(2));
      await time.turn();
      engine.only("find").answer();
      await time.turn();
      expect(reached.is).toBe("waiting");
      await time.pass(49);
      expect(engine.underWay()).toEqual([]);
      await time.pass(1);
      expect(engine.only("append").batches).toEqual([first]);
      engine.only("append").answer();
      await time.turn();
      expect(reached.is).toBe("done");
      engine.only("append").answer();
      expect(worlds.log()).toEqual(["a 1-1", "a 2-2"]);
    },
  },
  {
    name: "an append without an answer for 2 s has an unknown outcome",
    check: async (code) => {
      const { worlds, engine, time } = await sent(code);
      await time.pass(1_999);
      expect(engine.underWay()).toEqual(["append a 1-1"]);
      await time.pass(1);
      expect(engine.underWay()).toEqual(["append a 1-1", "find a"]);
      expect(worlds.flusher.trouble()).toEqual({
        sinceMs: 1_800_000_002_000,
        why: "The store has not answered for 2 s",
      });
    },
  },
  {
    name: "a late first try comes in before the second, whose refusal is settled by the head",
    check: async (code) => {
      const { worlds, engine, time, world, reached } = await sent(code);
      await time.pass(2_000);
      const late = engine.oldest("append");
      engine.oldest("find").answer();
      await time.pass(50);
      expect(engine.underWay()).toEqual(["append a 1-1", "append a 1-1"]);
      late.answer();
      await time.turn();
      engine.only("append").answer();
      await time.turn();
      engine.only("find").answer();
      await time.turn();
      expect(engine.underWay()).toEqual([]);
      expect(worlds.log()).toEqual(["a 1-1"]);
      expect(world.journal.durableSeq()).toBe(1);
      expect(world.lost).toEqual([]);
      // Its caller waited for 2 s.
      expect(reached.error?.mayBeDone).toBe(true);
    },
  },
  {
    name: "a late first try comes in after the second, and changes nothing",
    check: async (code) => {
      const { worlds, engine, time, world } = await sent(code);
      await time.pass(2_000);
      const late = engine.oldest("append");
      engine.oldest("find").answer();
      await time.pass(50);
      engine.newest("append").answer();
      world.journal.buffer(changeOf(2));
      await time.turn();
      late.answer();
      await time.turn();
      engine.only("append").answer();
      await time.pass(60_000);
      expect(engine.underWay()).toEqual([]);
      expect(worlds.log()).toEqual(["a 1-1", "a 2-2"]);
      expect(world.journal.durableSeq()).toBe(2);
      expect(world.lost).toEqual([]);
    },
  },
  {
    name: "a world that another process took is left out, and the two others go on",
    check: async (code) => {
      const worlds = new FlushedWorlds(code);
      const { engine, time } = worlds;
      const three = ["a", "b", "c"].map((name) => worlds.open(name));
      const [, b] = three;
      for (const { journal } of three) journal.buffer(changeOf(1));
      const reached = three.map(({ journal }) => told(journal.reached(1)));
      await time.turn();
      engine.take("b", "sim-2");
      engine.only("append").answer();
      await time.turn();
      expect(reached.map(({ is }) => is)).toEqual(["done", "waiting", "done"]);
      engine.only("find").answer();
      await time.turn();
      const why = "the world b is served by sim-2";
      expect(b?.lost).toEqual([`taken, cut true: ${why}`]);
      const repeat = "it may have been done: repeat it with the same Idempotency-Key";
      expect(reached[1]?.is).toBe(`${why}: ${repeat}`);
      expect(reached[1]?.error?.name).toBe("JournalFailure");
      for (const { journal } of three) journal.buffer(changeOf(2));
      await time.turn();
      expect(engine.underWay()).toEqual(["append a 2-2, c 2-2"]);
      engine.only("append").answer();
      expect(worlds.log()).toEqual(["a 1-1", "c 1-1", "a 2-2", "c 2-2"]);
      const after = told(b?.journal.reached(0));
      await time.turn();
      expect(after.is).toContain(why);
    },
  },
  {
    name: "what is certainly not done is tried again, later each time, and tells since when",
    check: async (code) => {
      const { worlds, engine, time, world } = await sent(code);
      const began = time.monotonicMs;
      const tried: number[] = [];
      while (tried.length < 7) {
        tried.push(time.monotonicMs - began);
        engine.only("append").refuse();
        await time.turn();
        while (engine.underWay().length === 0) await time.pass(10);
      }
      expect(tried).toEqual([0, 50, 150, 350, 750, 1_550, 2_550]);
      expect(worlds.flusher.trouble()).toEqual({
        sinceMs: 1_800_000_000_000,
        why: "the store takes no writes (PostgreSQL, 25006)",
        code: "25006",
      });
      engine.only("append").answer();
      await time.turn();
      expect(worlds.flusher.trouble()).toBeUndefined();
      expect(world.journal.durableSeq()).toBe(1);
      expect(worlds.log()).toEqual(["a 1-1"]);
      expect(engine.asked.filter((act) => act.startsWith("find"))).toEqual([]);
    },
  },
  {
    name: "a head that does not answer is asked again, and nothing is sent meanwhile",
    check: async (code) => {
      const { worlds, engine, time, world } = await sent(code);
      engine.only("append").apply();
      engine.only("append").lose();
      await time.turn();
      for (const waitMs of [50, 100, 200]) {
        engine.only("find").lose();
        await time.pass(waitMs - 1);
        expect(engine.underWay()).toEqual([]);
        await time.pass(1);
      }
      expect(worlds.flusher.trouble()).toEqual({ sinceMs: 1_800_000_000_000, why: BROKE });
      engine.only("find").answer();
      await time.turn();
      expect(world.journal.durableSeq()).toBe(1);
      expect(worlds.log()).toEqual(["a 1-1"]);
    },
  },
  ...(
    [
      [
        "another owner",
        { owner: "sim-2", fence: 7, timeline: 3, seq: 0 },
        "the world a is served by sim-2",
      ],
      [
        "another fence",
        { owner: "sim-1", fence: 8, timeline: 3, seq: 1 },
        "the world a is served by sim-1",
      ],
      [
        "no owner",
        { owner: undefined, fence: 7, timeline: 3, seq: 0 },
        "the world a is served by another process",
      ],
      [
        "an older seq",
        { owner: "sim-1", fence: 7, timeline: 3, seq: -1 },
        "the store has another state of the world a",
      ],
      [
        "a later seq",
        { owner: "sim-1", fence: 7, timeline: 3, seq: 2 },
        "the store has another state of the world a",
      ],
      [
        "another timeline",
        { owner: "sim-1", fence: 7, timeline: 4, seq: 0 },
        "the store has another state of the world a",
      ],
      ["no row", undefined, "the world a was deleted"],
    ] as const
  ).map(([what, head, why]) => ({
    name: `a head with ${what} drops the world`,
    check: async (code: EngineCode) => {
      const { worlds, engine, time, world } = await sent(code);
      if (head) engine.heads.set("a", head);
      else engine.heads.delete("a");
      engine.only("append").lose();
      await time.turn();
      engine.only("find").answer();
      await time.pass(60_000);
      expect(world.lost).toEqual([`taken, cut true: ${why}`]);
      expect(engine.underWay()).toEqual([]);
      expect(worlds.log()).toEqual([]);
    },
  })),
];
