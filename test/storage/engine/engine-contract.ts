import { afterAll, beforeAll, describe, test } from "vitest";
import { APPEND_CASES } from "./append-cases.ts";
import { FORMAT_CASES } from "./format-cases.ts";
import { INDEX_CASES } from "./index-cases.ts";
import { KEEPING_CASES } from "./keeping-cases.ts";
import { LEASE_CASES } from "./lease-cases.ts";
import { RACE_CASES } from "./race-cases.ts";
import { canRun, type EngineCase, runCase, type TestEngine } from "./scene.ts";
import { WRITE_CASES } from "./write-cases.ts";

/** All promises of an engine; those of the format are last, since it stays raised. */
export const ENGINE_CASES: readonly EngineCase[] = [
  ...APPEND_CASES,
  ...LEASE_CASES,
  ...WRITE_CASES,
  ...KEEPING_CASES,
  ...INDEX_CASES,
  ...RACE_CASES,
  ...FORMAT_CASES,
];

/**
 * Declares the tests that every engine has to pass, over one engine for all.
 * @param what names it, as in "PostgreSQL"
 */
export const engineContract = (what: string, open: () => Promise<TestEngine>): void => {
  describe(what, () => {
    let engine: TestEngine;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine?.close());

    for (const engineCase of ENGINE_CASES)
      test(engineCase.name, async ({ skip }) => {
        skip(!canRun(engineCase, engine), `needs ${engineCase.needs}`);
        await runCase(engineCase, engine);
      });
  });
};
