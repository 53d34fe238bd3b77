import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cutAfter, directoryFor, openDisk } from "../../setup/disk-world.ts";
import { contents, everything, filledBefore, namesIn } from "../../setup/filled-before.ts";

test("a kill at any step leaves the old state or the new one, set aside once", async () => {
  const { directory: whole, before } = await filledBefore({ isRewound: true });
  const told: boolean[] = [];
  for (let calls = 0; ; calls += 1) {
    const directory = directoryFor("convert-cut-");
    cpSync(whole, directory, { recursive: true });
    const cut = cutAfter(calls);
    const first = await openDisk(directory, { folders: cut }).catch(() => undefined);
    await first?.close().catch(() => {});
    const isDecided =
      existsSync(join(directory, "old-1.new")) || existsSync(join(directory, "old-1"));
    const world = await openDisk(directory);
    expect(await everything(world), `after ${calls} calls`).toEqual(before);
    await world.close();
    expect(namesIn(directory), `after ${calls} calls`).toEqual(["old-1", "worlds"]);
    expect(contents(join(directory, "old-1"))).toEqual(contents(whole));
    told.push(isDecided);
    rmSync(directory, { recursive: true });
    if (first) break;
  }
  // The rename that decides comes once, and late.
  expect(told.indexOf(true)).toBeGreaterThan(20);
  expect(told.slice(told.indexOf(true))).not.toContain(false);
}, 120_000);
