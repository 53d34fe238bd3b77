import type { CommandGroup } from "../frame/command.ts";

export const command: CommandGroup = {
  name: "webhooks",
  summary:
    "set the endpoint, show sent webhooks, test receivers: endpoint, list, trigger, vector, hold, listen, receive, doctor",
  subcommands: {
    endpoint: () => import("./webhooks/endpoint.ts"),
    list: () => import("./webhooks/list.ts"),
    show: () => import("./webhooks/show.ts"),
    resend: () => import("./webhooks/resend.ts"),
    wait: () => import("./webhooks/wait.ts"),
    trigger: () => import("./webhooks/trigger.ts"),
    vector: () => import("./webhooks/vector.ts"),
    hold: () => import("./webhooks/hold.ts"),
    release: () => import("./webhooks/release.ts"),
    duplicate: () => import("./webhooks/duplicate.ts"),
    reorder: () => import("./webhooks/reorder.ts"),
    delay: () => import("./webhooks/delay.ts"),
    drop: () => import("./webhooks/drop.ts"),
    troubles: () => import("./webhooks/troubles.ts"),
    lift: () => import("./webhooks/lift.ts"),
    listen: () => import("./webhooks/listen.ts"),
    receive: () => import("./webhooks/receive.ts"),
    doctor: () => import("./webhooks/doctor.ts"),
    key: () => import("./webhooks/key.ts"),
  },
};
