import { expect, test } from "vitest";
import type { EnginePlant } from "./engine-plants.ts";
import { type EngineCode, WHOLE_CODE } from "./setup/engine-code.ts";
import { FLUSH_CASES } from "./setup/flush-cases.ts";
import { JOURNAL_CASES } from "./setup/journal-cases.ts";
import { LEASE_CASES } from "./setup/lease-cases.ts";
import { patchedCode } from "./setup/patched-code.ts";
import { ENGINE_BUGS } from "./setup/planted-bugs.ts";
import { SharedHistory } from "./setup/shared-history.ts";

const CASES = [...FLUSH_CASES, ...JOURNAL_CASES, ...LEASE_CASES];

test("the cases pass on whole code that is loaded like the others", async () => {
  const code = await patchedCode([]);
  for (const { check } of CASES) await check(code);
});

/** Histories in which a bug must show when its seed no longer finds it. */
const TO_FIND_A_BUG = 100;

/** Plays histories until one goes wrong. @returns what went wrong in it */
const problems = async (
  code: EngineCode,
  { foundBy, plants = [] }: { foundBy: number; plants?: EnginePlant[] },
): Promise<string[]> => {
  const seeds = [foundBy, ...Array.from({ length: TO_FIND_A_BUG }, (_, at) => at + 1)];
  for (const seed of seeds) {
    const found = await new SharedHistory(code, { seed, plants }).play();
    if (found.length > 0) return found;
  }
  return [];
};

const found = ENGINE_BUGS.filter(({ foundBy }) => foundBy !== undefined);

test.each(found)("a history finds $name", async ({ foundBy = 1, ...patch }) => {
  expect(await problems(await patchedCode([patch]), { foundBy })).not.toEqual([]);
});

test.each([
  { plant: "fence checked in an earlier statement", foundBy: 3 },
  { plant: "a write leaves the fence as it is", foundBy: 1 },
  { plant: "half a group is written", foundBy: 1 },
  { plant: "a renewal after another's take", foundBy: 3 },
] as const)("a history finds an engine with $plant", async ({ plant, foundBy }) => {
  expect(await problems(WHOLE_CODE, { foundBy, plants: [plant] })).not.toEqual([]);
});

test.each(ENGINE_BUGS)("$name would be noticed", async ({ noticedBy, ...patch }) => {
  const found = CASES.find(({ name }) => name === noticedBy);
  if (!found) throw new Error(`Expected a case named "${noticedBy}"`);
  await expect(found.check(await patchedCode([patch]))).rejects.toThrow();
});
