import type { SimulatorOptions } from "../../../src/simulator.ts";
import type { Swarm } from "./swarm.ts";

const DIRECTORY = "/simulated/state";
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

/** Kinds of files that a state directory has. */
const FILES = ["journal", "checkpoint", "manifest", "lock", "snapshot", "request", "identity"];

/** The kind of a file of the state directory, by its path. */
export const fileOf = (path: string) => FILES.find((kind) => path.includes(kind)) ?? "another file";

const OF_BOUNDS = /^(world \S+: )?the outbox is full/;
const OF_STORAGE =
  /^(world \S+: )?(storage failed|no checkpoint was written|the last run did not stop cleanly|the request log was not kept|the world stopped at journal: storage failed|\w+ ended: JournalFailure)/;

/** The name under which an expected alarm is counted; nothing for any other. */
export const expectedAlarm = (message: string, { faultsMet }: { faultsMet: number }) => {
  if (OF_BOUNDS.test(message)) return "full outboxes";
  return OF_STORAGE.test(message) && faultsMet > 0 ? "alarms of storage" : undefined;
};
