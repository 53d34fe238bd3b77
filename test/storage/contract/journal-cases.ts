import { expect } from "vitest";
import { act, imageOf, turns } from "../../runtime/setup/random-world.ts";
import { openEngine } from "../../runtime/setup/test-engine.ts";
import { until } from "../../runtime/setup/turns.ts";
import { CAUSE, stepsOf } from "../setup/disk-world.ts";
import { namesOf, type StoreCase } from "./store-scene.ts";

/** Hears nothing of its world. */
const DEAF = {
  failed: () => {},
  alarm: () => {},
  late: () => {},
  dueAtMs: () => null,
  files: () => [],
};

/** Changes: what was acknowledged is there, whole and in order, for whoever takes the world. */
export const JOURNAL_CASES: readonly StoreCase[] = [
  {
    name: "a store with nothing in it has no world, and makes its first one",
    run: async (scene) => {
      const session = await scene.store.open();
      expect(await session.list()).toEqual({ worlds: [], damaged: [] });
      expect(await session.take("sandbox")).toBeUndefined();
      await session.leave();
      expect((await scene.open()).isNew).toBe(true);
    },
  },
  {
    name: "changes are read back in order after a clean stop",
    run: async (scene) => {
      await scene.open();
      await scene.change(20);
      const image = scene.image();
      const { isNew, recovery } = await scene.again();
      expect(isNew).toBe(false);
      expect(recovery.records).toBe(21);
      expect(scene.image()).toEqual(image);
      await scene.change(5, { from: 20 });
      const later = scene.image();
      await scene.again();
      expect(scene.image()).toEqual(later);
    },
  },
  {
    name: "what was acknowledged is there after a kill",
    run: async (scene) => {
      await scene.open();
      await scene.change(7);
      const image = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(image);
      expect(scene.world.engine.state.seq).toBe(8);
    },
  },
  {
    name: "many changes of one turn are acknowledged together, and all are there",
    run: async (scene) => {
      await scene.open();
      for (const step of stepsOf(200)) scene.commit(step);
      await scene.durable();
      const image = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(image);
    },
  },
  {
    name: "a kill in the middle leaves all changes up to one of them, at least the acknowledged ones",
    run: async (scene) => {
      const { engine } = await scene.open();
      const images = new Map([[engine.state.seq, scene.image()]]);
      for (const step of stepsOf(60)) {
        images.set(scene.commit(step), scene.image());
        if (step.slot % 5 === 0) await turns(1);
      }
      const acknowledged = engine.journal.durableSeq();
      await scene.killed();
      const { seq } = scene.world.engine.state;
      expect(seq).toBeGreaterThanOrEqual(acknowledged);
      expect(scene.image()).toEqual(images.get(seq));
    },
  },
  {
    name: "a group of changes is there whole or not at all",
    run: async (scene) => {
      const source = openEngine("manual");
      for (const step of stepsOf(4)) source.engine.commit(act, step, CAUSE);
      const [first, ...others] = source.journal.changes();
      const last = others.at(-1)?.seq ?? 0;
      const group = others.map((one) => (one.seq < last ? { ...one, upTo: last } : one));
      for (const [count, seq] of [
        [3, 1],
        [4, 5],
      ] as const) {
        const session = await scene.store.open();
        const held = (await session.take("sandbox")) ?? (await session.create("sandbox"));
        const { state } = await held.read();
        await held.attach(DEAF);
        const journal = held.journal({ seq: state.seq, sizeBytes: 0 });
        if (first && state.seq === 0) journal.buffer(first);
        await journal.reached(1);
        for (const one of group.slice(0, count)) journal.buffer(one);
        await turns(3);
        if (count === group.length) await journal.reached(last);
        await scene.store.kill(session, []);
        const reader = await scene.store.open();
        const again = await reader.take("sandbox");
        expect((await again?.read())?.state.seq).toBe(seq);
        await again?.release({ documents: [] });
        await reader.leave();
      }
    },
  },
  {
    name: "ten thousand changes load",
    run: async (scene) => {
      const { engine } = await scene.open({ checkpointAfterBytes: 1e9 });
      for (const [at, step] of stepsOf(10_000).entries()) {
        engine.commit(act, step, CAUSE);
        if (at % 500 === 0) await scene.durable();
      }
      await scene.durable();
      const image = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(image);
    },
  },
  {
    name: "the fence rises each time that the world is taken",
    run: async (scene) => {
      const fences = [(await scene.open()).start];
      await scene.change(1);
      fences.push((await scene.again()).start);
      await scene.change(1);
      fences.push((await scene.killed()).start);
      fences.push((await scene.killed()).start);
      expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
    },
  },
  {
    name: "an append that failed is taken back, and writes continue",
    needs: "failing writes",
    run: async (scene) => {
      const { engine } = await scene.open();
      await scene.change(3);
      const image = scene.image();
      scene.store.failAppend?.();
      const [step] = stepsOf(1);
      if (step) scene.commit(step);
      await expect(scene.durable()).rejects.toThrow(/EIO/);
      await until("a reload", () => engine.state.seq === 4 && engine.readOnlyBecause !== undefined);
      expect(scene.image()).toEqual(image);
      await until("storage that works", () => engine.readOnlyBecause === undefined);
      await scene.change(2);
      const later = scene.image();
      await scene.again();
      expect(scene.image()).toEqual(later);
    },
  },
  {
    name: "a world that another process took is dropped with the reason, and changes nothing",
    needs: "shares",
    run: async (scene) => {
      const { engine, points } = await scene.open();
      await scene.change(3);
      const image = scene.image();
      await scene.store.endLeases?.();
      const second = await scene.store.open();
      const held = await second.take("sandbox");
      const [step] = stepsOf(1);
      if (step) scene.commit(step);
      await expect(scene.durable()).rejects.toThrow(/served by another process|served by sim-/);
      expect(engine.readOnlyBecause).toMatch(/served by/);
      await expect(points.save("late")).rejects.toThrow(/served by/);
      expect(imageOf((await held?.read())?.state as never)).toEqual(image);
      await held?.release({ documents: [] });
      await second.leave();
      await scene.world.close();
      await scene.open();
      expect(scene.image()).toEqual(image);
      expect(namesOf(scene.world)).toEqual([]);
    },
  },
  {
    name: "a restore point of a world that another process took is refused, and the world is dropped",
    needs: "shares",
    run: async (scene) => {
      const { engine, points } = await scene.open();
      await scene.change(3);
      await scene.store.endLeases?.();
      const second = await scene.store.open();
      const held = await second.take("sandbox");
      await expect(points.save("late")).rejects.toThrow(/served by/);
      expect(engine.readOnlyBecause).toMatch(/served by/);
      await held?.release({ documents: [] });
      await second.leave();
      await scene.world.close();
      await scene.open();
      expect(namesOf(scene.world)).toEqual([]);
    },
  },
  {
    name: "a world that a live process has is refused with its owner",
    needs: "shares",
    run: async (scene) => {
      await scene.open();
      const second = await scene.store.open();
      await expect(second.take("sandbox")).rejects.toThrow(
        /the world sandbox of .* is served by another simulator, sim-/,
      );
      await second.leave();
      await scene.change(1);
    },
  },
  {
    name: "list and stopped tell of the last clean stop, and nothing of a world that is open or was killed",
    run: async (scene) => {
      const { session } = await scene.open();
      await scene.change(2);
      expect((await session?.list())?.worlds).toMatchObject([{ name: "sandbox" }]);
      await scene.close();
      const next = await scene.store.open();
      const told = {
        clientId: "sandbox",
        atMs: 1_000_000_000_000,
        clock: { mode: "manual" },
        keys: expect.any(Array),
        records: expect.any(Number),
      };
      expect(await next.stopped("sandbox")).toMatchObject(told);
      expect((await next.list()).worlds).toMatchObject([{ name: "sandbox", summary: told }]);
      await next.leave();
      await scene.open();
      expect(await scene.session.stopped("sandbox")).toBeUndefined();
      await scene.change(1);
      await scene.killed();
      expect(await scene.session.stopped("sandbox")).toBeUndefined();
      expect((await scene.session.list()).worlds[0]?.summary).toBeUndefined();
    },
  },
];
