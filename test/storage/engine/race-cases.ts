import { expect } from "vitest";
import type { Holding, WorldRow } from "../../../src/storage/engine/store-engine.ts";
import { Fenced } from "../../../src/storage/port/store-trouble.ts";
import { batchAfter, type EngineCase, holdingOf, keepingOf, linesOf } from "./scene.ts";

const counted = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Acts at the same time, from two clients: each is before or after the other. */
export const RACE_CASES: readonly EngineCase[] = [
  {
    name: "of 20 processes that take a free world at once, one owns it",
    async run(scene) {
      const world = await scene.world("wanted", await scene.process("maker"));
      await scene.engine.write(world, { release: { summary: "{}", dueAtMs: null } });
      const second = await scene.test.second();
      const takers = await Promise.all(counted(20).map((at) => scene.process(`taker${at}`)));
      const rows = await Promise.all(
        takers.map((taker, at) => (at % 2 ? scene.engine : second).take(world.name, taker)),
      );
      const { owner, fence } = await scene.row(world.name);
      expect(fence).toBe(3);
      expect(rows.filter((row, at) => row!.owner === takers[at])).toHaveLength(1);
      expect(new Set(rows.map((row) => row!.owner))).toEqual(new Set([owner]));
    },
  },
  {
    name: "of 20 appends of the same changes at once, one is in",
    async run(scene) {
      const world = await scene.world("once", await scene.process("p"));
      const second = await scene.test.second();
      const said = (at: number) => linesOf(1, 2, `try ${at}`);
      const written = await Promise.all(
        counted(20).map((at) =>
          (at % 2 ? scene.engine : second).append(world.owner, [
            batchAfter(world, 2, { lines: said(at) }),
          ]),
        ),
      );
      const winners = written.flatMap((names, at) => (names.has(world.name) ? [at] : []));
      expect(winners).toHaveLength(1);
      expect(await scene.blocks({ timeline: world.timeline, after: 0 })).toEqual([
        { first: 1, last: 2, lines: said(winners[0]!) },
      ]);
      expect((await scene.row(world.name)).seq).toBe(2);
    },
  },
  {
    name: "of a take and an append at once, the taker knows what was acknowledged",
    async run(scene) {
      const old = await scene.mortal("old");
      const worlds = [];
      for (const at of counted(20)) worlds.push(await scene.world(`raced${at}`, old));
      await scene.endLeases();
      const owner = await scene.process("new");
      const second = await scene.test.second();
      await Promise.all(
        worlds.map(async (world, at) => {
          const append = () => scene.engine.append(old, [batchAfter(world, 1)]);
          const take = () => second.take(world.name, owner);
          const [written, taken] = (await Promise.all(
            at % 2 ? [append(), take()] : [take(), append()].reverse(),
          )) as [ReadonlySet<string>, Awaited<ReturnType<typeof take>>];
          const acknowledged = written.has(world.name) ? 1 : 0;
          expect(taken).toMatchObject({ owner, seq: acknowledged });
          expect(await scene.blocks({ timeline: world.timeline, after: 0 })).toHaveLength(
            acknowledged,
          );
          await scene.grow(holdingOf(taken!), 1);
        }),
      );
    },
  },
  {
    name: "of a take and a write at once, the row that the taker gets is the later one",
    async run(scene) {
      const old = await scene.mortal("old");
      const worlds = [];
      for (const at of counted(20)) worlds.push(await scene.world(`raced${at}`, old));
      await scene.endLeases();
      const owner = await scene.process("new");
      const second = await scene.test.second();
      await Promise.all(
        worlds.map(async (world) => {
          const holder = `point:${world.name}`;
          const keep = [{ holder, parts: [], pins: [], items: { a: Buffer.from("a") } }];
          const [isWritten, taken] = await Promise.all([
            scene.engine.write(world, { keep }).then(
              () => true,
              (error: unknown) => {
                expect(error).toBeInstanceOf(Fenced);
                return false;
              },
            ),
            second.take(world.name, owner),
          ]);
          expect(taken).toMatchObject({ owner, fence: isWritten ? 3 : 2 });
          expect(Object.keys(await scene.engine.items(holder))).toEqual(isWritten ? ["a"] : []);
        }),
      );
    },
  },
  {
    name: "of a take and a renewal at once after the lease has ended, one counts",
    async run(scene) {
      const worlds = [];
      for (const at of counted(20))
        worlds.push(await scene.world(`raced${at}`, await scene.mortal(`old${at}`)));
      await scene.endLeases();
      const other = await scene.process("new");
      const second = await scene.test.second();
      await Promise.all(
        worlds.map(async ({ name, owner }, at) => {
          const renew = () => scene.engine.renew(owner, 60_000, { loaded: 1 });
          const take = () => second.take(name, other);
          const [isRenewed, row] =
            at % 2
              ? await Promise.all([renew(), take()])
              : ((await Promise.all([take(), renew()])).reverse() as [boolean, WorldRow]);
          expect(row).toMatchObject(isRenewed ? { owner, fence: 1 } : { owner: other, fence: 2 });
          expect(await scene.engine.renew(owner, 60_000, { loaded: 1 })).toBe(isRenewed);
        }),
      );
    },
  },
  {
    name: "a renewal beside 20 takes keeps all worlds of its process, or ends it",
    async run(scene) {
      const second = await scene.test.second();
      for (const round of counted(4)) {
        const old = await scene.mortal(`old${round}`);
        const worlds: Holding[] = [];
        for (const at of counted(20)) worlds.push(await scene.world(`of${round}-${at}`, old));
        await scene.endLeases();
        const takers = [await scene.process(`q${round}`), await scene.process(`r${round}`)];
        const takes = () =>
          worlds.map(({ name }, at) =>
            (at % 2 ? scene.engine : second).take(name, takers[at % 2]!),
          );
        const before = round % 2 ? takes() : [];
        const renewed = scene.engine.renew(old, 60_000, { loaded: 20 });
        const rows = await Promise.all(round % 2 ? before : takes());
        const kept = rows.filter((row) => row!.owner === old);
        expect(kept.length === 20).toBe(await renewed);
      }
    },
  },
  {
    name: "of 20 worlds made under one name at once, one is there",
    async run(scene) {
      const second = await scene.test.second();
      const name = scene.name("made");
      const owners = await Promise.all(counted(20).map((at) => scene.process(`p${at}`)));
      const worlds = await Promise.all(owners.map(() => scene.newWorld(name, 1)));
      const made = await Promise.all(
        owners.map((owner, at) =>
          (at % 2 ? scene.engine : second).create({
            ...worlds[at]!,
            owner,
            callers: [`${name}-${at}`],
          }),
        ),
      );
      const winners = made.flatMap((isMade, at) => (isMade ? [at] : []));
      expect(winners).toHaveLength(1);
      const row = await scene.row(name);
      expect(row).toMatchObject({
        owner: owners[winners[0]!],
        timeline: worlds[winners[0]!]!.timeline,
      });
      const makers = await Promise.all(owners.map((_, at) => scene.engine.maker(`${name}-${at}`)));
      expect(makers.filter((maker) => maker !== undefined)).toHaveLength(1);
    },
  },
  {
    name: "appends of two processes to the same worlds at once, in opposite orders, end and are in",
    async run(scene) {
      const second = await scene.test.second();
      const [p, q] = [await scene.process("p"), await scene.process("q")];
      const worlds = await Promise.all(
        counted(20).map((at) => scene.world(`of${at}`, at % 2 ? p : q)),
      );
      const batchesOf = (rounds: number) =>
        worlds.map((world) => batchAfter({ ...world, seq: rounds }, 1));
      // Each names the worlds in its own order, and also those of the other, as an old owner would.
      for (const round of counted(5)) {
        const batches = batchesOf(round);
        const [ofP, ofQ] = await Promise.all([
          scene.engine.append(p, batches),
          second.append(q, [...batches].reverse()),
        ]);
        expect([...ofP].sort()).toEqual(
          worlds
            .filter(({ owner }) => owner === p)
            .map(({ name }) => name)
            .sort(),
        );
        expect(ofQ.size).toBe(10);
      }
      expect(
        (await scene.engine.worlds()).filter(
          ({ name, seq }) => seq === 5 && worlds.some((world) => world.name === name),
        ),
      ).toHaveLength(20);
    },
  },
  {
    name: "sweeps at the same time as appends, forks and keepings delete nothing that is needed",
    async run(scene) {
      const second = await scene.test.second();
      const owner = await scene.process("p");
      let [grown, kept] = [await scene.world("grown", owner), await scene.world("kept", owner)];
      const ranges: [number, number][] = [];
      for (const round of counted(10)) {
        const fork = await scene.newWorld(scene.name(`fork${round}`), 1);
        const point = {
          holder: scene.name("point"),
          parts: [],
          pins: [{ timeline: grown.timeline, after: 0 }],
          items: {},
        };
        const world = keepingOf(kept.name, kept.timeline);
        [grown] = await Promise.all([
          scene.grow(grown, 2),
          second.sweep(),
          scene.engine.write(kept, { fork, keep: [world, point] }),
          second.sweep(),
        ]);
        kept = await scene.held(kept.name);
        ranges.push([2 * round + 1, 2 * round + 2]);
        expect(await scene.ranges({ timeline: grown.timeline, after: 0 })).toEqual(ranges);
        expect(await scene.ranges({ timeline: fork.timeline, after: 0 })).toEqual([[1, 1]]);
      }
    },
  },
];
