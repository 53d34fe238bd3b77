import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "snapshot",
  summary:
    "keep the world under a name and go back to it: save, load, list, export, import, remove",
  subcommands: {
    save: () => import("./snapshot/save.ts"),
    load: () => import("./snapshot/load.ts"),
    list: () => import("./snapshot/list.ts"),
    export: () => import("./snapshot/export.ts"),
    import: () => import("./snapshot/import.ts"),
    remove: () => import("./snapshot/remove.ts"),
  },
};
