import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RestorePoints } from "../../../../src/runtime/past/restore-points.ts";
import { Timelines } from "../../../../src/runtime/past/timelines.ts";
import { machineWall } from "../../../../src/runtime/ports.ts";
import { machineFiles } from "../../../../src/storage/file/journal/journal-file.ts";
import { folderNameOf, nameOfFolder } from "../../../../src/storage/file/state/folder-names.ts";
import { machineFolders } from "../../../../src/storage/file/timeline/folder-calls.ts";
import type { OpenWorld } from "../../../../src/storage/open-world.ts";
import type { OtherWorlds } from "../../../../src/storage/world/world-handle.ts";
import { imageOf } from "../../../runtime/setup/random-world.ts";
import {
  abandon,
  change,
  cutAfter,
  directoryFor,
  openDisk,
  seen,
  stepsOf,
  turned,
} from "../../setup/disk-world.ts";

const birthOf = (name: string) => ({ name, clientId: `sandbox+${name}` });

const othersOf = ({ others }: OpenWorld) => others as OtherWorlds;

const opened = async (world: OpenWorld, name: string) =>
  (await othersOf(world).open(name)) as OpenWorld;

/** Takes a fork back to the state that it was forked with. */
const resetOf = async ({ engine, points, stateAtFork: forkedAt }: OpenWorld) => {
  const start = await forkedAt?.();
  if (!start) throw new Error("no beginning");
  await new Timelines({ engine, points, wall: machineWall, leave: () => {} }).returnTo(start);
};

/** Parts that a fork takes over as they are; open deliveries stay with the origin. */
const withoutFork = ({ balances, postings, present }: ReturnType<typeof imageOf>) => ({
  balances,
  postings,
  present,
});

test("a fork whose journal cannot be opened is refused and is not there", async () => {
  const directory = directoryFor("worlds-");
  let isFailing = false;
  const open = (path: string) => {
    if (isFailing) throw new Error("EMFILE: too many open files");
    return machineFiles.open(path);
  };
  const world = await openDisk(directory, { files: { ...machineFiles, open } });
  await change(world, stepsOf(3));
  isFailing = true;
  await expect(world.fork(birthOf("one"))).rejects.toMatchObject({ name: "JournalFailure" });
  isFailing = false;
  expect((await othersOf(world).list()).worlds).toEqual([]);
  const fork = await world.fork(birthOf("one"));
  expect((await othersOf(world).list()).worlds).toMatchObject([{ name: "one" }]);
  await fork.close();
  await world.close();
});

test("a fork begins as its origin is, and lives on its own across restarts", async () => {
  const directory = directoryFor("worlds-");
  const world = await openDisk(directory);
  await change(world, [...stepsOf(10), { slot: 1, act: "post", waits: 0 }]);
  const origin = imageOf(world.engine.state);
  const fork = await world.fork({
    name: "one",
    clientId: "one",
    credentials: { clientSecret: "its own" },
  });
  expect(fork.engine.state.meta()).toMatchObject({
    world: "one",
    branch: "w.one",
    seed: "s",
    seq: origin.meta.seq + 1,
  });
  expect(fork.engine.state.balanceImages().sort()).toEqual(origin.balances);
  expect(imageOf(world.engine.state)).toEqual(origin);
  await change(fork, stepsOf(5));
  await change(world, stepsOf(3, 4));
  const [ofFork, ofWorld] = [imageOf(fork.engine.state), imageOf(world.engine.state)];
  await fork.kept.rotateWebhookKey();
  await fork.close();
  await world.close();

  const again = await openDisk(directory);
  expect(imageOf(again.engine.state)).toEqual(ofWorld);
  const { worlds, damaged } = await othersOf(again).list();
  expect(damaged).toEqual([]);
  expect(worlds).toMatchObject([
    {
      name: "one",
      from: "sandbox",
      summary: {
        clientId: "one",
        records: fork.engine.state.recordCount(),
        atMs: ofFork.meta.atMs,
        keys: expect.arrayContaining([`user one ${hash("sha256", "its own", "hex")}`]),
      },
    },
  ]);
  expect(JSON.stringify(worlds)).not.toContain("its own");
  const forkAgain = await opened(again, "one");
  expect(forkAgain.identity).toMatchObject({
    clientId: "one",
    clientSecret: "its own",
    seed: "s",
  });
  expect(imageOf(forkAgain.engine.state)).toEqual(ofFork);
  expect(forkAgain.identity.webhookKeyPem).toBe(fork.kept.now.webhookKeyPem);
  expect(forkAgain.identity.webhookKeyPem).not.toBe(again.identity.webhookKeyPem);
  expect(await othersOf(again).open("two")).toBeUndefined();
  await forkAgain.close();
  await again.close();
});

