import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "policy",
  summary: "explain an agent's policy: explain, rows",
  subcommands: {
    explain: () => import("./policy/explain.ts"),
    rows: () => import("./policy/rows.ts"),
  },
};
