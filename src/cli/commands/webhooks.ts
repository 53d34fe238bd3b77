import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "webhooks",
  summary:
    "set the endpoint, show sent webhooks, test receivers: endpoint, list, trigger, vector, listen, receive, doctor",
  subcommands: {
    endpoint: () => import("./webhooks/endpoint.ts"),
    list: () => import("./webhooks/list.ts"),
    show: () => import("./webhooks/show.ts"),
    resend: () => import("./webhooks/resend.ts"),
    wait: () => import("./webhooks/wait.ts"),
    trigger: () => import("./webhooks/trigger.ts"),
    vector: () => import("./webhooks/vector.ts"),
    listen: () => import("./webhooks/listen.ts"),
    receive: () => import("./webhooks/receive.ts"),
    doctor: () => import("./webhooks/doctor.ts"),
    key: () => import("./webhooks/key.ts"),
  },
};
