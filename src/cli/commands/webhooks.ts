import type { CommandGroup } from "../command.ts";

export const command: CommandGroup = {
  name: "webhooks",
  summary: "what was sent: list, show, resend, wait",
  subcommands: {
    list: () => import("./webhooks/list.ts"),
    show: () => import("./webhooks/show.ts"),
    resend: () => import("./webhooks/resend.ts"),
    wait: () => import("./webhooks/wait.ts"),
  },
};
