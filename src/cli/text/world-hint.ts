import { quoted } from "./called-as.ts";

/** Commands without the option --world: they mean the simulator, a file, or no simulator at all. */
export const WITHOUT_WORLD: ReadonlySet<string> = new Set([
  "brand",
  "capture",
  "completion",
  "demo",
  "docs",
  "doctor",
  "exec",
  "help",
  "lifecycles",
  "open",
  "openapi",
  "operations",
  "reference",
  "replay",
  "revisions",
  "sign",
  "start",
  "stop",
  "worlds",
]);

/** A command at the start of a line, up to the gap before its explanation. */
const COMMAND = /^(\s*service-sim ([a-z-]+)(?:\S| (?! ))*)/;

/** Adds the world to a hint, where it is a command that would otherwise mean the default world. */
export const inWorld = (hint: string, world: string | undefined): string =>
  world === undefined
    ? hint
    : hint.replace(COMMAND, (command, _whole, name) =>
        WITHOUT_WORLD.has(name) || /--(world|help)\b/.test(command)
          ? command
          : `${command} --world ${quoted(world)}`,
      );
