import { expect } from "vitest";
import type { Holding, Writing } from "../../../src/storage/engine/store-engine.ts";
import { Fenced, NameTaken } from "../../../src/storage/port/store-trouble.ts";
import { batchAfter, type EngineCase, holdingOf, keepingOf, linesOf, type Scene } from "./scene.ts";

const text = (said: string) => Buffer.from(said);

/** A writing of each kind, made for a world. */
const KINDS: Record<keyof Writing, (scene: Scene, world: Holding) => Promise<Writing>> = {
  keep: async (_scene, { name }) => ({
    keep: [{ holder: `point:${name}`, parts: [], pins: [], items: { a: text("new") } }],
  }),
  drop: async (_scene, { name }) => ({ drop: [`point:${name}`] }),
  items: async (_scene, { name }) => ({
    items: [{ holder: `point:${name}`, name: "a", bytes: text("new") }],
  }),
  switchTo: async (scene) => ({
    switchTo: {
      timeline: await scene.engine.newTimeline(),
      seq: 1,
      callers: [scene.name("new")],
      dueAtMs: null,
    },
  }),
  fork: async (scene) => ({
    fork: await scene.newWorld(scene.name("fork"), 2, { callers: [scene.name("new")] }),
  }),
  release: async () => ({ release: { summary: "{}", dueAtMs: 7_000_000_000_000 } }),
  remove: async () => ({ remove: true }),
};

const WRONG: Record<string, (world: Holding) => Holding> = {
  "another owner": (world) => ({ ...world, owner: `${world.owner}-other` }),
  "the fence before": (world) => ({ ...world, fence: world.fence - 1 }),
  "the next fence": (world) => ({ ...world, fence: world.fence + 1 }),
  "the seq before": (world) => ({ ...world, seq: world.seq - 1 }),
  "the next seq": (world) => ({ ...world, seq: world.seq + 1 }),
  "another timeline": (world) => ({ ...world, timeline: world.timeline + 1_000_000 }),
};

