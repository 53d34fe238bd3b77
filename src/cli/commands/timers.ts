import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "timers",
  summary: "show pending timers; fire, postpone or cancel one",
  alone: "list",
  subcommands: {
    list: () => import("./timers/list.ts"),
    fire: () => import("./timers/fire.ts"),
    postpone: () => import("./timers/postpone.ts"),
    cancel: () => import("./timers/cancel.ts"),
  },
};
