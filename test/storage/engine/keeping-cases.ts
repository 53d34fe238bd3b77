import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { Holding, Writing } from "../../../src/storage/engine/store-engine.ts";
import { type EngineCase, keepingOf, linesOf, type Scene } from "./scene.ts";

const OVER_AN_HOUR_MS = 3_700_000;
const UNDER_AN_HOUR_MS = 3_500_000;

const text = (said: string) => Buffer.from(said);

/** Bytes that only this case has, also such that are no text. */
const partOf = (scene: Scene, said: string) => {
  const body = Buffer.concat([Buffer.from([0, 255, 254, 92, 39]), text(scene.name(said))]);
  return { sha256: createHash("sha256").update(body).digest("hex"), body };
};

const writeOn = async (scene: Scene, world: Holding, writing: Writing): Promise<Holding> => {
  await scene.engine.write(world, writing);
  return await scene.held(world.name);
};

/** Parts that are there of some, in their order. */
const present = async (scene: Scene, parts: readonly { sha256: string }[]) => {
  const there = await scene.engine.parts(parts.map(({ sha256 }) => sha256));
  return parts.map(({ sha256 }) => there.has(sha256));
};

const sweepAfter = async (scene: Scene, ms: number) => {
  await scene.test.passMs(ms);
  await scene.engine.sweep();
};

