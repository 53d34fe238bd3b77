import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "scenario",
  summary: "write scenarios: record",
  subcommands: {
    record: () => import("./scenario/record.ts"),
  },
};
