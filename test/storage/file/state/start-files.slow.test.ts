import { existsSync, readdirSync, rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { Rounds } from "../../../../src/storage/file/state/rounds.ts";
import { imageOf } from "../../../runtime/setup/random-world.ts";
import { until } from "../../../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../../../setup/host-timers.ts";
import { change, directoryFor, openDisk, stepsOf } from "../../setup/disk-world.ts";
import { inFirstLine } from "../../setup/places.ts";

test("rounds take a few of a list and come to each", () => {
  const rounds = new Rounds();
  expect(rounds.next([], 2)).toEqual([]);
  expect(rounds.next(["a", "b", "c"], 2)).toEqual(["a", "b"]);
  expect(rounds.next(["a", "b", "c"], 2)).toEqual(["c", "a"]);
  expect(rounds.next(["a"], 2)).toEqual(["a"]);
});

// decisions/folders-that-go-away.md
test("checkpoints come and go unnoticed, and one that another program removes is noticed", async () => {
  fakeHostTimers(["setInterval", "clearInterval"]);
  try {
    const directory = directoryFor("start-files-");
    const world = await openDisk(directory, { checkpointAfterBytes: 2_000 });
    const alarms: string[] = [];
    world.engine.listeners.add({ alarm: (message) => alarms.push(message) });
    const checkpoint = inFirstLine(directory, "checkpoint");
    const folders = () => (existsSync(checkpoint) ? readdirSync(checkpoint) : []);
    const first = new Set<string>();
    for (let round = 0; round < 1_000 && first.size < 4; round += 1) {
      await change(
        world,
        stepsOf(26).map((step) => ({ ...step, waits: 1 })),
      );
      vi.advanceTimersByTime(1000);
      for (const name of folders()) first.add(name);
    }
    expect(first.size).toBeGreaterThan(3);
    // Nothing is being written once work on files has waited for its turn.
    await world.points.remove("none");
    vi.advanceTimersByTime(1000);
    expect(alarms).toEqual([]);

    rmSync(checkpoint, { recursive: true });
    vi.advanceTimersByTime(1000);
    expect(alarms.join()).toContain(`storage failed: ${checkpoint}`);
    await until("the world to take writes", () => world.engine.isWritable);
    const image = imageOf(world.engine.state);
    await world.close();
    const again = await openDisk(directory);
    expect(imageOf(again.engine.state)).toEqual(image);
    await again.close();
  } finally {
    realHostTimers();
  }
});
