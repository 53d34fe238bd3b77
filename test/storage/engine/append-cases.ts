import { expect } from "vitest";
import { batchAfter, type EngineCase, holdingOf, linesOf } from "./scene.ts";

/** Changes in a timeline: whole, in order, once, by the owner alone. */
export const APPEND_CASES: readonly EngineCase[] = [
  {
    name: "changes are read back in order, in their blocks, as they were written",
    async run(scene) {
      const world = await scene.world("ordered", await scene.process("p"));
      const at3 = await scene.grow(world, 3);
      const at4 = await scene.grow(at3, 1);
      await scene.grow(at4, 2);
      expect(await scene.blocks({ timeline: world.timeline, after: 0 })).toEqual([
        { first: 1, last: 3, lines: linesOf(1, 3) },
        { first: 4, last: 4, lines: linesOf(4, 4) },
        { first: 5, last: 6, lines: linesOf(5, 6) },
      ]);
      expect(await scene.row(world.name)).toMatchObject({ seq: 6, timeline: world.timeline });
    },
  },
  {
    name: "a large batch is read back whole",
    async run(scene) {
      const world = await scene.world("large", await scene.process("p"));
      await scene.grow(world, 5_000);
      expect(await scene.blocks({ timeline: world.timeline, after: 0 })).toEqual([
        { first: 1, last: 5_000, lines: linesOf(1, 5_000) },
      ]);
    },
  },
  {
    name: "one call appends to many worlds, and leaves out the one that another took",
    async run(scene) {
      const owner = await scene.mortal("p");
      const worlds = [];
      for (const short of ["a", "b", "c"]) worlds.push(await scene.world(short, owner));
      await scene.endLeases();
      const taken = scene.name("b");
      await scene.engine.take(taken, await scene.process("q"));

      const written = await scene.engine.append(
        owner,
        worlds.map((world) => batchAfter(world, 2)),
      );
      expect([...written].sort()).toEqual([scene.name("a"), scene.name("c")]);
      for (const { name, timeline } of worlds) {
        const isTaken = name === taken;
        expect((await scene.row(name)).seq).toBe(isTaken ? 0 : 2);
        expect(await scene.ranges({ timeline, after: 0 })).toEqual(isTaken ? [] : [[1, 2]]);
      }
    },
  },
  {
    name: "an append without batches writes nothing",
    async run(scene) {
      const owner = await scene.process("p");
      expect([...(await scene.engine.append(owner, []))]).toEqual([]);
    },
  },
  {
    name: "an append to a world that is not there is left out",
    async run(scene) {
      const world = await scene.world("there", await scene.process("p"));
      const written = await scene.engine.append(world.owner, [
        batchAfter({ ...world, name: scene.name("absent") }, 1),
        batchAfter(world, 1),
      ]);
      expect([...written]).toEqual([world.name]);
    },
  },
  ...([
    { name: "behind the tail", seq: 2 },
    { name: "ahead of the tail", seq: 4 },
    { name: "again, at the start", seq: 0 },
  ].map(({ name, seq }) => ({
    name: `an append ${name} is refused, and changes nothing`,
    run: async (scene) => {
      const world = await scene.world("tail", await scene.process("p"));
      const at3 = await scene.grow(world, 3);
      const key = scene.name("key");
      const before = await scene.facts(world.name, { keys: [key] });

      const batch = batchAfter({ ...at3, seq }, 3, {
        callers: { made: [key], dropped: [] },
        dueAtMs: 7_000_000_000_000,
      });
      expect([...(await scene.engine.append(world.owner, [batch]))]).toEqual([]);
      expect(await scene.facts(world.name, { keys: [key] })).toEqual(before);
      await scene.grow(at3, 1);
    },
  })) satisfies EngineCase[]),
  {
    name: "the same append, sent again after it came in, is refused",
    async run(scene) {
      const world = await scene.world("again", await scene.process("p"));
      await scene.grow(world, 2);
      const again = await scene.engine.append(world.owner, [batchAfter(world, 2)]);
      expect([...again]).toEqual([]);
      expect(await scene.ranges({ timeline: world.timeline, after: 0 })).toEqual([[1, 2]]);
    },
  },
  {
    name: "an owner whose world was taken cannot append, even when it wakes late",
    async run(scene) {
      const old = await scene.mortal("old");
      const world = await scene.grow(await scene.world("woken", old), 2);
      await scene.endLeases();
      const owner = await scene.process("new");
      const taken = await scene.engine.take(world.name, owner);
      const late = batchAfter(world, 1, { lines: linesOf(3, 3, "late") });
      expect([...(await scene.engine.append(old, [late]))]).toEqual([]);

      await scene.grow(holdingOf(taken!), 1);
      const later = batchAfter({ ...world, seq: 3 }, 1, { lines: linesOf(4, 4, "later") });
      expect([...(await scene.engine.append(old, [later]))]).toEqual([]);
      expect(await scene.blocks({ timeline: world.timeline, after: 2 })).toEqual([
        { first: 3, last: 3, lines: linesOf(3, 3) },
      ]);
    },
  },
  {
    name: "a fence that the same process has raised refuses the one before",
    async run(scene) {
      const world = await scene.world("raised", await scene.process("p"));
      await scene.engine.take(world.name, world.owner);
      const written = await scene.engine.append(world.owner, [batchAfter(world, 1)]);
      expect([...written]).toEqual([]);
      expect((await scene.row(world.name)).seq).toBe(0);
    },
  },
  {
    name: "a process cannot append to another's world, even with its fence",
    async run(scene) {
      const world = await scene.world("owned", await scene.process("p"));
      const other = await scene.process("q");
      expect([...(await scene.engine.append(other, [batchAfter(world, 1)]))]).toEqual([]);
      expect((await scene.row(world.name)).seq).toBe(0);
    },
  },
  {
    name: "nobody appends to a world that was released",
    async run(scene) {
      const world = await scene.world("freed", await scene.process("p"));
      await scene.engine.write(world, { release: { summary: "{}", dueAtMs: null } });
      const { fence } = await scene.row(world.name);
      for (const owner of [world.owner, ""])
        for (const known of [world, { ...world, fence }])
          expect([...(await scene.engine.append(owner, [batchAfter(known, 1)]))]).toEqual([]);
    },
  },
  {
    name: "an owner whose lease ended appends as long as nobody took the world",
    async run(scene) {
      const owner = await scene.mortal("p");
      const world = await scene.world("slow", owner);
      await scene.endLeases();
      await scene.grow(world, 1);
    },
  },
  {
    name: "an append that comes in after a rewind to its start is refused",
    async run(scene) {
      const world = await scene.grow(await scene.world("rewound", await scene.process("p")), 5);
      await scene.grow(world, 1);
      const timeline = await scene.engine.newTimeline();
      await scene.engine.write(
        { ...world, seq: 6 },
        { switchTo: { timeline, seq: 5, callers: [], dueAtMs: null } },
      );
      const { fence } = await scene.row(world.name);
      for (const known of [world, { ...world, fence }])
        expect([...(await scene.engine.append(world.owner, [batchAfter(known, 1)]))]).toEqual([]);
      expect(await scene.ranges({ timeline, after: 0 })).toEqual([]);
    },
  },
  {
    name: "an append for a removed world does not reach the next one of its name",
    async run(scene) {
      const world = await scene.world("twice", await scene.process("p"));
      await scene.engine.write(world, { remove: true });
      const next = await scene.world("twice", world.owner);
      expect(next.fence).toBe(1);
      expect([...(await scene.engine.append(world.owner, [batchAfter(world, 1)]))]).toEqual([]);
      expect(await scene.ranges({ timeline: next.timeline, after: 0 })).toEqual([]);
    },
  },
  {
    name: "an append that was cut off is there whole, or not at all",
    needs: "cut",
    async run(scene) {
      let world = await scene.world("cut", await scene.process("p"));
      const { timeline } = world;
      for (let round = 0; round < 10; round += 1) {
        const key = `${scene.name("key")}-${round}`;
        const batch = batchAfter(world, 4, { callers: { made: [key], dropped: [] } });
        const before = await scene.blocks({ timeline, after: 0 });
        scene.test.cutNext?.();
        await expect(scene.engine.append(world.owner, [batch])).rejects.toMatchObject({
          mayBeDone: true,
        });
        const { seq } = await scene.row(world.name);
        const isDone = seq === batch.last;
        expect(seq).toBe(isDone ? batch.last : world.seq);
        const { first, last, lines } = batch;
        expect(await scene.blocks({ timeline, after: 0 })).toEqual([
          ...before,
          ...(isDone ? [{ first, last, lines }] : []),
        ]);
        expect(await scene.engine.maker(key)).toBe(isDone ? world.name : undefined);
        world = { ...world, seq };
      }
    },
  },
];