test("a fork of a fork, of a kept state, and the reset of each", async () => {
  const directory = directoryFor("worlds-deep-");
  const world = await openDisk(directory, { checkpointAfterBytes: 2_000 });
  await change(world, stepsOf(12));
  await (world.points as RestorePoints).save("kept");
  await change(world, stepsOf(6, 3));
  const first = await world.fork(birthOf("first"));
  const start = imageOf(first.engine.state);
  await change(first, stepsOf(9));
  const second = await first.fork(birthOf("second"));
  expect(withoutFork(imageOf(second.engine.state))).toEqual(
    withoutFork(imageOf(first.engine.state)),
  );
  const state = await (world.points as RestorePoints).load("kept");
  if (!state) throw new Error("no state");
  const image = imageOf(state);
  const third = await world.fork({ ...birthOf("third"), state });
  expect(withoutFork(imageOf(third.engine.state))).toEqual(withoutFork(image));
  await resetOf(first);
  const back = imageOf(first.engine.state);
  expect(back).toEqual({ ...start, meta: { ...start.meta, branch: "w.first~1" } });
  const before = new Map(
    [first, second, third].map(({ engine }) => [engine.state.world, imageOf(engine.state)]),
  );
  for (const one of [first, second, third]) await abandon(one, directory);
  await abandon(world, directory);

  const again = await openDisk(directory);
  for (const [name, expected] of before)
    expect(imageOf((await opened(again, name)).engine.state)).toEqual(expected);
  await again.close();
});

test("worlds are listed in the order in which they were made", async () => {
  const directory = directoryFor("worlds-order-");
  const world = await openDisk(directory);
  for (const name of ["c", "a"]) await (await world.fork(birthOf(name))).close();
  await world.close();
  const again = await openDisk(directory);
  await (await again.fork(birthOf("b"))).close();
  expect((await othersOf(again).list()).worlds.map(({ name }) => name)).toEqual(["c", "a", "b"]);
  await again.close();
});

test("snapshots and rewinds of a fork are its own", async () => {
  const directory = directoryFor("worlds-points-");
  const world = await openDisk(directory);
  await change(world, stepsOf(5));
  const fork = await world.fork(birthOf("one"));
  const points = fork.points as RestorePoints;
  const begun = fork.engine.state.seq;
  expect(points.earliest()?.seq).toBe(begun);
  await change(fork, stepsOf(4));
  await points.save("a");
  await change(fork, stepsOf(2));
  expect((world.points as RestorePoints).list()).toEqual([]);
  expect(await points.earlier({ seq: begun - 1 })).toBeUndefined();
  const state = await points.earlier({ seq: begun + 1 });
  if (!state) throw new Error("not reached");
  await points.switchTo(turned(fork, state));
  const after = await seen(fork);
  await fork.close();
  const again = await opened(world, "one");
  expect(await seen(again)).toEqual(after);
  await again.close();
  await world.close();
});

test("a removed world is gone, and its name is free", async () => {
  const directory = directoryFor("worlds-remove-");
  const world = await openDisk(directory);
  const fork = await world.fork(birthOf("one"));
  await change(fork, stepsOf(4));
  await (fork.points as RestorePoints).save("a");
  await fork.remove?.();
  expect(await othersOf(world).list()).toEqual({ worlds: [], damaged: [] });
  const next = await world.fork(birthOf("one"));
  expect((next.points as RestorePoints).list()).toEqual([]);
  await next.close();
  await world.close();
});

test("names that platforms refuse have folders all the same", async () => {
  const names = ["con", "con.x", "aux", "lpt1", "com0.a.b", "x.", "a..", "console", "a-b_c.d"];
  expect(names.map(folderNameOf)).toEqual([
    "=con",
    "=con.x",
    "=aux",
    "=lpt1",
    "=com0.a.b",
    "x.=",
    "a..=",
    "console",
    "a-b_c.d",
  ]);
  expect(names.map((name) => nameOfFolder(folderNameOf(name)))).toEqual(names);
  for (const foreign of ["con", "x.", "=a", "a=", ".new-1", "Upper", ""])
    expect(nameOfFolder(foreign)).toBeUndefined();
  const directory = directoryFor("worlds-names-");
  const world = await openDisk(directory);
  await (await world.fork(birthOf("con"))).close();
  expect(readdirSync(join(directory, "worlds"))).toEqual(["=con", "sandbox"]);
  expect((await opened(world, "con")).engine.state.world).toBe("con");
  await world.close();
});

