import type { Command } from "../../frame/command.ts";
import { makeWorld, NEW_WORLD_OPTIONS } from "../../tasks/new-world.ts";

export const command: Command = {
  name: "create",
  summary: "make a world that begins as the starting world is now",
  operands: "[name]",
  options: NEW_WORLD_OPTIONS,
  examples: ["service-sim worlds create checkout", "service-sim worlds create --json"],
  run: (invocation, terminal) => makeWorld(invocation, terminal, { from: undefined }),
};