/** Writes that carry a holding: all or nothing, by the owner alone. */
export const WRITE_CASES: readonly EngineCase[] = [
  ...Object.entries(KINDS).map(([kind, make]) => ({
    name: `a write (${kind}) with another owner, fence, timeline or seq is refused, and changes nothing`,
    run: async (scene: Scene) => {
      const made = await scene.world("guarded", await scene.process("p"), {
        changes: 2,
        callers: [scene.name("key")],
      });
      const { name } = made;
      const holders = [`world:${name}`, `point:${name}`];
      await scene.engine.write(made, {
        keep: [{ holder: `point:${name}`, parts: [], pins: [], items: { a: text("old") } }],
      });
      const world = await scene.grow({ ...made, fence: made.fence + 1 }, 2);
      const keys = [scene.name("key"), scene.name("new")];
      const before = await scene.facts(name, { holders, keys });

      const writing = await make(scene, world);
      for (const [what, wrong] of Object.entries(WRONG)) {
        await expect(scene.engine.write(wrong(world), writing), what).rejects.toBeInstanceOf(
          Fenced,
        );
        expect(await scene.facts(name, { holders, keys }), what).toEqual(before);
      }
      expect(await scene.engine.find(scene.name("fork"))).toBeUndefined();
      await scene.engine.write(world, writing);
      expect(await scene.facts(name, { holders, keys })).not.toEqual(before);
    },
  })),
  {
    name: "a write of a world that is not there is refused",
    async run(scene) {
      const world = await scene.world("there", await scene.process("p"));
      const absent = { ...world, name: scene.name("absent") };
      await expect(scene.engine.write(absent, { remove: true })).rejects.toBeInstanceOf(Fenced);
    },
  },
  {
    name: "a write that is refused is refused whole, whatever it writes together",
    async run(scene) {
      const world = await scene.world("whole", await scene.process("p"));
      const writing: Writing = {
        keep: [{ holder: scene.name("h"), parts: [], pins: [], items: { a: text("a") } }],
        items: [{ holder: `world:${world.name}`, name: "note", bytes: text("b") }],
        fork: await scene.newWorld(scene.name("fork"), 1),
      };
      const stale = { ...world, seq: 1 };
      await expect(scene.engine.write(stale, writing)).rejects.toBeInstanceOf(Fenced);
      expect(await scene.engine.items(scene.name("h"))).toEqual({});
      expect(await scene.engine.items(`world:${world.name}`)).toEqual({});
      expect(await scene.engine.find(scene.name("fork"))).toBeUndefined();
    },
  },
  {
    name: "each write raises the fence by 1, so that the same one is refused when it comes in late",
    async run(scene) {
      const world = await scene.world("step", await scene.process("p"));
      const holder = scene.name("point");
      const first: Writing = {
        keep: [{ holder, parts: [], pins: [], items: { a: text("first") } }],
      };
      await scene.engine.write(world, first);
      const { fence } = await scene.row(world.name);
      expect(fence).toBe(world.fence + 1);
      await scene.engine.write({ ...world, fence }, { drop: [holder] });
      await expect(scene.engine.write(world, first)).rejects.toBeInstanceOf(Fenced);
      expect(await scene.engine.items(holder)).toEqual({});
      await scene.grow({ ...world, fence: fence + 1 }, 1);
    },
  },
  {
    name: "a world's name is taken once",
    async run(scene) {
      const owner = await scene.process("p");
      const world = await scene.world("once", owner, { changes: 1, callers: [scene.name("key")] });
      const keys = [scene.name("key"), scene.name("other")];
      const before = await scene.facts(world.name, { keys });
      const again = await scene.newWorld(world.name, 3, { callers: [scene.name("other")] });
      expect(await scene.engine.create({ ...again, owner: await scene.process("q") })).toBe(false);
      expect(await scene.engine.create({ ...again, owner })).toBe(false);
      expect(await scene.facts(world.name, { keys })).toEqual(before);
      expect(await scene.ranges({ timeline: again.timeline, after: 0 })).toEqual([]);
    },
  },
  {
    name: "a new world has its facts, its callers, its items and its first changes",
    async run(scene) {
      const name = scene.name("born");
      const timeline = await scene.engine.newTimeline();
      const owner = await scene.process("p");
      const made = await scene.engine.create({
        facts: { name, from: "origin", isLate: true },
        owner,
        timeline,
        seq: 7,
        batch: { first: 6, last: 7, lines: linesOf(6, 7) },
        callers: [scene.name("a"), scene.name("b")],
        keep: [keepingOf(name, timeline, { items: { birth: text("{}") } })],
        dueAtMs: 7_000_000_000_000,
      });
      expect(made).toBe(true);
      const second = await scene.test.second();
      expect(await second.find(name)).toEqual({
        name,
        from: "origin",
        isLate: true,
        order: expect.any(Number),
        owner,
        leaseLeftMs: expect.any(Number),
        fence: 1,
        timeline,
        seq: 7,
        dueAtMs: 7_000_000_000_000,
      });
      expect(await scene.blocks({ timeline, after: 0 }, second)).toEqual([
        { first: 6, last: 7, lines: linesOf(6, 7) },
      ]);
      expect(await second.items(`world:${name}`)).toEqual({ birth: text("{}") });
      expect(await second.maker(scene.name("a"))).toBe(name);
      expect(await second.maker(scene.name("b"))).toBe(name);
      await scene.grow({ name, owner, fence: 1, timeline, seq: 7 }, 1);
    },
  },
  {
    name: "a switch continues on another timeline, at its seq, with its callers and its next timer",
    async run(scene) {
      const old = scene.name("old");
      const world = await scene.world("switch", await scene.process("p"), {
        changes: 5,
        callers: [old],
      });
      const timeline = await scene.engine.newTimeline();
      const fresh = scene.name("new");
      await scene.engine.write(world, {
        keep: [
          keepingOf(world.name, timeline, {
            pins: [
              { timeline: world.timeline, after: 0, upTo: 3 },
              { timeline, after: 3 },
            ],
          }),
        ],
        switchTo: { timeline, seq: 3, callers: [fresh], dueAtMs: 7_000_000_000_000 },
      });
      const row = await scene.row(world.name);
      expect(row).toMatchObject({
        owner: world.owner,
        timeline,
        seq: 3,
        dueAtMs: 7_000_000_000_000,
      });

      expect(await scene.engine.maker(old)).toBeUndefined();
      expect(await scene.engine.maker(fresh)).toBe(world.name);
      await scene.grow(holdingOf(row), 2);
      expect(await scene.ranges({ timeline, after: 0 })).toEqual([[4, 5]]);
      expect(await scene.ranges({ timeline: world.timeline, after: 0 })).toEqual([[1, 5]]);
    },
  },
  {
    name: "a fork is made with its row, callers, changes and keepings, by the owner of its origin",
    async run(scene) {
      const world = await scene.world("origin", await scene.process("p"), { changes: 3 });
      const name = scene.name("fork");
      const key = scene.name("key");
      const timeline = await scene.engine.newTimeline();
      await scene.engine.write(world, {
        fork: {
          facts: { name, from: world.name },
          timeline,
          seq: 4,
          batch: { first: 4, last: 4, lines: linesOf(4, 4, "fork") },
          callers: [key],
          keep: [
            keepingOf(name, timeline, {
              pins: [
                { timeline: world.timeline, after: 0, upTo: 3 },
                { timeline, after: 3 },
              ],
              items: { birth: text("{}") },
            }),
          ],
          dueAtMs: 7_000_000_000_000,
        },
      });
      const fork = await scene.row(name);
      expect(fork).toMatchObject({
        from: world.name,
        owner: world.owner,
        fence: 1,
        timeline,
        seq: 4,
      });
      expect(fork.dueAtMs).toBe(7_000_000_000_000);
      expect(fork.isLate).toBeUndefined();
      const origin = await scene.row(world.name);
      expect(origin).toMatchObject({ seq: 3, timeline: world.timeline });
      expect(fork.order).toBeGreaterThan(origin.order);
      expect(await scene.engine.maker(key)).toBe(name);
      expect(await scene.engine.items(`world:${name}`)).toEqual({ birth: text("{}") });
      await scene.grow(holdingOf(fork), 1);
      await scene.grow(holdingOf(origin), 1);
      expect(await scene.ranges({ timeline, after: 0 })).toEqual([
        [4, 4],
        [5, 5],
      ]);
    },
  },
  {
    name: "a fork whose name is taken makes nothing of its write",
    async run(scene) {
      const world = await scene.world("origin", await scene.process("p"));
      const taken = await scene.world("taken", world.owner, { changes: 1 });
      const before = await scene.facts(taken.name, {});
      const fork = await scene.newWorld(taken.name, 2);
      const items = [{ holder: `world:${world.name}`, name: "note", bytes: text("n") }];
      await expect(scene.engine.write(world, { items, fork })).rejects.toBeInstanceOf(NameTaken);
      expect(await scene.facts(taken.name, {})).toEqual(before);
      expect(await scene.held(world.name)).toEqual(world);
      expect(await scene.engine.items(`world:${world.name}`)).toEqual({});
    },
  },
  {
    name: "a release without facts frees the world as it is, with its next timer",
    async run(scene) {
      const dueAtMs = 7_000_000_000_000;
      const world = await scene.world("given", await scene.process("p"), { changes: 2, dueAtMs });
      await scene.engine.write(world, { release: {} });
      const { owner, summary, ...row } = await scene.row(world.name);
      expect({ owner, summary }).toEqual({ owner: undefined, summary: undefined });
      expect(row).toMatchObject({ fence: 2, seq: 2, dueAtMs });
    },
  },
  {
    name: "a release frees the world with its summary and due instant, and a take clears the summary",
    async run(scene) {
      const world = await scene.world("released", await scene.process("p"), { changes: 2 });
      await scene.engine.write(world, {
        release: { summary: '{"records":2}', dueAtMs: 7_000_000_000_000 },
      });
      const row = await scene.row(world.name);
      expect(row).toMatchObject({
        summary: '{"records":2}',
        dueAtMs: 7_000_000_000_000,
        seq: 2,
        timeline: world.timeline,
      });
      expect(row.owner).toBeUndefined();
      expect(row.leaseLeftMs).toBeUndefined();
      await expect(scene.engine.write(world, { remove: true })).rejects.toBeInstanceOf(Fenced);

      const other = await scene.process("q");
      const taken = await scene.engine.take(world.name, other);
      expect(taken).toMatchObject({ owner: other, seq: 2, dueAtMs: 7_000_000_000_000 });
      expect(taken!.summary).toBeUndefined();
      expect((await scene.row(world.name)).summary).toBeUndefined();
    },
  },
  {
    name: "a world that is removed is gone with its callers, and its name is free",
    async run(scene) {
      const key = scene.name("key");
      const world = await scene.world("gone", await scene.process("p"), {
        changes: 2,
        callers: [key],
      });
      await scene.engine.write(world, { remove: true });
      expect(await scene.engine.find(world.name)).toBeUndefined();
      expect(await scene.engine.take(world.name, world.owner)).toBeUndefined();
      expect(await scene.engine.maker(key)).toBeUndefined();
      expect(await scene.engine.items(`world:${world.name}`)).toEqual({});
      expect((await scene.engine.worlds()).map(({ name }) => name)).not.toContain(world.name);
      expect([...(await scene.engine.append(world.owner, [batchAfter(world, 1)]))]).toEqual([]);

      const next = await scene.world("gone", world.owner, { changes: 1 });
      expect(next).toMatchObject({ seq: 1, fence: 1 });
      expect(await scene.engine.maker(key)).toBeUndefined();
    },
  },
];
