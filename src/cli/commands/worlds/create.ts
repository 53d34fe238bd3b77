import type { Command } from "../../frame/command.ts";
import { makeWorld, NEW_WORLD_OPTIONS } from "../../tasks/new-world.ts";

export const command: Command = {
  name: "create",
  summary: "make a world that begins as the starting world is now, or as --from says",
  operands: "[name]",
  options: [
    ...NEW_WORLD_OPTIONS,
    {
      flags: "--from <state>",
      summary: "snapshot:<name> or an instant of the world of --world, or world:<name>",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim worlds create checkout",
    "service-sim worlds create refunds --from snapshot:before-reset",
    "service-sim worlds create --json",
  ],
  run: (invocation, terminal) => {
    const { from } = invocation.options;
    return makeWorld(invocation, terminal, { from: typeof from === "string" ? from : undefined });
  },
};
