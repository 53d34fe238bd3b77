import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import type { Ready, Started } from "../../setup/cli.ts";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

const RACES = runsOf(8, 1);

/** Result of a start that may have won: ready, or refused. */
const outcomeOf = async (started: Started): Promise<Ready | { refused: string; code: number }> => {
  const line = JSON.parse((await started.firstLine()) ?? "{}");
  if (line.event === "ready") return line;
  const { code } = await started.ended;
  return { refused: line.error?.message, code: Number(code) };
};

test.each([2, 6])("of %i starts on one state exactly one becomes ready", async (count) => {
  for (let race = 1; race <= RACES; race += 1) {
    const starts = Array.from({ length: count }, () => place().command("start --port 0 --json"));
    const outcomes = await Promise.all(starts.map(outcomeOf));
    const winners = outcomes.filter((outcome) => "event" in outcome);
    expect(winners, `race ${race}`).toHaveLength(1);
    const pid = winners[0]?.pid;
    const where = place().file(".service-sim");
    const refused = `another simulator (pid ${pid}) is using ${where}`;
    for (const outcome of outcomes)
      if (!("event" in outcome)) expect(outcome).toEqual({ refused, code: 4 });
    expect(place().readJson(".service-sim", "instance.json")).toMatchObject({ pid });
    await Promise.all(starts.map((one) => one.kill()));
  }
});

test("the state of a killed process is taken over at once, again and again", async () => {
  const pids: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    const simulator = await place().start();
    const { ready } = simulator;
    pids.push(ready.pid);
    expect(await simulator.call("GET", "/config")).toMatchObject({ status: 200 });
    expect(place().readJson(".service-sim", "instance.json")).toMatchObject({ pid: ready.pid });
    await simulator.stop("SIGKILL");
  }
  expect(new Set(pids).size).toBe(2);
});
