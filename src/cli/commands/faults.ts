import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "faults",
  summary: "inject errors, latency, lost and damaged responses: add, list, clear, limit",
  subcommands: {
    add: () => import("./faults/add.ts"),
    list: () => import("./faults/list.ts"),
    clear: () => import("./faults/clear.ts"),
    limit: () => import("./faults/limit.ts"),
  },
};
