import type { SimulatorOptions } from "../../../src/simulator.ts";
import type { Product } from "./product.ts";
import type { Swarm } from "./swarm.ts";

export const DIRECTORY = "/simulated/state";
export const START = "2026-01-05T09:00:00.000Z";
export const ENDPOINT = "http://receiver.test/hooks";

/** The options of a history's process. */
export const optionsOf = ({ fsync, clock, unloads }: Swarm): SimulatorOptions => ({
  storage: `file:${DIRECTORY}`,
  fsync,
  seed: "history",
  clock,
  now: START,
  webhookEndpoint: ENDPOINT,
  worldTtl: unloads ? "10m" : "1000d",
  worlds: "fixed",
  deterministicSignatures: true,
});

/** Lines of two records are long, and a turn writes a fourth of one. */
const SHORT_LINES = { records: 2, turnCharacters: 300 };

/** Lowers bounds so far that a history always reaches them; returns what puts them back. */
export const tighten = (
  { DELIVERY_BOUNDS, ATTEMPT_LIMITS, LONG_LINES }: Product,
  { open, ended }: Swarm,
) => {
  const before = [{ ...DELIVERY_BOUNDS }, { ...ATTEMPT_LIMITS }, { ...LONG_LINES }] as const;
  // One history in nine, chosen without a draw of its own: seeds keep their other meaning.
  if (open === 8 && ended === 5) Object.assign(LONG_LINES, SHORT_LINES);
  Object.assign(DELIVERY_BOUNDS, { open, ended });
  Object.assign(ATTEMPT_LIMITS, { perWorld: 2, slow: 2, retriesPerLane: 1, slowInAll: 4 });
  return () => {
    Object.assign(DELIVERY_BOUNDS, before[0]);
    Object.assign(ATTEMPT_LIMITS, before[1]);
    Object.assign(LONG_LINES, before[2]);
  };
};

/** Kinds of files that a state directory has. */
const FILES = ["journal", "checkpoint", "manifest", "lock", "snapshot", "request", "identity"];

/** The kind of a file of the state directory, by its path. */
export const fileOf = (path: string) => FILES.find((kind) => path.includes(kind)) ?? "another file";

const OF_BOUNDS = /^(world \S+: )?the outbox is full/;
const OF_ENDS =
  /the (last run|run that last used it) did not (stop cleanly|note where its journal ends): |: removed an unfinished change of /;
const OF_STORAGE =
  /^(world \S+: )?(storage failed|no checkpoint was written|the stop was not noted|the request log was not kept|the world stopped at journal: storage failed|\w+ ended: JournalFailure)/;

/** Faults and crashes that a history has met when an alarm is raised. */
interface FaultsSoFar {
  faultsMet: number;
  hasCrashed: boolean;
}

/** The name under which an expected alarm is counted; nothing for any other. */
export const expectedAlarm = (message: string, { faultsMet, hasCrashed }: FaultsSoFar) => {
  if (OF_BOUNDS.test(message)) return "full outboxes";
  if (OF_STORAGE.test(message) && faultsMet > 0) return "alarms of storage";
  // A stop cannot be noted on a disk that fails.
  return OF_ENDS.test(message) && (hasCrashed || faultsMet > 0) ? "ends told" : undefined;
};
