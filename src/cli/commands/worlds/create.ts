import { NEW_WORLD_OPTIONS, newWorldCommand } from "../../tasks/new-world.ts";

export const command = newWorldCommand({
  name: "create",
  summary: "create a world as a copy of the default world, or of --from",
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
  fromOf: ({ from }) => from,
});
