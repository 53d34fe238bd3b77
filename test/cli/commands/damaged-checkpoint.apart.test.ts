import { writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { keyFiles, pathOfKey } from "../../../src/storage/file/state/key-files.ts";
import { manifests } from "../../../src/storage/file/timeline/checkpoint-manifest.ts";
import { fillState } from "../../storage/setup/filled-state.ts";
import { inFirstLine } from "../../storage/setup/places.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

// A detached simulator is nobody's child, so `stop` ends it.
afterEach(() => place().run("stop"));

const FREE = { SERVICE_SIM_PORT: "0" };

test("a damaged checkpoint is told by doctor, at start and by status, until it is mended", async () => {
  const root = place().file(".service-sim");
  const directory = inFirstLine(root);
  await fillState(root);
  const newest = (await manifests(keyFiles(directory))).at(-1);
  const file = pathOfKey(directory, `${newest?.folder}:manifest`);
  writeFileSync(file, "");
  const run = (words: string) => place().run(words, { env: FREE });

  expect(await run("doctor")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      `~ checkpoint  an empty file in ${file}; start continues without it and writes a new one\n`,
    ),
  });
  const told =
    `damaged checkpoint skipped: an empty file in ${file}; ` +
    "an older checkpoint or the journal stood in for it\n";
  const { started } = await place().start();
  expect(started.errors).toBe(`error  ${told}`);
  expect((await run("status")).stdout).toContain(
    `          ~ damaged checkpoint skipped: an empty file in ${file}\n`,
  );
  await started.kill();
  expect((await run("doctor")).stdout).not.toContain("checkpoint");

  const again = (await manifests(keyFiles(directory))).at(-1);
  writeFileSync(pathOfKey(directory, `${again?.folder}:0`), "[]");
  const detached = await run("start --detach");
  expect(detached.stderr).toMatch(
    /(^|\n)note {3}damaged checkpoint skipped: a wrong checksum in \S+\/0\.json; an older checkpoint or the journal stood in for it\n/,
  );
});
