import { newWorldCommand } from "../../tasks/new-world.ts";

export const command = newWorldCommand({
  name: "fork",
  summary: "create a world as a copy of the one named by --world",
  examples: [
    "service-sim worlds fork attempt-2",
    "service-sim worlds fork attempt-3 --world attempt-2",
  ],
  fromOf: ({ world }) => (typeof world === "string" ? `world:${world}` : undefined),
});
