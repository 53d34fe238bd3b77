import { readdirSync, rmSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RestorePoints } from "../../../../src/runtime/past/restore-points.ts";
import type { WorldState } from "../../../../src/runtime/world-state.ts";
import { machineFolders } from "../../../../src/storage/file/timeline/folder-calls.ts";
import type { OpenWorld } from "../../../../src/storage/open-world.ts";
import { imageOf, stepOf, turns } from "../../../runtime/setup/random-world.ts";
import { runsOf } from "../../../setup/campaign.ts";
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

const pointsOf = ({ points }: OpenWorld) => points as RestorePoints;

const loaded = async (world: OpenWorld, name: string) =>
  (await pointsOf(world).load(name)) as WorldState;

test("a kept state is the world at that point, also after a restart", async () => {
  const directory = directoryFor("points-");
  const world = await openDisk(directory);
  await change(world, stepsOf(20));
  const then = imageOf(world.engine.state);
  const point = await pointsOf(world).save("one");
  expect(point).toMatchObject({ name: "one", seq: then.meta.seq, clock: { mode: "manual" } });
  expect(point.records).toBe(world.engine.state.recordCount());
  await change(world, stepsOf(20, 7));
  expect(imageOf(await loaded(world, "one"))).toEqual(then);
  await world.close();

  const again = await openDisk(directory);
  expect(pointsOf(again).list()).toEqual([point]);
  expect(imageOf(await loaded(again, "one"))).toEqual(then);
  expect(await pointsOf(again).load("two")).toBeUndefined();
  await again.close();
});

test("a state that is replaced or removed while it is read is the new one, or none", async () => {
  const directory = directoryFor("points-read-");
  const world = await openDisk(directory);
  await change(world, stepsOf(20));
  const points = pointsOf(world);
  await points.save("one");
  const read = { found: 0, missing: 0 };
  for (let round = 0; round < 40; round += 1) {
    const changed = round % 2 === 0 ? points.save("one") : points.remove("one");
    const reads = Array.from({ length: 10 }, async (_, at) => {
      for (let turn = 0; turn < at * 3; turn += 1) await new Promise(setImmediate);
      read[(await points.load("one")) ? "found" : "missing"] += 1;
    });
    await Promise.all([changed, ...reads]);
  }
  expect(read.found).toBeGreaterThan(0);
  expect(read.missing).toBeGreaterThan(0);
  expect(read.found + read.missing).toBe(400);
  await world.close();
});

test("a state whose world ends while it is read is not taken for damaged", async () => {
  const directory = directoryFor("points-ended-");
  const world = await openDisk(directory);
  await change(world, stepsOf(20));
  await pointsOf(world).save("one");
  await world.close();
  rmSync(directory, { recursive: true });
  await expect(pointsOf(world).load("one")).rejects.toThrow("the world is closed");
});

test("a world returns to a state that was removed after it was read", async () => {
  const directory = directoryFor("points-gone-");
  const world = await openDisk(directory);
  await change(world, stepsOf(20));
  const points = pointsOf(world);
  await points.save("one");
  await change(world, stepsOf(20, 7));
  const state = turned(world, await loaded(world, "one"));
  const then = imageOf(state);
  await points.remove("one");
  await points.switchTo(state);
  expect(imageOf(world.engine.state)).toEqual(then);
  await world.close();
  const again = await openDisk(directory);
  expect(imageOf(again.engine.state).records).toEqual(then.records);
  await again.close();
});

interface Turn {
  does: "save" | "restore" | "earlier" | "rewind" | "free" | "put" | "remove" | "reopen";
  steps: { slot: number; act: "put" | "del" | "post" | "emit"; waits: number }[];
  back: number;
}

const turnOf = fc.record<Turn>({
  does: fc.constantFrom("save", "restore", "earlier", "rewind", "free", "put", "remove", "reopen"),
  steps: fc.array(stepOf, { maxLength: 12 }),
  back: fc.nat(15),
});

