import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "faults",
  summary: "have calls fail, wait, or lose their answer: add, list, clear",
  subcommands: {
    add: () => import("./faults/add.ts"),
    list: () => import("./faults/list.ts"),
    clear: () => import("./faults/clear.ts"),
  },
};
