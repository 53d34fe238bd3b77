import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "passkey",
  summary: "use a passkey without a browser: create, assert",
  subcommands: {
    create: () => import("./passkey/create.ts"),
    assert: () => import("./passkey/assert.ts"),
  },
};
