import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Storage } from "unstorage";
import { expect, onTestFinished, test } from "vitest";
import { machineWall } from "../../src/runtime/ports.ts";
import { keyFiles } from "../../src/storage/file/state/key-files.ts";
import { openWorld } from "../../src/storage/open-world.ts";
import { act, imageOf, turns } from "../runtime/setup/random-world.ts";
import { bundledProgram } from "../setup/bundled.ts";
import { isCampaign } from "../setup/campaign.ts";

const directoryOf = () => {
  const directory = mkdtempSync(join(tmpdir(), "checkpoint-crash-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

const openAt = (directory: string, keyValue?: Storage) =>
  openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual" },
    checkpointAfterBytes: 1_500,
    ...(keyValue && { keyValue }),
  });

const WRITES = ["setItem", "setItemRaw", "removeItem"] as const;

/** A storage in which the n-th write of a checkpoint fails, and every later one. */
const failingFrom = (storage: Storage, n: number) => {
  let made = 0;
  return new Proxy(storage, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (!(WRITES as readonly (string | symbol)[]).includes(name)) return member;
      return (key: string, value: never) => {
        if (key.startsWith("checkpoint")) made += 1;
        if (made >= n) return Promise.reject(new Error("ENOSPC: no space left on device"));
        return member.call(target, key, value);
      };
    },
  });
};

const COMMITS = 150;

test.each(Array.from({ length: 40 }, (_, at) => at + 1))(
  "a checkpoint that fails at its change %i costs nothing",
  async (n) => {
    const directory = directoryOf();
    const world = await openAt(directory, failingFrom(keyFiles(directory), n));
    world.reset();
    for (let at = 0; at < COMMITS; at += 1) {
      const step = { slot: at % 13, act: at % 3 === 0 ? "post" : "put", waits: 0 } as const;
      world.engine.commit(act, step, { cause: "test", by: "test" });
      await turns(2);
    }
    await world.close();
    const before = imageOf(world.engine.state);

    const again = await openAt(directory);

    expect(imageOf(again.engine.state)).toEqual(before);
    await again.close();
  },
);

const writer = bundledProgram(
  fileURLToPath(new URL("./setup/checkpoint-writer.ts", import.meta.url)),
);

/** The last `seq` that the writer acknowledged, when killed after N acknowledgements. */
const killedAfter = async (child: ChildProcess, acknowledged: number) => {
  let last = 0;
  let count = 0;
  // Its output may close before the process ends, which owns the lock until then.
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    last = Number(line);
    count += 1;
    if (count === acknowledged) child.kill("SIGKILL");
  }
  await exited;
  return last;
};

test("kill -9 while checkpoints are written loses nothing acknowledged", async () => {
  const directory = directoryOf();
  for (const acknowledged of isCampaign ? [37, 90, 161, 240, 333] : [37, 161, 333]) {
    const child = spawn(process.execPath, [writer(), directory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const last = await killedAfter(child, acknowledged);
    const world = await openAt(directory);
    expect(world.engine.state.seq).toBeGreaterThanOrEqual(last);
    for (const total of Object.values(totalsOf(world.engine.state.balanceImages())))
      expect(total).toBe(0n);
    await world.close();
  }
}, 60_000);

const totalsOf = (balances: readonly [string, string, string][]) => {
  const totals: Record<string, bigint> = {};
  for (const [, currency, minor] of balances)
    totals[currency] = (totals[currency] ?? 0n) + BigInt(minor);
  return totals;
};
