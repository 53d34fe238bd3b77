import { expect } from "vitest";
import { contentOf, namesOf, type StoreCase, type StoreScene } from "./store-scene.ts";
import type { Damaged } from "./test-store.ts";

/** A world with two checkpoints, a restore point and changes after them, closed. */
const closedWorld = async (scene: StoreScene) => {
  await scene.open();
  await scene.change(6);
  await scene.world.points.save("kept");
  await scene.checkpoint();
  await scene.change(6, { from: 6 });
  await scene.checkpoint();
  await scene.change(6, { from: 12 });
  const image = scene.image();
  await scene.close();
  return image;
};

const refused = (part: Damaged, found: RegExp): StoreCase => ({
  name: `damage of ${part} that nothing stands in for is refused by name, and nothing is changed`,
  run: async (scene) => {
    await closedWorld(scene);
    await scene.store.damage(part);
    for (let tries = 0; tries < 2; tries += 1) await expect(scene.open()).rejects.toThrow(found);
    scene.close = async () => {};
  },
});

/** Bytes that changed at rest: named, never guessed. */
export const DAMAGE_CASES: readonly StoreCase[] = [
  {
    name: "a damaged newest checkpoint is passed over for the one before, and written anew",
    run: async (scene) => {
      const image = await closedWorld(scene);
      await scene.store.damage("newest checkpoint");
      const { passedOver } = await scene.open();
      expect(passedOver).toEqual([{ file: expect.any(String), found: expect.any(String) }]);
      expect(scene.image()).toEqual(image);
      await scene.change(1);
      await scene.checkpoint();
      const later = scene.image();
      await scene.again();
      expect(scene.world.passedOver).toEqual([]);
      expect(scene.image()).toEqual(later);
    },
  },
  {
    name: "a damaged checkpoint beside a whole one of the last change does not stay",
    run: async (scene) => {
      await scene.open();
      await scene.change(3);
      await scene.checkpoint();
      await scene.close();
      await scene.store.damage("newest checkpoint");
      await scene.open();
      expect(scene.world.passedOver).toHaveLength(1);
      await scene.checkpoint();
      await scene.again();
      expect(scene.world.passedOver).toEqual([]);
    },
  },
  {
    name: "a damaged older checkpoint goes with the next try, although nothing has changed",
    run: async (scene) => {
      await scene.open();
      for (let round = 0; round < 2; round += 1) {
        await scene.change(3, { from: round });
        await scene.checkpoint();
      }
      const image = scene.image();
      await scene.close();
      await scene.store.damage("older checkpoint");
      await scene.open();
      await scene.checkpoint();
      await scene.again();
      expect(scene.world.passedOver).toEqual([]);
      expect(scene.image()).toEqual(image);
    },
  },
  refused("all parts", /checkpoint|part|line|damage/i),
  refused("missing parts", /checkpoint|part|line|damage/i),
  refused("journal", /change/i),
  {
    name: "a restore point that is damaged is named, the others and the world are there",
    run: async (scene) => {
      await scene.open();
      await scene.change(3);
      await scene.world.points.save("kept");
      await scene.world.points.save("whole");
      const content = contentOf(scene.world.engine.state);
      await scene.close();
      await scene.store.damage("restore point");
      await scene.open();
      expect(namesOf(scene.world)).toEqual(["whole"]);
      expect((await scene.world.points.damaged()).map(({ name }) => name)).toEqual(["kept"]);
      await expect(scene.world.points.load("kept")).rejects.toThrow(/kept/);
      expect(contentOf(await scene.point("whole"))).toEqual(content);
      expect(await scene.world.points.remove("kept")).toBe(true);
      expect(await scene.world.points.damaged()).toEqual([]);
      await scene.again();
      expect(await scene.world.points.damaged()).toEqual([]);
      await scene.world.points.save("kept");
      expect(contentOf(await scene.point("kept"))).toEqual(content);
    },
  },
  {
    name: "a restore point whose parts are gone is refused, and the world continues",
    run: async (scene) => {
      await scene.open();
      await scene.change(3);
      await scene.world.points.put("kept", scene.world.engine.state.fork());
      await scene.store.damage("missing parts");
      await expect(scene.world.points.load("kept")).rejects.toThrow(/kept/);
      await scene.change(2);
      const image = scene.image();
      await scene.again();
      expect(scene.image()).toEqual(image);
    },
  },
];
