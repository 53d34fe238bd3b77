import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "faults",
  summary: "inject errors, latency, lost and damaged responses: add, list, clear, rate-limit",
  subcommands: {
    add: () => import("./faults/add.ts"),
    list: () => import("./faults/list.ts"),
    clear: () => import("./faults/clear.ts"),
    "rate-limit": () => import("./faults/rate-limit.ts"),
  },
};
