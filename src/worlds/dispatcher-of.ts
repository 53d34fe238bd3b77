import { defined } from "../contract/core/defined.ts";
import type { World } from "../control/core/world.ts";
import type { Activity } from "../http/log/log-entry.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import { Dispatcher } from "../webhooks/dispatcher.ts";
import { tellWhenFull } from "../webhooks/full-outbox.ts";
import type { Host } from "./host.ts";

/** A world whose webhooks are sent. */
interface SendingWorld extends Pick<World, "engine" | "keys" | "advance"> {
  tell(activity: Activity): void;
}

/** Sends the webhooks of a world, and tells of each attempt. */
export const dispatcherOf = (
  world: SendingWorld,
  { targets, boundary, attempts: shared }: Host,
  { webhookTimeoutMs: timeoutMs }: SimulatorOptions,
): Dispatcher => {
  const { engine, keys } = world;
  tellWhenFull(engine);
  return new Dispatcher({
    engine,
    keys,
    targets,
    send: (attempt) => boundary.send(attempt, world),
    wall: boundary.wall,
    shared,
    ...defined({ timeoutMs }),
    onAttempt: (report) => {
      world.advance.noteAttempt(report);
      world.tell({ kind: "webhook", ...report });
    },
  });
};
