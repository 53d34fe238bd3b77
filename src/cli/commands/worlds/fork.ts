import type { Command } from "../../frame/command.ts";
import { makeWorld, NEW_WORLD_OPTIONS } from "../../tasks/new-world.ts";

export const command: Command = {
  name: "fork",
  summary: "make a world that begins as the one of --world is now",
  operands: "[name]",
  options: NEW_WORLD_OPTIONS,
  examples: [
    "service-sim worlds fork attempt-2",
    "service-sim worlds fork attempt-3 --world attempt-2",
  ],
  run: (invocation, terminal) => {
    const { world } = invocation.options;
    const from = typeof world === "string" ? `world:${world}` : undefined;
    return makeWorld(invocation, terminal, { from });
  },
};