/** Holders, items, parts, pins, and the sweep that leaves what they need. */
export const KEEPING_CASES: readonly EngineCase[] = [
  {
    name: "a keeping replaces the one before: its items, and no other holder's",
    async run(scene) {
      const world = await scene.world("keep", await scene.process("p"));
      const [holder, other] = [scene.name("h"), scene.name("i")];
      const kept = { holder, parts: [], pins: [] };
      const bytes = Buffer.from([0, 1, 255]);
      let next = await writeOn(scene, world, {
        keep: [
          { ...kept, items: { a: text("1"), b: bytes } },
          { ...kept, holder: other, items: { a: text("other") } },
        ],
      });
      expect(await scene.engine.items(holder)).toEqual({ a: text("1"), b: bytes });
      next = await writeOn(scene, next, { keep: [{ ...kept, items: { a: text("2") } }] });
      expect(await scene.engine.items(holder)).toEqual({ a: text("2") });
      expect(await scene.engine.items(other)).toEqual({ a: text("other") });

      await writeOn(scene, next, { drop: [holder, scene.name("absent")] });
      expect(await scene.engine.items(holder)).toEqual({});
      expect(await scene.engine.items(other)).toEqual({ a: text("other") });
    },
  },
  {
    name: "single items are set and deleted, while the others stay",
    async run(scene) {
      const world = await scene.world("items", await scene.process("p"));
      const holder = scene.name("h");
      const next = await writeOn(scene, world, {
        keep: [{ holder, parts: [], pins: [], items: { a: text("1"), b: text("2") } }],
      });
      await writeOn(scene, next, {
        items: [
          { holder, name: "a", bytes: text("3") },
          { holder, name: "b", bytes: undefined },
          { holder, name: "c", bytes: text("") },
          { holder, name: "absent", bytes: undefined },
          { holder: scene.name("unkept"), name: "x", bytes: text("4") },
        ],
      });
      expect(await scene.engine.items(holder)).toEqual({ a: text("3"), c: text("") });
      expect(await scene.engine.items(scene.name("unkept"))).toEqual({ x: text("4") });
      expect(await scene.engine.items(scene.name("nobody"))).toEqual({});
    },
  },
  {
    name: "holders are found by how they begin, letter for letter, with an item of theirs",
    async run(scene) {
      const world = await scene.world("holders", await scene.process("p"));
      const prefix = `${scene.name("p_%")}/`;
      const kept = (holder: string, items: Record<string, Buffer>) => ({
        holder,
        parts: [],
        pins: [],
        items,
      });
      await writeOn(scene, world, {
        keep: [
          kept(`${prefix}b`, { row: text("b"), more: text("x") }),
          kept(`${prefix}a`, { row: text("a") }),
          kept(`${prefix}c`, { more: text("x") }),
          kept(prefix.replace("_", "x"), { row: text("no") }),
          kept(prefix.toUpperCase(), { row: text("no") }),
          kept(`x${prefix}`, { row: text("no") }),
        ],
      });
      const found = await scene.engine.holders(prefix, "row");
      expect(found.sort((a, b) => (a.holder < b.holder ? -1 : 1))).toEqual([
        { holder: `${prefix}a`, bytes: text("a") },
        { holder: `${prefix}b`, bytes: text("b") },
      ]);
      expect(await scene.engine.holders(`${prefix}absent`, "row")).toEqual([]);
    },
  },
  {
    name: "parts are stored once, read back, and left out when they are missing",
    async run(scene) {
      const [a, b, missing] = ["a", "b", "missing"].map((said) => partOf(scene, said));
      const empty = {
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        body: Buffer.alloc(0),
      };
      await scene.engine.putParts([a!, b!, empty]);
      await scene.engine.putParts([a!]);
      await scene.engine.putParts([]);
      const second = await scene.test.second();
      const there = await second.parts([b!.sha256, missing!.sha256, a!.sha256, empty.sha256]);
      expect([...there].sort(([x], [y]) => (x < y ? -1 : 1))).toEqual(
        [a!, b!, empty]
          .map(({ sha256, body }) => [sha256, body])
          .sort(([x], [y]) => (x! < y! ? -1 : 1)),
      );
      expect(await second.parts([])).toEqual(new Map());
    },
  },
  {
    name: "a part that was stored just now outlives a sweep, before anybody holds it",
    async run(scene) {
      const part = partOf(scene, "upload");
      await scene.engine.putParts([part]);
      await scene.engine.sweep();
      expect(await present(scene, [part])).toEqual([true]);
    },
  },
  {
    name: "a part stays an hour after it was last stored, and as long as someone holds it",
    needs: "hours",
    async run(scene) {
      const world = await scene.world("parts", await scene.process("p"));
      const [held, kept, loose, again] = ["held", "kept", "loose", "again"].map((said) =>
        partOf(scene, said),
      );
      const all = [held!, kept!, loose!, again!];
      const holder = scene.name("h");
      await scene.engine.putParts(all);
      const next = await writeOn(scene, world, {
        keep: [
          { holder, parts: [held!.sha256, kept!.sha256], pins: [], items: {} },
          { holder: scene.name("i"), parts: [kept!.sha256], pins: [], items: {} },
        ],
      });
      await sweepAfter(scene, UNDER_AN_HOUR_MS);
      expect(await present(scene, all)).toEqual([true, true, true, true]);
      await scene.engine.putParts([again!]);
      await sweepAfter(scene, OVER_AN_HOUR_MS - UNDER_AN_HOUR_MS);
      expect(await present(scene, all)).toEqual([true, true, false, true]);

      const last = await writeOn(scene, next, {
        keep: [{ holder, parts: [], pins: [], items: {} }],
      });
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await present(scene, all)).toEqual([false, true, false, false]);
      await writeOn(scene, last, { drop: [scene.name("i")] });
      await sweepAfter(scene, 0);
      expect(await present(scene, all)).toEqual([false, false, false, false]);
    },
  },
  {
    name: "a part that a keeping names again is held on, and a refused write holds and frees nothing",
    needs: "hours",
    async run(scene) {
      const made = await scene.world("again", await scene.process("p"), { changes: 2 });
      const [held, wanted] = [partOf(scene, "held"), partOf(scene, "wanted")];
      const holder = scene.name("h");
      const pins = [{ timeline: made.timeline, after: 0 }];
      const keep = [{ holder, parts: [held.sha256], pins, items: {} }];
      await scene.engine.putParts([held, wanted]);
      const kept = await writeOn(scene, await writeOn(scene, made, { keep }), { keep });
      const world = await writeOn(scene, kept, { drop: [`world:${made.name}`] });
      await expect(
        scene.engine.write(made, {
          keep: [{ holder: scene.name("i"), parts: [wanted.sha256], pins: [], items: {} }],
          drop: [holder],
        }),
      ).rejects.toThrow();
      await scene.engine.write(world, { remove: true });
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await present(scene, [held, wanted])).toEqual([true, false]);
      expect(await scene.ranges({ timeline: made.timeline, after: 0 })).toEqual([[1, 2]]);
    },
  },
  {
    name: "files that a keeping names are held as parts are; one that is not there hinders nothing",
    needs: "hours",
    async run(scene) {
      const world = await scene.world("kept-files", await scene.process("p"));
      const [there, missing] = [partOf(scene, "there"), partOf(scene, "missing")];
      const holder = scene.name("h");
      const files = [there.sha256, missing.sha256];
      await scene.engine.putParts([there]);
      const keep = [{ holder, parts: [], files, pins: [], items: {} }];
      const next = await writeOn(scene, await writeOn(scene, world, { keep }), { keep });
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await present(scene, [there, missing])).toEqual([true, false]);
      await writeOn(scene, next, { keep: [{ holder, parts: [], pins: [], items: {} }] });
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await present(scene, [there, missing])).toEqual([false, false]);
    },
  },
  {
    name: "files that a change names are held by its world from then on",
    needs: "hours",
    async run(scene) {
      const world = await scene.world("files", await scene.process("p"));
      const [named, refused] = [partOf(scene, "named"), partOf(scene, "refused")];
      await scene.engine.putParts([named, refused]);
      const at1 = await scene.grow(world, 1, { files: [named.sha256] });
      const at2 = await scene.grow(at1, 1, { files: [named.sha256] });
      const stale = { ...at2, seq: 0 };
      const { name, fence, timeline } = stale;
      const batch = { name, fence, timeline, first: 1, last: 1, lines: linesOf(1, 1) };
      await scene.engine.append(world.owner, [{ ...batch, files: [refused.sha256] }]);
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await present(scene, [named, refused])).toEqual([true, false]);

      await scene.engine.write(at2, { remove: true });
      await sweepAfter(scene, 0);
      expect(await present(scene, [named])).toEqual([false]);
    },
  },
  {
    name: "changes that nothing pins are swept, others stay",
    needs: "hours",
    async run(scene) {
      const world = await scene.world("pins", await scene.process("p"), { changes: 2 });
      const { timeline } = world;
      const at8 = await scene.grow(await scene.grow(await scene.grow(world, 2), 2), 2);
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await scene.ranges({ timeline, after: 0 })).toEqual([
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ]);

      const next = await writeOn(scene, at8, {
        keep: [
          keepingOf(world.name, timeline, { pins: [{ timeline, after: 5 }] }),
          {
            holder: scene.name("point"),
            parts: [],
            pins: [{ timeline, after: 2, upTo: 3 }],
            items: {},
          },
        ],
      });
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await scene.blocks({ timeline, after: 0 })).toEqual([
        { first: 3, last: 4, lines: linesOf(3, 4) },
        { first: 5, last: 6, lines: linesOf(5, 6) },
        { first: 7, last: 8, lines: linesOf(7, 8) },
      ]);
      const at9 = await scene.grow(next, 1);
      await writeOn(scene, at9, { drop: [scene.name("point")] });
      await sweepAfter(scene, OVER_AN_HOUR_MS);
      expect(await scene.ranges({ timeline, after: 0 })).toEqual([
        [5, 6],
        [7, 8],
        [9, 9],
      ]);
    },
  },
  {
    name: "a fork's changes and parts outlive its origin",
    async run(scene) {
      const part = partOf(scene, "shared");
      await scene.engine.putParts([part]);
      const world = await scene.world("origin", await scene.process("p"), { changes: 3 });
      const at6 = await scene.grow(world, 3, { files: [part.sha256] });
      const name = scene.name("fork");
      const made = await scene.newWorld(name, 0);
      const pins = [
        { timeline: world.timeline, after: 0, upTo: 4 },
        { timeline: made.timeline, after: 4 },
      ];
      const keep = [keepingOf(name, made.timeline, { parts: [part.sha256], pins })];
      const next = await writeOn(scene, at6, { fork: { ...made, seq: 4, keep } });
      await scene.engine.write(next, { drop: [`world:${world.name}`], remove: true });
      if (scene.test.canPassHours) await scene.test.passMs(OVER_AN_HOUR_MS);
      await scene.engine.sweep();

      expect(await scene.blocks(pins[0]!)).toEqual([
        { first: 1, last: 3, lines: linesOf(1, 3) },
        { first: 4, last: 6, lines: linesOf(4, 6) },
      ]);
      expect(await present(scene, [part])).toEqual([true]);
    },
  },
  {
    name: "changes of a removed world that nothing pins are gone after a sweep",
    async run(scene) {
      const world = await scene.world("removed", await scene.process("p"), { changes: 3 });
      await scene.engine.write(world, { drop: [`world:${world.name}`], remove: true });
      if (scene.test.canPassHours) await scene.test.passMs(OVER_AN_HOUR_MS);
      await scene.engine.sweep();
      expect(await scene.ranges({ timeline: world.timeline, after: 0 })).toEqual([]);
    },
  },
  {
    name: "the journal gives each block that has one of the changes, and no other",
    async run(scene) {
      const world = await scene.world("range", await scene.process("p"), { changes: 3 });
      const at5 = await scene.grow(world, 2);
      await scene.grow(at5, 4);
      const { timeline } = world;
      const found = async (after: number, upTo?: number) =>
        (await scene.ranges({ timeline, after, ...(upTo !== undefined && { upTo }) })).map(
          ([first]) => first,
        );
      expect(await found(0)).toEqual([1, 4, 6]);
      expect(await found(2)).toEqual([1, 4, 6]);
      expect(await found(3)).toEqual([4, 6]);
      expect(await found(5)).toEqual([6]);
      expect(await found(8)).toEqual([6]);
      expect(await found(9)).toEqual([]);
      expect(await found(0, 3)).toEqual([1]);
      expect(await found(0, 4)).toEqual([1, 4]);
      expect(await found(3, 5)).toEqual([4]);
      expect(await found(4, 6)).toEqual([4, 6]);
      expect(await found(0, 0)).toEqual([]);
      expect(await scene.ranges({ timeline: timeline + 1_000_000, after: 0 })).toEqual([]);
    },
  },
];
