import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "policy",
  summary: "what agents may do: explain, rows",
  subcommands: {
    explain: () => import("./policy/explain.ts"),
    rows: () => import("./policy/rows.ts"),
  },
};
