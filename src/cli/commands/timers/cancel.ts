import type { CanceledTimer } from "../../../contract/control/timers.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";

export const command = clientCommand<CanceledTimer>({
  name: "cancel",
  summary: "cancel one timer, and show what will no longer happen",
  operands: "<id>",
  usage: "<id of a timer or its record>",
  examples: ["service-sim timers cancel quote.expire@8e4b17", "service-sim timers cancel 8e4b17"],
  call: ({ args: [id = ""] }) => ["DELETE", pathOf("/timers", id)],
  value: ({ leaves }) => leaves,
  lines: ({ timer, subject, leaves }, { id, mark }) => [
    `${mark("done")} ${timer} canceled`,
    leaves.replace(subject, () => id(subject)),
  ],
  next: ({ timer, subject }, { id }) => `service-sim timers postpone ${timer}@${id(subject)} 1m`,
});
