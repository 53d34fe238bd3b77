import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import type { RunningCli } from "../../setup/cli.ts";
import { placePerTest } from "../setup/place-per-test.ts";
import { Writer } from "../setup/writer.ts";

const place = placePerTest();

const WRITERS = runsOf(20, 8);

/** Lets writers write, and kills the simulator after the given number of answers. */
const killUnderLoad = async (simulator: RunningCli, afterAnswers: number): Promise<Writer[]> => {
  let answers = 0;
  let writing: Promise<void>[] = [];
  const writers: Writer[] = [];
  await new Promise<void>((resolve, reject) => {
    const onAnswer = () => {
      answers += 1;
      if (answers === afterAnswers) simulator.stop("SIGKILL").then(() => resolve(), reject);
    };
    for (let count = 0; count < WRITERS; count += 1) writers.push(new Writer(onAnswer));
    writing = writers.map((writer) => writer.write(simulator));
    Promise.all(writing).catch(reject);
  });
  await Promise.all(writing);
  return writers;
};

const missing = async (simulator: RunningCli, writers: readonly Writer[]) =>
  (await Promise.all(writers.map((writer) => writer.missing(simulator)))).flat();

const ledgerTotals = async ({ control }: RunningCli) =>
  (await control("GET", "/ledger")).body.totals;

const someAnswers = (most: number) => 1 + Math.floor(Math.random() * most);

const KILLS = Array.from({ length: runsOf(5, 2) }, () => someAnswers(runsOf(500)));

test("kill -9 under load loses nothing acknowledged, several times in a row", async () => {
  const writers: Writer[] = [];
  let simulator = await place().start();
  for (const afterAnswers of KILLS) {
    writers.push(...(await killUnderLoad(simulator, afterAnswers)));
    simulator = await place().start();
    const when = `killed after ${afterAnswers} answers, one of ${KILLS}`;
    expect(await missing(simulator, writers), when).toEqual([]);
    expect(await ledgerTotals(simulator), when).toEqual({ USD: 0 });
  }
});

test("with --fsync kill -9 under load loses nothing acknowledged", async () => {
  const writers = await killUnderLoad(await place().start("--fsync"), runsOf(150, 50));
  const simulator = await place().start("--fsync");
  expect(await missing(simulator, writers)).toEqual([]);
  expect(await ledgerTotals(simulator)).toEqual({ USD: 0 });
  expect((await simulator.control("GET", "/status")).body.storage).toMatchObject({ fsync: true });
});