/** Plays turns on a world on disk and compares it with states held in memory. */
const checkTurns = async (runs: number, seed?: number) =>
  fc.assert(
    fc.asyncProperty(
      fc.array(turnOf, { maxLength: 12 }),
      fc.constantFrom(300, 1_500, 100_000),
      async (played, checkpointAfterBytes) => {
        const directory = directoryFor("points-turns-");
        let world = await openDisk(directory, { checkpointAfterBytes });
        const kept = new Map<string, ReturnType<typeof imageOf>>();
        const check = async () => {
          expect(
            pointsOf(world)
              .list()
              .map(({ name }) => name)
              .sort(),
          ).toEqual([...kept.keys()].sort());
          for (const [name, image] of kept)
            expect(imageOf(await loaded(world, name))).toEqual(image);
        };
        let past: WorldState[] = [];
        const switchTo = async (state: WorldState, options = {}) => {
          await pointsOf(world).switchTo(turned(world, state), options);
          past = past.filter(({ seq }) => seq <= state.seq);
        };
        for (const { does, steps, back } of played) {
          for (const step of steps) {
            past.push(world.engine.state.fork());
            await change(world, [step]);
          }
          const name = `s${back % 3}`;
          const points = pointsOf(world);
          if (does === "save") {
            await points.save(name);
            kept.set(name, imageOf(world.engine.state));
          }
          if (does === "put") {
            const state = past[back] ?? world.engine.state;
            await points.put(name, state);
            kept.set(name, imageOf(state));
          }
          if (does === "remove") expect(await points.remove(name)).toBe(kept.delete(name));
          if (does === "restore" && kept.has(name)) {
            past = [];
            await switchTo(await loaded(world, name));
          }
          const own = () => (past[back] ?? world.engine.state).fork();
          if (does === "free") await switchTo(own());
          if (does === "rewind") await switchTo(own(), { isOwnPast: true });
          if (does === "earlier") {
            const before = past[back];
            const state = before && (await points.earlier({ seq: before.seq }));
            if (state) {
              expect({ ...imageOf(state), meta: 0 }).toEqual({ ...imageOf(before), meta: 0 });
              await switchTo(state);
            } else if (before) expect(points.earliest()?.seq).toBeGreaterThan(before.seq);
          }
          if (does === "reopen") {
            const before = imageOf(world.engine.state);
            if (back % 2 === 0) await world.close();
            else await abandon(world, directory);
            world = await openDisk(directory, { checkpointAfterBytes });
            expect(imageOf(world.engine.state)).toEqual(before);
          }
        }
        await check();
        const before = imageOf(world.engine.state);
        await world.close();
        world = await openDisk(directory);
        expect(imageOf(world.engine.state)).toEqual(before);
        await check();
        await world.close();
      },
    ),
    { numRuns: runs, ...(seed !== undefined && { seed }) },
  );

test("whatever is kept, restored and changed, each state is what it was", async () => {
  await checkTurns(runsOf(60));
}, 120_000);

const ACTS: readonly {
  what: string;
  prepare: (world: OpenWorld) => Promise<unknown>;
  act: (world: OpenWorld) => Promise<unknown>;
}[] = [
  { what: "a first snapshot", prepare: async () => {}, act: (world) => pointsOf(world).save("a") },
  {
    what: "a snapshot over another",
    prepare: async (world) => {
      await pointsOf(world).save("a");
      await change(world, stepsOf(3));
    },
    act: (world) => pointsOf(world).save("a"),
  },
  {
    what: "a snapshot of a state from elsewhere",
    prepare: (world) => pointsOf(world).save("a"),
    act: (world) => pointsOf(world).put("a", world.engine.state.fork()),
  },
  {
    what: "the removal of a snapshot",
    prepare: (world) => pointsOf(world).save("a"),
    act: (world) => pointsOf(world).remove("a"),
  },
  {
    what: "a restore",
    prepare: async (world) => {
      await pointsOf(world).save("a");
      await change(world, stepsOf(3));
    },
    act: async (world) => pointsOf(world).switchTo(turned(world, await loaded(world, "a"))),
  },
  {
    what: "a second restore",
    prepare: async (world) => {
      await pointsOf(world).save("a");
      await pointsOf(world).switchTo(turned(world, await loaded(world, "a")));
      await change(world, stepsOf(5));
    },
    act: async (world) => pointsOf(world).switchTo(turned(world, await loaded(world, "a"))),
  },
  {
    what: "a rewind to a point of the journal",
    prepare: async () => {},
    act: async (world) => {
      const state = (await pointsOf(world).earlier({ seq: 6 })) as WorldState;
      await pointsOf(world).switchTo(turned(world, state));
    },
  },
  {
    what: "a rewind to a state in memory",
    prepare: async () => {},
    act: (world) => pointsOf(world).switchTo(turned(world, world.engine.state.fork())),
  },
];

const prepared = async (directory: string, { prepare }: (typeof ACTS)[number]) => {
  const world = await openDisk(directory);
  await change(world, stepsOf(12));
  await prepare(world);
  const before = await seen(world);
  await world.close();
  return before;
};