/** Files that the list of worlds is made from; the others are read when a world is opened. */
const LISTED = new Set(["world.json", "summary.json"]);

test.each(["world.json", "identity.json", "line-0/line.json", "summary.json"])(
  "a world whose %s is damaged is told by its name, and the others open",
  async (file) => {
    const directory = directoryFor("worlds-damage-");
    const world = await openDisk(directory);
    for (const name of ["bad", "good"]) await (await world.fork(birthOf(name))).close();
    await world.close();
    const path = join(directory, "worlds", "bad", ...file.split("/"));
    const whole = readFileSync(path);
    const again = await openDisk(directory);
    for (let at = 0; at < whole.length; at += file === "world.json" ? 1 : 37) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ 0x01;
      for (const bytes of [flipped, whole.subarray(0, at)]) {
        writeFileSync(path, bytes);
        await expect(othersOf(again).open("bad")).rejects.toMatchObject({ file: path });
        if (!LISTED.has(file)) continue;
        const { worlds, damaged } = await othersOf(again).list();
        expect(worlds.map(({ name }) => name)).toEqual(["good"]);
        expect(damaged).toMatchObject([{ name: "bad", damage: { file: path } }]);
      }
    }
    expect((await opened(again, "good")).engine.state.world).toBe("good");
    await again.close();
  },
);

const ACTS = [
  {
    what: "a fork",
    prepare: async () => {},
    act: async (world: OpenWorld) => {
      await world.fork(birthOf("new"));
    },
  },
  {
    what: "the removal of a world",
    prepare: async (world: OpenWorld) => {
      const fork = await world.fork(birthOf("new"));
      await change(fork, stepsOf(2));
      await fork.close();
    },
    act: async (world: OpenWorld) => {
      await (await opened(world, "new")).remove?.();
    },
  },
] as const;

/** All worlds of a directory, as a start finds them. */
const found = async (directory: string) => {
  const world = await openDisk(directory);
  const all: Record<string, unknown> = { sandbox: imageOf(world.engine.state) };
  const { worlds, damaged } = await othersOf(world).list();
  expect(damaged).toEqual([]);
  for (const { name } of worlds) all[name] = imageOf((await opened(world, name)).engine.state);
  expect(readdirSync(directory).filter((name) => /^\.(new|gone)-/.test(name))).toEqual([]);
  await world.close();
  return all;
};

const prepared = async (directory: string, { prepare }: (typeof ACTS)[number]) => {
  const world = await openDisk(directory);
  await change(world, stepsOf(6));
  await prepare(world);
  await world.close();
};

test.each(ACTS)(
  "$what is done or not, wherever a kill cuts it",
  async (row) => {
    const whole = directoryFor("worlds-whole-");
    await prepared(whole, row);
    const before = await found(whole);
    const calls = cutAfter(Number.POSITIVE_INFINITY);
    const world = await openDisk(whole, { folders: calls });
    const opening = calls.made;
    await row.act(world);
    const made = calls.made;
    await abandon(world, whole);
    const after = await found(whole);
    expect(Object.keys(after)).not.toEqual(Object.keys(before));
    for (let at = opening; at < made; at += 1) {
      const directory = directoryFor("worlds-cut-");
      await prepared(directory, row);
      const killed = await openDisk(directory, { folders: cutAfter(at) });
      const isDone = await row.act(killed).then(
        () => true,
        () => false,
      );
      await abandon(killed, directory);
      const now = await found(directory);
      if (isDone) expect(now).toEqual(after);
      else expect([before, after]).toContainEqual(now);
    }
  },
  60_000,
);

test("a fork that storage refuses leaves nothing, and can be repeated", async () => {
  const directory = directoryFor("worlds-refused-");
  const folders = { ...machineFolders };
  const world = await openDisk(directory, { folders });
  folders.rename = () => Promise.reject(new Error("ENOSPC: no space left on device"));
  await expect(world.fork(birthOf("one"))).rejects.toMatchObject({
    name: "JournalFailure",
    message: "storage failed: ENOSPC: no space left on device",
  });
  expect(await othersOf(world).list()).toEqual({ worlds: [], damaged: [] });
  folders.rename = machineFolders.rename;
  await (await world.fork(birthOf("one"))).close();
  await world.close();
});
