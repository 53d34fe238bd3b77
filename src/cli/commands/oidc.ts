import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "oidc",
  summary: "the built-in issuer of sign-in tokens: token",
  subcommands: { token: () => import("./oidc/token.ts") },
};
