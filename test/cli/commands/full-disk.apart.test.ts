import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { documentOf, waitUntil } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

// A detached simulator is nobody's child, so `stop` ends it.
let env: { SERVICE_SIM_STORAGE: string };
afterEach(() => place().run("stop", { env }));

const OPTIONS = ["-t", "tmpfs", "-o", "size=2m", "tmpfs"];

const canMount = () => {
  const probe = mkdtempSync(join(tmpdir(), "service-sim-mount-"));
  const { status } = spawnSync("mount", [...OPTIONS, probe]);
  if (status === 0) execFileSync("umount", [probe]);
  rmSync(probe, { recursive: true });
  return status === 0;
};

const hasMounts = canMount();
if (!hasMounts)
  process.stderr.write(
    "SKIPPED: no full disk is tried here: mounting a tmpfs needs Linux and root\n",
  );

/** Fills the disk. */
const fill = (file: string) => {
  const fd = openSync(file, "a");
  try {
    for (const size of [64 * 1024, 4096, 1]) {
      const bytes = Buffer.alloc(size, "x");
      try {
        while (writeSync(fd, bytes) > 0);
      } catch {}
    }
  } finally {
    closeSync(fd);
  }
};

const callerOf = (ready: { apiUrl: string; clientId: string; clientSecret: string }) => {
  const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
  const headers = { authorization, "content-type": "application/json" };
  return async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(ready.apiUrl + path, init);
    return { status: response.status, body: await response.json() };
  };
};

/** A file system of 2 MiB, which holds the state of the test's simulators. */
const smallDisk = () => {
  const disk = mkdtempSync(join(tmpdir(), "service-sim-disk-"));
  execFileSync("mount", [...OPTIONS, disk]);
  onTestFinished(() => {
    spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  env = { SERVICE_SIM_STORAGE: `file:${disk}/state` };
  return disk;
};

const CUSTOMER = { customerType: "INDIVIDUAL" };

test.runIf(hasMounts)(
  "a detached simulator outlives a full disk: reads, refuses writes, and recovers by itself",
  async () => {
    const disk = smallDisk();
    const run = (words: string) => place().run(words, { env });
    const ready = documentOf(await run("start --detach --port 0 --json"));
    const call = callerOf(ready);
    const created: string[] = [];
    const create = async () => {
      const { status, body } = await call("POST", "/customers", CUSTOMER);
      if (status === 201) created.push(body.id);
      return status;
    };
    expect(await create()).toBe(201);

    const filler = join(disk, "filler");
    // The last pages of log and journal have room for a few more lines.
    await waitUntil("a write refused", async () => {
      fill(filler);
      return (await create()) === 503;
    });
    for (let count = 0; count < 50; count += 1) expect(await create()).toBe(503);
    expect((await call("GET", "/customers")).status).toBe(200);
    const log = join(disk, "state", "service-sim.log");
    expect(readFileSync(log, "utf8")).toContain("POST /customers");

    const full = documentOf(await run("doctor --json --port 0"));
    expect(full.checks).toContainEqual({
      check: "space",
      ok: false,
      found: "0 MiB free for the state: writes get 503 until there is room",
      next: "free some space; a running simulator then continues by itself",
    });
    const status = documentOf(await run("status --json"));
    expect(status.storage).toMatchObject({ writable: false, why: /ENOSPC/ });

    rmSync(filler);
    await waitUntil("a write taken again", async () => (await create()) === 201);
    expect(documentOf(await run("status --json"))).toMatchObject({
      pid: ready.pid,
      storage: { writable: true },
    });
    expect(readFileSync(log, "utf8")).toMatch(/\nnote {3}\d+ lines? (is|are) missing here: /);

    expect(await run("stop")).toMatchObject({ code: 0 });
    expect(readdirSync(join(disk, "state")).filter((name) => name.includes("tmp"))).toEqual([]);
    const again = documentOf(await run("start --detach --port 0 --json"));
    const { body } = await callerOf(again)("GET", "/customers?limit=100");
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(created.sort());
  },
);

test.runIf(hasMounts)("a stop on a full disk is a clean one", async () => {
  const disk = smallDisk();
  const { started } = await place().startProcess("", { env });
  fill(join(disk, "filler"));
  expect(await started.kill()).toMatchObject({ code: 0, stderr: "" });
  rmSync(join(disk, "filler"));
  const again = await place().startProcess("", { env });
  expect((await again.call("GET", "/config")).status).toBe(200);
});

test.runIf(hasMounts).each([
  { where: "on a device that is full", fileOn: () => "/dev/full" },
  { where: "where a part of it fits", fileOn: (disk: string) => join(disk, "completion.sh") },
])("an answer written $where is an exit code, with a sentence", async ({ fileOn }) => {
  const disk = smallDisk();
  const filler = join(disk, "filler");
  fill(filler);
  // The script is longer than what is left free.
  truncateSync(filler, statSync(filler).size - 16 * 1024);
  const { code, stderr } = await place().shell(`service-sim completion bash > ${fileOn(disk)}`);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^error {2}cannot write the whole answer: ENOSPC/),
  });
});
