import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledProgram } from "../setup/bundled.ts";
import { directoryFor, openDisk, seen } from "./setup/disk-world.ts";

const writer = bundledProgram(fileURLToPath(new URL("./setup/points-writer.ts", import.meta.url)));

/** The last words of a writer that was killed after some of them. */
const killedAfter = async (directory: string, said: number) => {
  const child = spawn(process.execPath, [writer(), directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let last = "";
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    count += 1;
    if (count === said) child.kill("SIGKILL");
  }
  await exited;
  return last.split(" ").map(Number);
};

test("kill -9 while a world is forked, kept and restored loses nothing acknowledged", async () => {
  const directory = directoryFor("points-crash-");
  await (await openDisk(directory)).close();
  for (const said of [7, 23, 41]) {
    const [branch = 0, seq = 0] = await killedAfter(directory, said);
    const world = await openDisk(directory);
    const { state } = world.engine;
    expect(Number(state.branch)).toBeGreaterThanOrEqual(branch);
    if (state.branch === branch) expect(state.seq).toBeGreaterThanOrEqual(seq);
    expect((await seen(world)).kept).toHaveProperty("a");
    const { worlds = [], damaged } = (await world.others?.list()) ?? {};
    expect(damaged).toEqual([]);
    for (const { name } of worlds) {
      const fork = await world.others?.open(name);
      expect(fork?.engine.state.world).toBe(name);
      await fork?.remove?.();
    }
    expect(readdirSync(directory).filter((name) => /^\.(new|gone)-/.test(name))).toEqual([]);
    await world.close();
  }
}, 120_000);
