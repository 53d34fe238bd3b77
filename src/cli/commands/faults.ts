import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "faults",
  summary: "inject errors, latency and lost responses: add, list, clear",
  subcommands: {
    add: () => import("./faults/add.ts"),
    list: () => import("./faults/list.ts"),
    clear: () => import("./faults/clear.ts"),
  },
};
