import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "outcomes",
  summary: "print every magic value; set the outcome of what comes next",
  alone: "list",
  subcommands: {
    list: () => import("./outcomes/list.ts"),
    next: () => import("./outcomes/next.ts"),
    lift: () => import("./outcomes/lift.ts"),
  },
};
