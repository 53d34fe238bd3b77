import { expect } from "vitest";
import { imageOf } from "../../runtime/setup/random-world.ts";
import { contentOf, namesOf, type StoreCase } from "./store-scene.ts";

/** Restore points. */
export const POINT_CASES: readonly StoreCase[] = [
  {
    name: "a restore point is listed with its facts, also after a kill",
    run: async (scene) => {
      const { engine } = await scene.open();
      await scene.change(5);
      const point = await scene.world.points.save("a");
      expect(point).toEqual({
        name: "a",
        seq: 6,
        atMs: engine.state.atMs,
        records: engine.state.recordCount(),
        clock: engine.clock.stateFromNow(),
      });
      await scene.killed();
      expect(scene.world.points.list()).toEqual([point]);
    },
  },
  {
    name: "restore points are listed in the order of saving; a name that is taken again comes last",
    run: async (scene) => {
      await scene.open();
      for (const name of ["b", "a", "c", "b"]) {
        await scene.change(1);
        await scene.world.points.save(name);
      }
      expect(namesOf(scene.world)).toEqual(["a", "c", "b"]);
      await scene.again();
      expect(namesOf(scene.world)).toEqual(["a", "c", "b"]);
      await scene.world.points.save("a");
      await scene.killed();
      expect(namesOf(scene.world)).toEqual(["c", "b", "a"]);
    },
  },
  {
    name: "a loaded restore point equals the world as it was",
    run: async (scene) => {
      await scene.open();
      await scene.change(5);
      await scene.world.points.save("a");
      const image = scene.image();
      await scene.change(5, { from: 7 });
      expect(imageOf(await scene.point("a"))).toEqual(image);
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      expect(imageOf(await scene.point("a"))).toEqual(image);
      await scene.killed();
      expect(imageOf(await scene.point("a"))).toEqual(image);
    },
  },
  {
    name: "a restore point that is replaced gives the later state",
    run: async (scene) => {
      await scene.open();
      await scene.world.points.save("a");
      await scene.change(4);
      await scene.world.points.save("a");
      const image = scene.image();
      await scene.change(2);
      expect(imageOf(await scene.point("a"))).toEqual(image);
      await scene.killed();
      expect(namesOf(scene.world)).toEqual(["a"]);
      expect(imageOf(await scene.point("a"))).toEqual(image);
    },
  },
  {
    name: "a restore point is removed once, and there is none of that name then",
    run: async (scene) => {
      await scene.open();
      await scene.world.points.save("a");
      expect(await scene.world.points.remove("a")).toBe(true);
      expect(await scene.world.points.remove("a")).toBe(false);
      expect(await scene.world.points.load("a")).toBeUndefined();
      await scene.killed();
      expect(namesOf(scene.world)).toEqual([]);
    },
  },
  {
    name: "a state from elsewhere is kept as a restore point",
    run: async (scene) => {
      await scene.open();
      await scene.change(6);
      const state = scene.world.engine.state.fork();
      const image = imageOf(state);
      await scene.change(3, { from: 6 });
      await scene.world.points.put("given", state);
      await scene.killed();
      expect(imageOf(await scene.point("given"))).toEqual(image);
      await scene.switchTo(await scene.point("given"));
      await scene.change(1, { from: 30 });
      const later = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(later);
      expect(await scene.world.points.earlier({ seq: 6 })).toBeUndefined();
    },
  },
  {
    name: "a restored world continues from the restore point, with no past before it",
    run: async (scene) => {
      await scene.open();
      await scene.change(5);
      await scene.world.points.save("a");
      const content = contentOf(scene.world.engine.state);
      await scene.change(5, { from: 5 });
      await scene.switchTo(await scene.point("a"));
      expect(contentOf(scene.world.engine.state)).toEqual(content);
      await scene.change(2, { from: 20 });
      const image = scene.image();
      expect(await scene.world.points.earlier({ seq: 5 })).toBeUndefined();
      await scene.killed();
      expect(scene.image()).toEqual(image);
      expect(await scene.world.points.earlier({ seq: 5 })).toBeUndefined();
      expect(contentOf(await scene.earlier(6))).toEqual(content);
    },
  },
  {
    name: "a restore point that was removed after it was loaded is restored all the same",
    run: async (scene) => {
      await scene.open();
      await scene.change(5);
      await scene.world.points.save("a");
      await scene.change(2, { from: 5 });
      await scene.checkpoint();
      const state = await scene.point("a");
      const content = contentOf(state);
      await scene.world.points.remove("a");
      for (let round = 0; round < 2; round += 1) {
        await scene.change(1, { from: round });
        await scene.checkpoint();
      }
      await scene.switchTo(state);
      await scene.change(1);
      await scene.checkpoint();
      await scene.world.points.save("b");
      await scene.killed();
      expect(contentOf(await scene.earlier(6))).toEqual(content);
    },
  },
  {
    name: "a restore point that was replaced after it was loaded is restored as it was",
    run: async (scene) => {
      await scene.open();
      await scene.change(5);
      await scene.world.points.save("a");
      const state = await scene.point("a");
      const content = contentOf(state);
      await scene.change(2, { from: 5 });
      await scene.world.points.save("a");
      await scene.switchTo(state);
      expect(contentOf(scene.world.engine.state)).toEqual(content);
      await scene.killed();
      expect(contentOf(scene.world.engine.state)).toEqual(content);
    },
  },
  {
    name: "restore points of earlier timelines outlive switches, checkpoints and each other",
    run: async (scene) => {
      await scene.open();
      const images = new Map<string, unknown>();
      for (const [round, name] of ["a", "b", "c", "d"].entries()) {
        await scene.change(4, { from: round * 4 });
        await scene.world.points.save(name);
        images.set(name, contentOf(scene.world.engine.state));
        if (name === "b") await scene.checkpoint();
        if (name !== "a") await scene.switchTo(await scene.point("a"));
        await scene.change(1);
      }
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      await scene.world.points.remove("c");
      images.delete("c");
      await scene.killed();
      for (const [name, image] of images)
        expect([name, contentOf(await scene.point(name))]).toEqual([name, image]);
    },
  },
  {
    name: "a restore point of an earlier state of the timeline refers to what is there",
    run: async (scene) => {
      await scene.open();
      await scene.change(6);
      const earlier = await scene.earlier(4);
      const content = contentOf(earlier);
      await scene.switchTo(earlier, { isOwnPast: true });
      await scene.world.points.save("rewound");
      await scene.change(5);
      await scene.checkpoint();
      await scene.switchTo(await scene.point("rewound"));
      await scene.killed();
      expect(contentOf(scene.world.engine.state)).toEqual(content);
    },
  },
  {
    name: "a switch that a kill follows at once is there whole",
    run: async (scene) => {
      await scene.open();
      await scene.change(3);
      await scene.world.points.save("a");
      await scene.change(3);
      await scene.switchTo(await scene.point("a"));
      const { branch } = scene.world.engine.state;
      await scene.killed();
      expect(scene.world.engine.state).toMatchObject({ seq: 4, branch });
      await scene.change(1);
      expect(scene.world.engine.state.seq).toBe(5);
    },
  },
];
