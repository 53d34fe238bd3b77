import { expect } from "vitest";
import type { EngineCase } from "./scene.ts";

/** The format that all processes write; other processes of a test know 1,000 and more. */
export const FORMAT_CASES: readonly EngineCase[] = [
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
      expect(await engine.open()).toEqual({ format });
      await engine.leave(old);
      await scene.process("mortal", { knows: format, leaseMs: scene.test.leaseMs });
      expect(await engine.raiseFormat(format + 1)).toBe(false);
      await scene.endLeases();
      expect(await engine.raiseFormat(format + 1)).toBe(true);
      await expect(scene.process("older", { knows: format })).rejects.toThrow();
      await scene.process("newer", { knows: format + 1 });
    },
  },
];
