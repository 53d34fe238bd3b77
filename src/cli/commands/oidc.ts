import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "oidc",
  summary: "issue sign-in tokens for tests: token",
  subcommands: { token: () => import("./oidc/token.ts") },
};
