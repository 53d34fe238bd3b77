import type { OtherWorlds, SharedStart } from "../../../src/storage/world/world-handle.ts";
import type { RunningWorld } from "../../../src/worlds/running-world.ts";
import type { SharedWorlds } from "../../../src/worlds/shared-worlds.ts";
import type { SharedProcess } from "./shared-processes.ts";

/** The worlds of a process from within, where a test has to choose the moment of an act. */
export const worldsWithin = ({ sim }: SharedProcess): SharedWorlds =>
  (sim as unknown as { worlds: SharedWorlds }).worlds;

/** Has a process unload its worlds now, as after a long idle span. */
export const unloadAll = (process: SharedProcess) =>
  worldsWithin(process).sweep(Number.MAX_SAFE_INTEGER);

/** The ways of a process to its default world, and to the other ones at rest. */
export const waysWithin = (process: SharedProcess) => {
  const worlds = worldsWithin(process);
  const { start } = (worlds as unknown as { parts: { start: SharedStart } }).parts;
  return {
    start,
    others: worlds.starting.others as OtherWorlds,
    starting: (): RunningWorld => worlds.starting,
  };
};

/** An act that is held up: it has begun once `begun` resolves, and continues after `go`. */
export interface HeldAct {
  begun: Promise<void>;
  go(): void;
}

const signal = () => {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
};

/** Holds up the next call of a method. */
export const holdNext = <Name extends string>(
  on: { [name in Name]: (...given: never[]) => Promise<unknown> },
  name: Name,
): HeldAct => {
  const begun = signal();
  const going = signal();
  const act = on[name] as (...given: unknown[]) => Promise<unknown>;
  const before = Object.getOwnPropertyDescriptor(on, name);
  on[name] = (async (...given: unknown[]) => {
    if (before) Object.defineProperty(on, name, before);
    else delete (on as Partial<typeof on>)[name];
    begun.give();
    await going.given;
    return act.apply(on, given);
  }) as (typeof on)[Name];
  return { begun: begun.given, go: going.give };
};
