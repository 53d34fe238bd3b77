import type { Identity } from "../runtime/storage/identity.ts";
import type { SimulatorOptions } from "../simulator-options.ts";

/** Options that are no part of a run, or secrets, or read when they are needed. */
const LEFT_OUT: ReadonlySet<string> = new Set<keyof SimulatorOptions>([
  "clientSecret",
  "webhookKey",
  "oidcJwks",
  "storage",
  "fsync",
  "fresh",
  "force",
  "host",
  "tunnel",
  "fixture",
  "capsule",
  "answersBeforeReady",
  "allowHosts",
  "beforeMovingAside",
  "onActivity",
  "onWebhookKey",
  "onAlarm",
  "allowOrigins",
]);

/** The options of a start that are part of its run. */
export const keptOptions = (options: SimulatorOptions) =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => !LEFT_OUT.has(name) && typeof value !== "function",
    ),
  );

/** The options of a start that names what an identity has. */
export const optionsOf = ({ seed, startMs, clockMode, clockSpeed, clientId }: Identity) => ({
  seed,
  clientId,
  now: startMs === undefined ? undefined : new Date(startMs).toISOString(),
  clock: clockMode === "real" && clockSpeed !== undefined ? `${clockSpeed}x` : clockMode,
});
