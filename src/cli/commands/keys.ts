import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "keys",
  summary: "create a client's key pair, open data sealed to it, rotate the webhook key",
  subcommands: {
    create: () => import("./keys/create.ts"),
    open: () => import("./keys/open.ts"),
    rotate: () => import("./keys/rotate.ts"),
  },
};
