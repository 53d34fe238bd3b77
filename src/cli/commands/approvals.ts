import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "approvals",
  summary: "approve or reject agents' actions: list, approve, reject, mode",
  subcommands: {
    list: () => import("./approvals/list.ts"),
    approve: () => import("./approvals/approve.ts"),
    reject: () => import("./approvals/reject.ts"),
    mode: () => import("./approvals/mode.ts"),
  },
};
