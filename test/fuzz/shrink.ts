import { fewest } from "./fewest.ts";
import type { FuzzedWorld } from "./fuzzed-world.ts";
import type { Try } from "./hostile-requests.ts";
import { problemsOf } from "./judge.ts";
import type { Finding, Step } from "./lane.ts";
import { LaneConnection } from "./lane-connection.ts";
import { LaneWorld } from "./lane-world.ts";
import { waits } from "./samples.ts";
import { smallerTry } from "./smaller-try.ts";
import { distinctFindings } from "./wire-campaign.ts";

/** The smallest calls found that repeat a finding in a new world of the lane's name. */
export interface Shrunk {
  finding: Finding;
  /** Makes the world; then all that must be sent, the last of which shows the problem. */
  bytes: readonly Buffer[];
  /** Calls of the lane in front of the finding. */
  earlier: number;
}

export interface ShrinkOptions {
  /** Time for an answer, after which it counts as missing. */
  deadlineMs?: number;
  /** Time for one finding; the smallest calls so far are kept then. */
  longestMs?: number;
  /** Findings that are shrunk. */
  most?: number;
}

const DEADLINE_MS = 3_000;
const LONGEST_MS = 60_000;
const MOST = 10;

/** The part of a problem that stays the same when the request becomes smaller. */
const kindOf = (problem: string) => problem.split('"')[0];

interface Replay {
  target: FuzzedWorld;
  lane: number;
  deadlineMs: number;
}

/** The problems of the last of some calls, which are sent in a new world of the lane's name. */
const replay = async ({ target, lane, deadlineMs }: Replay, steps: readonly Step[]) => {
  const world = new LaneWorld(target, lane);
  const connection = new LaneConnection(target.port);
  await world.make();
  let problems: string[] = [];
  for (const { operation, made } of steps) {
    const mayWait = waits(operation);
    const exchange = await connection.exchange(made, deadlineMs);
    problems = problemsOf({ operation, ...made, mayWait }, exchange);
  }
  connection.destroy();
  await world.remove();
  return problems;
};

/** Shrinks one finding; nothing where it does not come again. */
const shrunk = async (
  target: FuzzedWorld,
  finding: Finding,
  { deadlineMs = DEADLINE_MS, longestMs = LONGEST_MS }: ShrinkOptions,
): Promise<Shrunk | undefined> => {
  const endsMs = performance.now() + longestMs;
  const { lane, steps, problem } = finding;
  const last = steps.at(-1);
  if (!last) return undefined;
  const fails = async (some: readonly Step[]) => {
    if (performance.now() > endsMs) return false;
    const problems = await replay({ target, lane, deadlineMs }, some);
    return problems.some((one) => kindOf(one) === kindOf(problem));
  };
  const before = steps.slice(0, -1);
  const isAlone = await fails([last]);
  if (!isAlone && !(await fails(steps))) return undefined;
  const needed = isAlone ? [] : await fewest(before, (some) => fails([...some, last]));
  const made = await smallerTry(last, (one: Try) => fails([...needed, { ...last, made: one }]));
  const world = new LaneWorld(target, lane);
  const tries = [world.controlTry("POST", "/worlds", world.creation), made];
  tries.splice(1, 0, ...needed.map((step) => step.made));
  return {
    finding,
    bytes: tries.map(({ sending }) => Buffer.concat(sending.chunks)),
    earlier: before.length,
  };
};

/** Shrinks the first finding of each operation and problem. */
export const shrunkFindings = async (
  target: FuzzedWorld,
  findings: readonly Finding[],
  options: ShrinkOptions = {},
): Promise<Shrunk[]> => {
  const all: Shrunk[] = [];
  for (const { first } of distinctFindings(findings).slice(0, options.most ?? MOST)) {
    const one = await shrunk(target, first, options);
    if (one) all.push(one);
  }
  return all;
};