test.each(ACTS)(
  "$what is done or not, wherever a kill cuts it",
  async (row) => {
    const whole = directoryFor("points-whole-");
    await prepared(whole, row);
    const calls = cutAfter(Number.POSITIVE_INFINITY);
    const world = await openDisk(whole, { folders: calls });
    const opening = calls.made;
    await row.act(world);
    const after = await seen(world);
    const made = calls.made;
    await world.close();
    expect(made - opening).toBeGreaterThan(1);

    let wasBefore = 0;
    for (let at = opening; at < made; at += 1) {
      const directory = directoryFor("points-cut-");
      const before = await prepared(directory, row);
      const folders = cutAfter(at);
      const killed = await openDisk(directory, { folders });
      const isDone = await row.act(killed).then(
        () => true,
        () => false,
      );
      await abandon(killed, directory);
      const again = await openDisk(directory);
      const found = await seen(again);
      if (isDone) expect(found).toEqual(after);
      else expect([before, after]).toContainEqual(found);
      if (!isDone && found.state.meta.seq === before.state.meta.seq) wasBefore += 1;
      expect(readdirSync(directory).filter((name) => /^\.(new|gone)-/.test(name))).toEqual([]);
      await again.close();
    }
    expect(wasBefore).toBeGreaterThan(0);
  },
  60_000,
);

test("an act that storage refuses changes nothing, and can be repeated", async () => {
  const directory = directoryFor("points-refused-");
  const folders = { ...machineFolders };
  const world = await openDisk(directory, { folders });
  await change(world, stepsOf(12));
  const before = await seen(world);
  folders.rename = () => Promise.reject(new Error("EIO: i/o error"));
  const failure = { name: "JournalFailure", message: "storage failed: EIO: i/o error" };
  await expect(pointsOf(world).save("a")).rejects.toMatchObject(failure);
  const state = turned(world, world.engine.state.fork());
  await expect(pointsOf(world).switchTo(state)).rejects.toMatchObject(failure);
  expect(await seen(world)).toEqual(before);
  expect(world.engine.isWritable).toBe(true);
  expect(readdirSync(directory).filter((name) => name.startsWith(".new"))).toEqual([]);
  folders.rename = machineFolders.rename;
  await change(world, stepsOf(1));
  await pointsOf(world).save("a");
  await pointsOf(world).switchTo(turned(world, await loaded(world, "a")));
  await world.close();
});

test.each(["EPERM", "EXDEV", "ENOTSUP", "EMLINK"])(
  "where link answers %s, files are copied, which is said once",
  async (code) => {
    const directory = directoryFor("points-copied-");
    const link = () => {
      throw Object.assign(new Error(`${code}: link`), { code });
    };
    const world = await openDisk(directory, { folders: { ...machineFolders, link } });
    const told: string[] = [];
    world.engine.listeners.add({ alarm: (message) => told.push(message) });
    await change(world, stepsOf(12));
    const before = imageOf(world.engine.state);
    await pointsOf(world).save("a");
    await pointsOf(world).save("b");
    expect(imageOf(await loaded(world, "a"))).toEqual(before);
    expect(told).toEqual([
      `this file system links no files (${code}): snapshots copy them, which takes longer`,
    ]);
    await world.close();
  },
);

test.each(["EIO", "ENOSPC", "ENOENT"])("where link answers %s, nothing is kept", async (code) => {
  const directory = directoryFor("points-no-link-");
  const link = () => {
    throw Object.assign(new Error(`${code}: link`), { code });
  };
  const world = await openDisk(directory, { folders: { ...machineFolders, link } });
  await expect(pointsOf(world).save("a")).rejects.toMatchObject({ name: "JournalFailure" });
  expect(pointsOf(world).list()).toEqual([]);
  await world.close();
});

test("calls wait while a world is taken to another state, and nothing commits", async () => {
  const directory = directoryFor("points-gate-");
  let arrived = () => {};
  let goOn = () => {};
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const folders = {
    ...machineFolders,
    rename: async (from: string, to: string) => {
      if (isOpen) return machineFolders.rename(from, to);
      arrived();
      await held;
      return machineFolders.rename(from, to);
    },
  };
  let isOpen = true;
  const world = await openDisk(directory, { folders });
  await change(world, stepsOf(4));
  isOpen = false;
  const { seq } = world.engine.state;
  const turning = pointsOf(world).switchTo(turned(world, world.engine.state.fork()));
  await reached;
  expect(world.engine.gate.opens).toBeDefined();
  expect(() => world.engine.commit(() => {}, undefined, { cause: "x", by: "x" })).toThrow();
  const waiting = world.engine.gate.whenOpen().then(() => {
    isOpen = true;
  });
  await turns(5);
  expect(isOpen).toBe(false);
  goOn();
  await turning;
  await waiting;
  expect(world.engine.state.seq).toBe(seq);
  await change(world, stepsOf(1));
  await world.close();
});
