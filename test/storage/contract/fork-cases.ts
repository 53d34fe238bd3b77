import { expect } from "vitest";
import { imageOf } from "../../runtime/setup/random-world.ts";
import { namesOf, type StoreCase, sharedOf } from "./store-scene.ts";

/** Worlds that are forked from others. */
export const FORK_CASES: readonly StoreCase[] = [
  {
    name: "a fork has its origin's content, and then each has its own",
    run: async (scene) => {
      await scene.open();
      await scene.change(6);
      const content = sharedOf(scene.world.engine.state);
      const fork = await scene.fork("f");
      expect(sharedOf(fork.engine.state)).toEqual(content);
      await scene.change(3, { from: 20, world: fork });
      await scene.change(2, { from: 40 });
      const [own, origin] = [scene.image(fork), scene.image()];
      expect(own).not.toEqual(origin);
      await scene.killed();
      expect(scene.image()).toEqual(origin);
      expect(scene.image(await scene.openFork("f"))).toEqual(own);
    },
  },
  {
    name: "forks are listed in the order in which they were made, with their origins",
    run: async (scene) => {
      await scene.open();
      const first = await scene.fork("b");
      await scene.fork("a", { of: first });
      await scene.again();
      const { worlds, damaged } = (await scene.world.others?.list()) ?? {};
      expect(worlds?.map(({ name, from }) => [name, from])).toEqual([
        ["b", "sandbox"],
        ["a", "b"],
      ]);
      expect(damaged).toEqual([]);
      expect(worlds?.[0]?.summary).toMatchObject({ clientId: "sandbox+b" });
    },
  },
  {
    name: "a fork of a checkpointed world loads after its origin went on",
    run: async (scene) => {
      await scene.open();
      await scene.change(8);
      await scene.checkpoint();
      await scene.change(2, { from: 8 });
      const fork = await scene.fork("f");
      await scene.change(2, { from: 30, world: fork });
      const image = scene.image(fork);
      for (let round = 0; round < 3; round += 1) {
        await scene.change(2, { from: round });
        await scene.checkpoint();
      }
      await scene.killed();
      const opened = await scene.openFork("f");
      expect(scene.image(opened)).toEqual(image);
      await scene.checkpoint(opened);
      await scene.change(1, { world: opened });
      await scene.checkpoint(opened);
      const later = scene.image(opened);
      await scene.killed();
      expect(scene.image(await scene.openFork("f"))).toEqual(later);
    },
  },
  {
    name: "a fork's beginning is what a reset of it goes back to, whatever came since",
    run: async (scene) => {
      await scene.open();
      await scene.change(5);
      const fork = await scene.fork("f");
      const content = sharedOf(fork.engine.state);
      await scene.change(4, { from: 9, world: fork });
      await scene.checkpoint(fork);
      await scene.change(1, { world: fork });
      await scene.checkpoint(fork);
      expect(sharedOf((await fork.stateAtFork?.())!)).toEqual(content);
      await scene.closeFork(fork);
      const opened = await scene.openFork("f");
      const state = await opened.stateAtFork?.();
      expect(state && sharedOf(state)).toEqual(content);
      if (state) await scene.switchTo(state, { world: opened });
      await scene.change(1, { world: opened });
      await scene.killed();
      expect(sharedOf(await scene.earlier(7, await scene.openFork("f")))).toEqual(content);
    },
  },
  {
    name: "a fork outlives its origin, and a fork of the fork both",
    run: async (scene) => {
      await scene.open();
      await scene.change(6);
      const one = await scene.fork("one");
      await scene.change(3, { from: 6, world: one });
      const two = await scene.fork("two", { of: one });
      await scene.change(2, { from: 9, world: two });
      const image = scene.image(two);
      await scene.removeFork(one);
      await scene.change(3);
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      await scene.killed();
      expect(await scene.world.others?.open("one")).toBeUndefined();
      const opened = await scene.openFork("two");
      expect(scene.image(opened)).toEqual(image);
      await scene.change(1, { world: opened });
      await scene.checkpoint(opened);
      expect((await opened.stateAtFork?.())?.seq).toBe(12);
    },
  },
  {
    name: "restore points of a fork are its own, and go with it",
    run: async (scene) => {
      await scene.open();
      await scene.world.points.save("of-origin");
      const fork = await scene.fork("f");
      expect(namesOf(fork)).toEqual([]);
      await scene.change(2, { world: fork });
      await fork.points.save("of-fork");
      const image = scene.image(fork);
      expect(namesOf(scene.world)).toEqual(["of-origin"]);
      await scene.killed();
      const opened = await scene.openFork("f");
      expect(namesOf(opened)).toEqual(["of-fork"]);
      expect(imageOf(await scene.point("of-fork", opened))).toEqual(image);
      await scene.removeFork(opened);
      const other = await scene.fork("f");
      expect(namesOf(other)).toEqual([]);
      expect(namesOf(scene.world)).toEqual(["of-origin"]);
    },
  },
  {
    name: "a removed world frees its name; a later one of that name is another one",
    run: async (scene) => {
      await scene.open();
      const first = await scene.fork("f");
      await scene.change(5, { world: first });
      await scene.checkpoint(first);
      await scene.removeFork(first);
      expect((await scene.world.others?.list())?.worlds).toEqual([]);
      await scene.change(1, { from: 3 });
      const second = await scene.fork("f");
      await scene.change(1, { from: 5, world: second });
      const image = scene.image(second);
      await scene.killed();
      expect(scene.image(await scene.openFork("f"))).toEqual(image);
    },
  },
  {
    name: "a world that is not open is removed, and one that is none is no error",
    run: async (scene) => {
      await scene.open();
      const fork = await scene.fork("f");
      await fork.points.save("a");
      await scene.closeFork(fork);
      await scene.world.others?.remove("f");
      await scene.world.others?.remove("none");
      expect(await scene.world.others?.open("f")).toBeUndefined();
      await scene.killed();
      expect((await scene.world.others?.list())?.worlds).toEqual([]);
    },
  },
  {
    name: "a fork from a restore point loads after the restore point is gone",
    run: async (scene) => {
      await scene.open();
      await scene.change(4);
      await scene.world.points.save("a");
      const content = sharedOf(scene.world.engine.state);
      await scene.change(4, { from: 4 });
      const fork = await scene.fork("f", { state: await scene.point("a") });
      await scene.world.points.remove("a");
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      expect(sharedOf(fork.engine.state)).toEqual(content);
      await scene.killed();
      expect(sharedOf((await scene.openFork("f")).engine.state)).toEqual(content);
    },
  },
  {
    name: "a fork from the past loads after the past is pruned",
    run: async (scene) => {
      await scene.open();
      await scene.change(8);
      const state = await scene.earlier(5);
      const content = sharedOf(state);
      await scene.fork("f", { state });
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      await scene.killed();
      const fork = await scene.openFork("f");
      expect(sharedOf(fork.engine.state)).toEqual(content);
      expect(await fork.points.earlier({ seq: 5 })).toBeUndefined();
      expect((await scene.earlier(6, fork)).seq).toBe(6);
    },
  },
  {
    name: "a fork that is closed and opened again and again is the same each time",
    run: async (scene) => {
      await scene.open();
      await scene.change(3);
      await scene.closeFork(await scene.fork("f"));
      const fences: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const fork = await scene.openFork("f");
        fences.push(fork.start);
        await scene.change(2, { from: round, world: fork });
        const image = scene.image(fork);
        await scene.closeFork(fork);
        expect(await scene.world.others?.stopped("f")).toMatchObject({ clientId: "sandbox+f" });
        const again = await scene.openFork("f");
        expect(scene.image(again)).toEqual(image);
        expect(await scene.world.others?.stopped("f")).toBeUndefined();
        await scene.closeFork(again);
      }
      expect(fences).toEqual([...fences].sort((a, b) => a - b));
    },
  },
];
