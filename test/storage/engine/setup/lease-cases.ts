import { expect } from "vitest";
import type { EngineCode } from "./engine-code.ts";
import type { Case } from "./flush-cases.ts";
import { changeOf, FlushedWorlds, told } from "./flushed-worlds.ts";

/** A process that took a lease, with a world under it. */
const joined = async (code: EngineCode) => {
  const worlds = new FlushedWorlds(code);
  await worlds.lease.join();
  const world = worlds.open("a", { isLeased: true });
  return { worlds, ...worlds, world };
};

export const LEASE_CASES: readonly Case[] = [
  {
    name: "a lease of 5 s is valid for 4.5 s from when its renewal was sent, each 1.6 s",
    check: async (code) => {
      const { engine, time, lease } = await joined(code);
      expect(lease.validUntil()).toBe(4_500);
      await time.pass(1_599);
      expect(engine.underWay()).toEqual([]);
      await time.pass(1);
      expect(engine.underWay()).toEqual(["renew sim-1"]);
      await time.pass(1_000);
      expect(lease.validUntil()).toBe(4_500);
      engine.only("renew").answer();
      await time.turn();
      expect(lease.validUntil()).toBe(6_100);
      await time.pass(600);
      expect(engine.underWay()).toEqual(["renew sim-1"]);
    },
  },
  {
    name: "a renewal that fails or is not answered is tried again after 0.2 s",
    check: async (code) => {
      const { engine, time, lease } = await joined(code);
      await time.pass(1_600);
      engine.only("renew").refuse();
      await time.pass(199);
      expect(engine.underWay()).toEqual([]);
      expect(lease.trouble()).toEqual({
        sinceMs: 1_800_000_001_600,
        why: "the store takes no writes (PostgreSQL, 25006)",
        code: "25006",
      });
      await time.pass(1 + 1_600 + 200);
      expect(engine.underWay()).toEqual(["renew sim-1", "renew sim-1"]);
      engine.newest("renew").answer();
      await time.turn();
      expect(lease.trouble()).toBeUndefined();
      expect(lease.validUntil()).toBe(3_600 + 4_500);
    },
  },
  {
    name: "an engine that is away for a minute ends no lease, which is valid again once it is back",
    check: async (code) => {
      const { engine, time, lease, world } = await joined(code);
      await time.pass(1_400);
      while (time.monotonicMs < 61_600) {
        await time.pass(200);
        engine.only("renew").refuse();
      }
      expect(lease.validUntil()).toBeLessThan(time.monotonicMs);
      const reached = told(world.journal.reached(0));
      expect([reached.is, world.lost]).toEqual(["waiting", []]);
      await time.pass(200);
      engine.only("renew").answer();
      await time.turn();
      expect(lease.validUntil()).toBe(61_800 + 4_500);
      expect([reached.is, world.lost]).toEqual(["done", []]);
      expect(lease.trouble()).toBeUndefined();
    },
  },
  {
    name: "changes wait for an engine that is away past the lease, and leave after a renewal",
    check: async (code) => {
      const { worlds, engine, time, world } = await joined(code);
      world.journal.buffer(changeOf(1));
      await time.turn();
      const early = told(world.journal.reached(1));
      for (let round = 0; round < 60; round += 1) {
        engine.refuseAll();
        await time.pass(1_000);
      }
      expect(early.error).toMatchObject({ mayBeDone: true });
      expect([world.lost, world.late]).toEqual([[], 0]);
      world.journal.buffer(changeOf(2));
      const reached = told(world.journal.reached(2));
      engine.newest("append").answer();
      await time.turn();
      engine.newest("append").answer();
      await time.turn();
      expect(worlds.log()).toEqual(["a 1-1", "a 2-2"]);
      // Another process may have taken the world in between: a renewal alone tells.
      expect([reached.is, world.late]).toEqual(["waiting", 0]);
      engine.newest("renew").answer();
      await time.turn();
      expect([reached.is, world.late, world.lost]).toEqual(["done", 1, []]);
    },
  },
  {
    name: "a lease that had ended is over for good, for a world too that is opened late",
    check: async (code) => {
      const { worlds, engine, time, lease, world } = await joined(code);
      await time.pass(1_600);
      engine.ended.add("sim-1");
      engine.only("renew").answer();
      await time.pass(60_000);
      expect(lease.validUntil()).toBe(Number.NEGATIVE_INFINITY);
      expect(engine.underWay()).toEqual([]);
      expect(world.lost).toHaveLength(1);
      const late = worlds.open("b", { isLeased: true });
      await time.turn();
      expect(late.lost).toHaveLength(1);
    },
  },
  {
    name: "a process that leaves renews no more, and hears nothing of a late answer",
    check: async (code) => {
      const { engine, time, lease, world } = await joined(code);
      await time.pass(1_600);
      await lease.leave();
      engine.ended.add("sim-1");
      engine.only("renew").answer();
      await time.pass(60_000);
      expect(engine.left).toEqual(["sim-1"]);
      expect(engine.underWay()).toEqual([]);
      expect(world.lost).toEqual([]);
      expect(lease.validUntil()).toBe(Number.NEGATIVE_INFINITY);
    },
  },
  {
    name: "a read past the lease waits for the next renewal",
    check: async (code) => {
      const { engine, time, world } = await joined(code);
      await time.pass(4_499);
      expect(world.journal.reached(0)).toBeUndefined();
      await time.pass(1);
      const reached = told(world.journal.reached(0));
      await time.turn();
      expect(reached.is).toBe("waiting");
      engine.newest("renew").answer();
      await time.turn();
      expect(reached.is).toBe("done");
    },
  },
  {
    name: "a read past the lease is refused after 2 s, and it did nothing",
    check: async (code) => {
      const { time, world } = await joined(code);
      await time.pass(4_500);
      const reached = told(world.journal.reached(0));
      await time.pass(1_999);
      expect(reached.is).toBe("waiting");
      await time.pass(1);
      const why = "The store has not answered for 1.6 s, so what this process knows may be old";
      expect(reached.is).toBe(`${why}: this call was not made`);
      expect(reached.error).toMatchObject({ mayBeDone: false });
      expect(world.lost).toEqual([]);
      expect(world.late).toBe(0);
    },
  },
  {
    name: "a read of a change whose answer comes past the lease waits for it too",
    check: async (code) => {
      const { engine, time, world } = await joined(code);
      await time.pass(3_000);
      world.journal.buffer(changeOf(1));
      await time.turn();
      // The engine took it long before, and another process may have written since.
      engine.oldest("append").apply();
      await time.pass(1_600);
      const reached = told(world.journal.reached(1));
      engine.oldest("append").answer();
      await time.turn();
      expect(world.journal.durableSeq()).toBe(1);
      expect(reached.is).toBe("waiting");
      engine.newest("renew").answer();
      await time.turn();
      expect(reached.is).toBe("done");
    },
  },
  ...[
    { what: "has passed the lease, as after a sleep,", byMs: 4_400, isValid: false },
    { what: "is an hour ahead", byMs: 3_600_000, isValid: false },
    { what: "is an hour behind", byMs: -3_600_000, isValid: false },
    { what: "is a second ahead", byMs: 1_000, isValid: true },
  ].map(({ what, byMs, isValid }) => ({
    name: `a system clock that ${what} ${isValid ? "leaves" : "ends"} what may be read`,
    check: async (code: EngineCode) => {
      const { engine, time, world } = await joined(code);
      await time.pass(100);
      time.wallMs += byMs;
      const reached = told(world.journal.reached(0));
      expect(reached.is).toBe(isValid ? "done" : "waiting");
      await time.pass(1_500);
      engine.only("renew").answer();
      await time.turn();
      expect(reached.is).toBe("done");
      expect(world.journal.reached(0)).toBeUndefined();
    },
  })),
];
