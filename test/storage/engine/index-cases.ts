import { expect } from "vitest";
import { type EngineCase, holdingOf } from "./scene.ts";

/** Everything that can be found: worlds, makers of callers, worlds that are due, another client's writes. */
export const INDEX_CASES: readonly EngineCase[] = [
  {
    name: "each timeline has a number of its own",
    async run({ engine, test }) {
      const second = await test.second();
      const numbers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 ? engine : second).newTimeline()),
      );
      expect(new Set(numbers).size).toBe(20);
      expect(numbers.every((number) => Number.isSafeInteger(number) && number > 0)).toBe(true);
    },
  },
  {
    name: "worlds are listed in the order in which they were made",
    async run(scene) {
      const owner = await scene.process("p");
      const names: string[] = [];
      for (const short of ["z", "a", "m"]) names.push((await scene.world(short, owner)).name);
      const origin = await scene.held(names[1]!);
      await scene.engine.write(origin, { fork: await scene.newWorld(scene.name("b"), 0) });
      names.push(scene.name("b"));
      const rows = (await scene.engine.worlds()).filter(({ name }) => names.includes(name));
      expect(rows.map(({ name }) => name)).toEqual(names);
      const orders = rows.map(({ order }) => order);
      expect(new Set(orders).size).toBe(4);
      expect(orders).toEqual([...orders].sort((a, b) => a - b));
    },
  },
  {
    name: "a caller's world is known once the append that made the caller has returned",
    async run(scene) {
      const world = await scene.world("maker", await scene.process("p"));
      const second = await scene.test.second();
      const [a, b] = [scene.name("a"), scene.name("b")];
      expect(await second.maker(a)).toBeUndefined();
      const at1 = await scene.grow(world, 1, { callers: { made: [a, b], dropped: [] } });
      expect(await second.maker(a)).toBe(world.name);
      expect(await second.maker(b)).toBe(world.name);
      const at2 = await scene.grow(at1, 1, { callers: { made: [a], dropped: [b] } });
      expect(await second.maker(a)).toBe(world.name);
      expect(await second.maker(b)).toBeUndefined();
      await scene.grow(at2, 1, { callers: { made: [], dropped: [scene.name("absent")] } });
    },
  },
  {
    name: "of several worlds that made a caller, the first made counts, until it drops the caller",
    async run(scene) {
      const owner = await scene.process("p");
      const key = scene.name("key");
      const first = await scene.world("first", owner, { callers: [key] });
      const second = await scene.world("second", owner, { callers: [key] });
      const third = await scene.grow(await scene.world("third", owner), 1, {
        callers: { made: [key], dropped: [] },
      });
      expect(await scene.engine.maker(key)).toBe(first.name);
      await scene.grow(first, 1, { callers: { made: [], dropped: [key] } });
      expect(await scene.engine.maker(key)).toBe(second.name);
      await scene.engine.write(second, { remove: true });
      expect(await scene.engine.maker(key)).toBe(third.name);
      const timeline = await scene.engine.newTimeline();
      await scene.engine.write(third, {
        switchTo: { timeline, seq: 0, callers: [], dueAtMs: null },
      });
      expect(await scene.engine.maker(key)).toBeUndefined();
    },
  },
  {
    name: "worlds without a live owner are due when their timer is, the longest due first",
    async run(scene) {
      const mortal = await scene.mortal("mortal");
      const orphan = await scene.grow(await scene.world("orphan", mortal), 1, { dueAtMs: 2 });
      const owner = await scene.process("p");
      const free = async (short: string, dueAtMs: number | null) => {
        const world = await scene.world(short, owner);
        await scene.engine.write(world, { release: { summary: "{}", dueAtMs } });
        return world.name;
      };
      const [latest, longest] = [await free("latest", 3), await free("longest", 1)];
      await free("future", 7_000_000_000_000);
      await free("never", null);
      const alive = await scene.world("alive", owner, { dueAtMs: 0 });

      const own = new Set(
        [latest, longest, orphan.name, alive.name].concat([
          scene.name("future"),
          scene.name("never"),
        ]),
      );
      const due = async (limit: number) =>
        (await scene.engine.due(limit)).filter((name) => own.has(name));
      expect(await due(1_000)).toEqual([longest, latest]);
      await scene.endLeases();
      expect(await due(1_000)).toEqual([longest, orphan.name, latest]);
      expect(await due(2)).toEqual([longest, orphan.name]);
      await scene.engine.leave(owner);
      expect(await due(1_000)).toEqual([alive.name, longest, orphan.name, latest]);

      const other = await scene.process("q");
      for (const name of [alive.name, longest, orphan.name]) await scene.engine.take(name, other);
      expect(await due(1_000)).toEqual([latest]);
      await scene.engine.take(latest, other);
    },
  },
  {
    name: "an append sets the due instant, keeps it, and clears it",
    async run(scene) {
      let world = await scene.world("timer", await scene.process("p"));
      const dueAt = async () => (await scene.row(world.name)).dueAtMs;
      expect(await dueAt()).toBeUndefined();
      world = await scene.grow(world, 1, { dueAtMs: 1_700_000_000_123 });
      expect(await dueAt()).toBe(1_700_000_000_123);
      world = await scene.grow(world, 1);
      expect(await dueAt()).toBe(1_700_000_000_123);
      world = await scene.grow(world, 1, { dueAtMs: null });
      expect(await dueAt()).toBeUndefined();
    },
  },
  {
    name: "what one client writes, another one sees at once",
    async run(scene) {
      const second = await scene.test.second();
      const owner = await scene.process("p");
      const world = await scene.world("shared", owner);
      expect(holdingOf((await second.find(world.name))!)).toEqual(world);
      const at2 = await scene.grow(world, 2);
      expect((await second.find(world.name))!.seq).toBe(2);
      expect((await scene.blocks({ timeline: world.timeline, after: 0 }, second)).length).toBe(1);

      await second.write(at2, {
        items: [{ holder: `world:${world.name}`, name: "note", bytes: Buffer.from("n") }],
      });
      expect(await scene.engine.items(`world:${world.name}`)).toEqual({ note: Buffer.from("n") });
      const other = scene.name("q");
      await second.join({ id: other, knows: 1_000, version: "1", loaded: 0 }, 60_000);
      expect((await scene.engine.processes()).map(({ id }) => id)).toContain(other);
      await second.leave(other);
      await second.write(await scene.held(world.name), { remove: true });
      expect(await scene.engine.find(world.name)).toBeUndefined();
    },
  },
];
