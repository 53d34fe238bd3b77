import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "keys",
  summary: "a client's keys: create a pair, open what was sealed to it; rotate: webhooks' own",
  subcommands: {
    create: () => import("./keys/create.ts"),
    open: () => import("./keys/open.ts"),
    rotate: () => import("./keys/rotate.ts"),
  },
};
