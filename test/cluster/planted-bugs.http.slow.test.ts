import { expect, test } from "vitest";
import { loadPatched } from "../storage/engine/setup/patched-code.ts";
import { CLUSTER_BUGS, type ClusterBug } from "./planted-bugs.ts";
import { CLUSTER_CASES } from "./setup/cluster-cases.ts";
import { type ClusterCode, WHOLE_CODE } from "./setup/cluster-code.ts";

const ENTRY = new URL("./setup/cluster-code.ts", import.meta.url);

const codeWith = async (patches: readonly NonNullable<ClusterBug["patch"]>[]) =>
  (await loadPatched<{ WHOLE_CODE: ClusterCode }>(ENTRY, patches)).WHOLE_CODE;

test.each(CLUSTER_CASES)("$name", ({ check }) => check(WHOLE_CODE));

test("the cases pass on whole code that is loaded like the others", async () => {
  const code = await codeWith([]);
  for (const { check } of CLUSTER_CASES) await check(code);
});

const planted = CLUSTER_BUGS.flatMap(({ name, patch, foundBy }) =>
  patch ? [{ name, patch, words: foundBy.words }] : [],
);

test.each(planted)("$name would be noticed", async ({ patch, words }) => {
  const found = CLUSTER_CASES.filter(({ name }) => name === words);
  expect(found).toHaveLength(1);
  await expect(found[0]!.check(await codeWith([patch]))).rejects.toThrow();
});
