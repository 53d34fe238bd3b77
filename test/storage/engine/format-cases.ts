import { expect } from "vitest";
import type { EngineCase, Scene } from "./scene.ts";

/** Opens clients of new data, all at once, and closes them. */
const keysOf = async ({ test }: Scene, count: number) => {
  const engines = await test.unopened(count);
  const opened = await Promise.all(engines.map((engine) => engine.open()));
  for (const engine of engines) await engine.close();
  return opened.map(({ key }) => key.toString("hex"));
};

/**
 * The key of a store and the format that all processes write; other processes of a test know 1,000
 * and more.
 */
export const FORMAT_CASES: readonly EngineCase[] = [
  {
    name: "a store has a key of 32 bytes, the same for each process and each time",
    async run({ engine, test }) {
      const { key } = await engine.open();
      expect(key).toHaveLength(32);
      expect((await (await test.second()).open()).key).toEqual(key);
      expect((await engine.open()).key).toEqual(key);
    },
  },
  {
    name: "of 8 processes that open a new store at once, all have the same key, and no other store",
    async run(scene) {
      const [one, other] = [await keysOf(scene, 8), await keysOf(scene, 8)];
      expect(one).toEqual(Array.from({ length: 8 }, () => one[0]));
      expect(other).toEqual(Array.from({ length: 8 }, () => other[0]));
      expect(one[0]).not.toBe(other[0]);
    },
  },
  {
    name: "an engine is named for people, and is fit to be used",
    async run({ engine }) {
      expect(engine.place).not.toBe("");
      await engine.check();
    },
  },
  {
    name: "the format rises once every live process knows it, and who doesn't know it cannot join",
    async run(scene) {
      const { engine } = scene;
      const { format } = await engine.open();
      await scene.process("new", { knows: format + 1 });
      const old = await scene.process("old", { knows: format });
      expect(await engine.raiseFormat(format + 1)).toBe(false);
      expect(await engine.open()).toMatchObject({ format });
      await engine.leave(old);
      const mortal = await scene.process("mortal", {
        knows: format,
        leaseMs: scene.test.leaseMs,
      });
      expect(await engine.raiseFormat(format + 1)).toBe(false);
      await scene.endLeases();
      expect(await engine.raiseFormat(format + 1)).toBe(true);
      await expect(scene.process("older", { knows: format })).rejects.toThrow();
      expect(await engine.renew(mortal, 60_000, { loaded: 0 })).toBe(false);
      await scene.process("newer", { knows: format + 1 });
    },
  },
];
