import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasTmux, RealTerminal } from "../tui/setup/tmux.ts";
import { type Figure, type Pair, Skipped } from "./figure.ts";
import { payerBodies } from "./payers.ts";
import { processorMsOfProcess, requireProc } from "./proc.ts";
import { requestLoop } from "./request-loop.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const SIZE = { columns: 120, rows: 36 };
const LIVE_LIMIT_MS = 20_000;
const POLL_MS = 50;
/** Time in which the screen draws its first picture and compiles what it runs. */
const SETTLING_MS = 4_000;
const SPAN_MS = 10_000;
const CALLS_PER_SECOND = 50;
const IDLE_LIMIT_PERCENT = 1;
const BUSY_LIMIT_PERCENT = 4;

/** Waits until the screen shows the world. */
const becomesLive = async (terminal: RealTerminal) => {
  const startedMs = performance.now();
  while (performance.now() - startedMs < LIVE_LIMIT_MS) {
    if (terminal.screen().includes("✓ live")) return;
    await pause(POLL_MS);
  }
  throw new Error(`Expected a screen but found ${terminal.screen()}`);
};

/** Opens the screen in a real terminal, as a person sees it, and runs work with its process id. */
const onScreen = async <Result>(
  workplace: Workplace,
  { cwd }: SimulatorProcess,
  work: (pid: number) => Promise<Result>,
): Promise<Result> => {
  const terminal = new RealTerminal(cwd, SIZE);
  try {
    const program = `'${process.execPath}' '${workplace.build.serviceSim}'`;
    terminal.line(`sh -c 'echo $$ > screen.pid; exec ${program.replaceAll("'", '"')} tui'`);
    await becomesLive(terminal);
    const file = join(cwd, "screen.pid");
    if (!existsSync(file)) throw new Error(`Expected ${file} but found nothing`);
    return await work(Number(readFileSync(file, "utf8")));
  } finally {
    terminal.close();
  }
};

const percentOfCore = async (pid: number, work: () => Promise<unknown>) => {
  const startedMs = performance.now();
  const before = processorMsOfProcess(pid);
  await work();
  const usedMs = processorMsOfProcess(pid) - before;
  return (100 * usedMs) / (performance.now() - startedMs);
};

/** Quotes at a steady rate, for as long as one measurement takes. */
const steadyCalls = async (workplace: Workplace, simulator: SimulatorProcess) => {
  const { apiUrl, authorization } = simulator;
  const { origin, pathname } = new URL(apiUrl);
  const bodies = await payerBodies(simulator, 1);
  return () =>
    requestLoop(workplace, {
      origin,
      headers: { authorization },
      requests: bodies.flatMap((body) => [
        { method: "POST", path: `${pathname}/quotes`, body },
        { method: "GET", path: `${pathname}/config` },
      ]),
      connections: 1,
      total: (SPAN_MS / 1000) * CALLS_PER_SECOND,
      perSecond: CALLS_PER_SECOND,
    });
};

const screenFigure = (how: {
  name: string;
  limitPercent: number;
  workOf(workplace: Workplace, simulator: SimulatorProcess): Promise<() => Promise<unknown>>;
}): Figure => ({
  name: how.name,
  floor: `${how.limitPercent} % of a core`,
  unit: "%",
  target: { atMost: 1 },
  measure: async (workplace) => {
    requireProc();
    if (!hasTmux) throw new Skipped("tmux is not installed, which the screen is measured in");
    const simulator = await startSimulator(workplace, ["--storage", "file:.service-sim"]);
    const work = await how.workOf(workplace, simulator);
    const percents = await onScreen(workplace, simulator, async (pid) => {
      await pause(SETTLING_MS);
      await work();
      return [await percentOfCore(pid, work), await percentOfCore(pid, work)];
    });
    // The system counts whole ticks: none at all is below one.
    const smallest = 0.05;
    return percents.map(
      (percent): Pair => ({ measured: Math.max(percent, smallest), floor: how.limitPercent }),
    );
  },
});

/** CPU time of the screen, as a share of one core. */
export const screenFigures: readonly Figure[] = [
  screenFigure({
    name: "the screen, nothing happens",
    limitPercent: IDLE_LIMIT_PERCENT,
    workOf: async () => () => pause(SPAN_MS),
  }),
  screenFigure({
    name: `the screen, ${CALLS_PER_SECOND} calls a second`,
    limitPercent: BUSY_LIMIT_PERCENT,
    workOf: steadyCalls,
  }),
];
