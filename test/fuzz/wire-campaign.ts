import { controlCall } from "./control-call.ts";
import { DESCRIBED_OPERATIONS, type DescribedOperation, nameOf } from "./described-operations.ts";
import type { FuzzedWorld, ServedState } from "./fuzzed-world.ts";
import { type Finding, type Kind, Lane, type LaneOptions, type Tally } from "./lane.ts";
import { canSucceed } from "./samples.ts";

export interface CampaignOptions {
  seed: number;
  requests: number;
  /** Repeats this lane alone. */
  lane?: number;
  /** All operations of the server, as its documents describe them. */
  operations?: readonly DescribedOperation[];
  /** Operations that are called; all by default. */
  only?: readonly DescribedOperation[];
  kinds?: readonly Kind[];
  /** Requests of a lane, which has a world of its own. */
  perLane?: number;
  /** Findings after which no further round is begun, e.g. since the server is gone. */
  mostFindings?: number;
  /** Time for an answer; the connection counts as hanging afterwards. */
  deadlineMs?: number;
  /** Told after each round. */
  onRound?: (requests: number, heapBytes: number) => void;
}

/** A campaign's target: a world to call, and the state of the process that serves it. */
export interface Target extends FuzzedWorld {
  state(): ServedState | Promise<ServedState>;
}

/** Everything that a campaign found. */
export interface Report {
  tally: Tally;
  /** Operations whose valid requests were never answered with 2xx. */
  unreached: string[];
  /** Bytes of the heap by requests sent, each after a collection of garbage and without forks. */
  heap: { requests: number; bytes: number }[];
  alarms: readonly string[];
  polluted: readonly string[];
  seconds: number;
}

const REQUESTS_PER_LANE = 250;
const LANES_AT_ONCE = 4;
const ROUND_OF_LANES = 8;
const MOST_FINDINGS = 1_000;
const DEADLINE_MS = 20_000;
/** Further lanes for operations that no valid request has reached. */
const LAST_TRIES = 6;
const LAST_REQUESTS = 10;
/** Number of the first further lane, above every other. */
const FIRST_LAST_LANE = 1_000_000;

const emptyTally = (): Tally => ({
  requests: 0,
  byKind: { valid: 0, boundary: 0, invalid: 0, hostile: 0 },
  byStatus: new Map(),
  reached: new Set(),
  findings: [],
});

/** Runs lanes, some at a time. */
const runLanes = async (lanes: readonly (() => Promise<void>)[], atOnce: number) => {
  const waiting = [...lanes];
  const work = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift()) await lane();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

/** Removes every world but the default one, so that the heap has nothing of the lanes. */
const removeWorlds = async (target: FuzzedWorld) => {
  const answer = await controlCall(target, "/worlds");
  const { data } = (await answer.json()) as { data: { name: string }[] };
  for (const { name } of data.slice(1))
    await (await controlCall(target, `/worlds/${name}`, { method: "DELETE" })).text();
};

/** Calls again what no valid request has reached: the world was against it, or the campaign short. */
const reachTheRest = async (
  target: Target,
  tally: Tally,
  { only = [], ...options }: Omit<LaneOptions, "lane" | "requests">,
) => {
  const reachable = only.filter((one) => canSucceed(one, target.revision));
  const missing = () => reachable.filter((one) => !tally.reached.has(nameOf(one)));
  for (let round = 0; round < LAST_TRIES && missing().length > 0; round += 1)
    for (const [index, one] of missing().entries()) {
      const lane = FIRST_LAST_LANE + round * 1_000 + index;
      const alone = { only: [one], kinds: ["valid" as const], requests: LAST_REQUESTS };
      await new Lane(target, { ...options, ...alone, lane }, tally).run();
    }
  return missing().map(nameOf);
};

/** Calls a simulator with requests of all kinds, and judges every answer. */
export const runCampaign = async (target: Target, options: CampaignOptions): Promise<Report> => {
  const { seed, requests, kinds, operations = DESCRIBED_OPERATIONS, only = operations } = options;
  const { deadlineMs = DEADLINE_MS, onRound, perLane = REQUESTS_PER_LANE } = options;
  const { mostFindings = MOST_FINDINGS } = options;
  const startedMs = performance.now();
  const tally = emptyTally();
  const heap: Report["heap"] = [];
  const shared = { seed, operations, only, deadlineMs, mostFindings, ...(kinds && { kinds }) };
  const laneOf = (lane: number) => () =>
    new Lane(target, { ...shared, lane, requests: perLane }, tally).run();
  let lane = 0;
  const isOver = () =>
    tally.findings.length >= mostFindings ||
    (options.lane === undefined ? tally.requests >= requests : lane > 0);
  while (!isOver()) {
    const left = Math.ceil((requests - tally.requests) / perLane);
    const count = Math.min(ROUND_OF_LANES, Math.max(1, left));
    const numbers = Array.from({ length: count }, (_, index) => lane + index);
    await runLanes(
      (options.lane === undefined ? numbers : [options.lane]).map(laneOf),
      LANES_AT_ONCE,
    );
    lane += count;
    // Whoever damages answers damages these too, and was found by the lanes.
    await removeWorlds(target).catch(() => {});
    const { heapBytes } = await target.state();
    heap.push({ requests: tally.requests, bytes: heapBytes });
    onRound?.(tally.requests, heapBytes);
  }
  const isWhole = options.lane === undefined && tally.findings.length < mostFindings;
  const unreached = isWhole ? await reachTheRest(target, tally, shared) : [];
  const { alarms, polluted } = await target.state();
  const seconds = (performance.now() - startedMs) / 1000;
  return { tally, unreached, heap, alarms, polluted, seconds };
};

/** Share by which the heap may be larger at the end than in the middle. */
const HEAP_TOLERANCE = 0.05;

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** The heap in the middle of a campaign and at its end: the median of a fifth of its rounds. */
export const heapGrowth = (heap: Report["heap"]) => {
  const middle = Math.floor(heap.length / 2);
  const few = Math.max(1, Math.floor(heap.length / 5));
  const bytesOf = (rounds: Report["heap"]) => median(rounds.map(({ bytes }) => bytes));
  const before = bytesOf(heap.slice(middle, middle + few));
  const after = bytesOf(heap.slice(-few));
  return { before, after, share: before === 0 ? 0 : after / before - 1 };
};

/** Everything wrong with a campaign, a line each; the same problem is told once. */
export const complaintsOf = (report: Report, { judgesHeap }: { judgesHeap: boolean }): string[] => {
  const { share } = heapGrowth(report.heap);
  return [
    ...report.unreached.map((name) => `${name} answered no valid request with 2xx`),
    ...report.alarms.map((message) => `alarm: ${message}`),
    ...report.polluted.map((name) => `every object has the member ${name}`),
    ...(judgesHeap && share > HEAP_TOLERANCE
      ? [`the heap grew by ${(100 * share).toFixed(1)} % in the second half`]
      : []),
    ...distinctFindings(report.tally.findings).map(
      ({ first, count }) => `${first.operation}: ${first.problem} (${count} times)`,
    ),
  ];
};

/** Findings of one operation and problem, each with its first. */
export const distinctFindings = (findings: readonly Finding[]) => {
  const found = new Map<string, { first: Finding; count: number }>();
  for (const one of findings) {
    const key = `${one.operation} ${one.problem}`;
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { first: one, count: 1 });
  }
  return [...found.values()];
};
