import { expect } from "vitest";
import type { HeldWorld } from "../../../src/storage/port/held-world.ts";
import { CAUSE } from "../setup/disk-world.ts";
import { contentOf, type StoreCase, type StoreScene } from "./store-scene.ts";

/** Images by number of the change, after each of some changes. */
const imagesOf = async (scene: StoreScene, count: number, from = 0) => {
  const images = new Map<number, unknown>();
  for (let at = 0; at < count; at += 1) {
    await scene.change(1, { from: from + at });
    images.set(scene.world.engine.state.seq, contentOf(scene.world.engine.state));
  }
  return images;
};

const heldOf = (scene: StoreScene) =>
  (scene.world.points as unknown as { world: { held: HeldWorld } }).world.held;

/** Checkpoints, and the past that the store reaches. */
export const CHECKPOINT_CASES: readonly StoreCase[] = [
  {
    name: "a checkpoint stands in for the changes before it",
    run: async (scene) => {
      await scene.open();
      await scene.change(30);
      await scene.checkpoint();
      await scene.change(4, { from: 30 });
      const image = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(image);
      expect(scene.world.recovery.readBytes).toBeGreaterThan(0);
      expect(scene.world.passedOver).toEqual([]);
    },
  },
  {
    name: "a checkpoint counts only once its facts are told",
    run: async (scene) => {
      await scene.open();
      await scene.change(5);
      const image = scene.image();
      const write = async (put: (part: { kind: "balances"; bytes: Buffer }) => Promise<void>) => {
        await put({ kind: "balances", bytes: Buffer.from("[]") });
        throw new Error("it was cut off");
      };
      await expect(heldOf(scene).checkpoint(6, write as never)).rejects.toThrow("it was cut off");
      await scene.killed();
      expect(scene.image()).toEqual(image);
    },
  },
  {
    name: "many checkpoints: only what the last two need stays, and the world loads from each",
    run: async (scene) => {
      await scene.open();
      for (let round = 0; round < 5; round += 1) {
        await scene.change(6, { from: round * 6 });
        await scene.checkpoint();
        const image = scene.image();
        await scene.killed();
        expect(scene.image()).toEqual(image);
      }
      expect(heldOf(scene).reach()?.seq).toBe(25);
    },
  },
  {
    name: "a second checkpoint of the same change is none",
    run: async (scene) => {
      await scene.open();
      await scene.change(3);
      await scene.checkpoint();
      const reach = heldOf(scene).reach();
      await scene.checkpoint();
      expect(heldOf(scene).reach()).toEqual(reach);
      const image = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(image);
    },
  },
  {
    name: "a state of the past equals the world as it was, by number",
    run: async (scene) => {
      await scene.open();
      const images = await imagesOf(scene, 8);
      await scene.checkpoint();
      for (const [seq, image] of await imagesOf(scene, 8, 8)) images.set(seq, image);
      for (const [seq, image] of images)
        expect([seq, contentOf(await scene.earlier(seq))]).toEqual([seq, image]);
    },
  },
  {
    name: "a state of the past equals the world as it was, by instant",
    run: async (scene) => {
      const { engine } = await scene.open();
      await scene.change(3);
      const image = contentOf(engine.state);
      const { atMs } = engine.state;
      engine.keepClock({ mode: "manual", offsetMs: 0, instantMs: atMs + 60_000 }, CAUSE);
      await scene.change(2, { from: 3 });
      const { points } = scene.world;
      // The change of the clock is of the instant before it.
      for (const at of [atMs, atMs + 59_999]) {
        const state = await points.earlier({ atMs: at });
        expect([state?.seq, state && contentOf(state)]).toEqual([5, image]);
      }
      expect((await points.earlier({ atMs: atMs + 60_000 }))?.seq).toBe(7);
      expect(await points.earlier({ atMs: atMs - 1 })).toBeUndefined();
    },
  },
  {
    name: "the past ends at the older of two checkpoints, and says so",
    run: async (scene) => {
      await scene.open();
      await scene.change(4);
      await scene.checkpoint();
      expect(heldOf(scene).reach()?.seq).toBeLessThanOrEqual(1);
      await scene.change(4, { from: 4 });
      await scene.checkpoint();
      expect(heldOf(scene).reach()?.seq).toBe(5);
      expect(await scene.world.points.earlier({ seq: 4 })).toBeUndefined();
      expect((await scene.earlier(5)).seq).toBe(5);
      await scene.killed();
      expect(heldOf(scene).reach()?.seq).toBe(5);
      expect(await scene.world.points.earlier({ seq: 4 })).toBeUndefined();
      expect((await scene.earlier(7)).seq).toBe(7);
    },
  },
  {
    name: "changes of a range are those of the timeline after its earliest point",
    run: async (scene) => {
      await scene.open();
      await scene.change(9);
      const numbers = async (after: number, upTo: number) =>
        (await scene.world.points.changes({ after, upTo })).map(({ seq }) => seq);
      expect(await numbers(3, 6)).toEqual([4, 5, 6]);
      expect(await numbers(8, 99)).toEqual([9, 10]);
      await scene.switchTo(await scene.earlier(6), { isOwnPast: true });
      await scene.change(2);
      expect(await numbers(4, 99)).toEqual([5, 6, 7, 8]);
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      expect(await numbers(0, 99)).toEqual([9]);
      await scene.killed();
      expect(await numbers(0, 99)).toEqual([9]);
    },
  },
  {
    name: "a rewind continues from a state of the past, and what came after it is left",
    run: async (scene) => {
      await scene.open();
      const images = await imagesOf(scene, 6);
      await scene.switchTo(await scene.earlier(4), { isOwnPast: true });
      expect(contentOf(scene.world.engine.state)).toEqual(images.get(4));
      await scene.change(3, { from: 20 });
      const image = scene.image();
      expect(scene.world.engine.state.seq).toBe(7);
      await scene.killed();
      expect(scene.image()).toEqual(image);
      expect(contentOf(await scene.earlier(3))).toEqual(images.get(3));
    },
  },
  {
    name: "a rewind behind the beginning of a timeline reaches the one before",
    run: async (scene) => {
      await scene.open();
      const images = await imagesOf(scene, 8);
      await scene.checkpoint();
      await imagesOf(scene, 3, 8);
      await scene.switchTo(await scene.earlier(9), { isOwnPast: true });
      await scene.change(2, { from: 30 });
      await scene.switchTo(await scene.earlier(10), { isOwnPast: true });
      await scene.switchTo(await scene.earlier(9), { isOwnPast: true });
      expect(contentOf(scene.world.engine.state)).toEqual(images.get(9));
      await scene.change(1, { from: 40 });
      const image = scene.image();
      await scene.again();
      expect(scene.image()).toEqual(image);
    },
  },
  {
    name: "a state of the past that was pruned meanwhile is continued from all the same",
    run: async (scene) => {
      await scene.open();
      const images = await imagesOf(scene, 5);
      const state = await scene.earlier(4);
      for (let round = 0; round < 2; round += 1) {
        await scene.change(2, { from: round });
        await scene.checkpoint();
      }
      await scene.switchTo(state, { isOwnPast: true });
      await scene.killed();
      expect(contentOf(scene.world.engine.state)).toEqual(images.get(4));
    },
  },
  {
    name: "five rewinds and checkpoints between them all load",
    run: async (scene) => {
      await scene.open();
      await scene.change(10);
      for (let round = 0; round < 5; round += 1) {
        await scene.change(4, { from: round });
        if (round % 2 === 1) await scene.checkpoint();
        const { seq } = scene.world.engine.state;
        await scene.switchTo(await scene.earlier(seq - (round % 2 === 1 ? 0 : 3)), {
          isOwnPast: true,
        });
        await scene.change(1);
        const image = scene.image();
        await scene.killed();
        expect(scene.image()).toEqual(image);
      }
    },
  },
  {
    name: "a switch to a state from elsewhere keeps all of it, and no past before it",
    run: async (scene) => {
      await scene.open();
      await scene.change(6);
      const { state } = scene.world.engine;
      const elsewhere = state.fork();
      await scene.change(3, { from: 6 });
      await scene.switchTo(elsewhere);
      await scene.change(1, { from: 50 });
      const image = scene.image();
      expect(await scene.world.points.earlier({ seq: 6 })).toBeUndefined();
      await scene.killed();
      expect(scene.image()).toEqual(image);
      expect(await scene.world.points.earlier({ seq: 6 })).toBeUndefined();
      expect((await scene.earlier(7)).seq).toBe(7);
    },
  },
  {
    name: "an identity that is stored while the world switches is kept, and so is the switch",
    run: async (scene) => {
      await scene.open();
      await scene.change(4);
      const switching = scene.switchTo(await scene.earlier(3), { isOwnPast: true });
      const { kept } = scene.world;
      // One after the other: some of them come while the switch is written.
      const rotated = Array.from({ length: 8 }, () => kept.rotateWebhookKey());
      await Promise.all([switching, ...rotated]);
      await scene.change(2);
      expect(scene.world.engine.readOnlyBecause).toBeUndefined();
      const image = scene.image();
      const { webhookKeyPem } = scene.world.kept.now;
      await scene.again();
      expect(scene.image()).toEqual(image);
      expect(scene.world.identity.webhookKeyPem).toBe(webhookKeyPem);
    },
  },
];
