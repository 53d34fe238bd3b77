import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "worlds",
  summary: "show, create, fork and remove worlds of one simulator",
  subcommands: {
    list: () => import("./worlds/list.ts"),
    create: () => import("./worlds/create.ts"),
    fork: () => import("./worlds/fork.ts"),
    remove: () => import("./worlds/remove.ts"),
  },
};
