import { expect, test } from "vitest";
import { FLUSH_CASES } from "./setup/flush-cases.ts";
import { JOURNAL_CASES } from "./setup/journal-cases.ts";
import { LEASE_CASES } from "./setup/lease-cases.ts";
import { patchedCode } from "./setup/patched-code.ts";
import { ENGINE_BUGS } from "./setup/planted-bugs.ts";

const CASES = [...FLUSH_CASES, ...JOURNAL_CASES, ...LEASE_CASES];

test("the cases pass on whole code that is loaded like the others", async () => {
  const code = await patchedCode([]);
  for (const { check } of CASES) await check(code);
});

test.each(ENGINE_BUGS)("$name would be noticed", async ({ noticedBy, ...patch }) => {
  const found = CASES.find(({ name }) => name === noticedBy);
  if (!found) throw new Error(`Expected a case named "${noticedBy}"`);
  await expect(found.check(await patchedCode([patch]))).rejects.toThrow();
});
