import type { PostponedTimer } from "../../../contract/control/timers.ts";
import { fullInstant } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS, usageError } from "../../frame/command.ts";
import { pathOf } from "../../frame/query.ts";

const EXAMPLE = "service-sim timers postpone quote.expire@8e4b17 10m";

export const command = clientCommand<PostponedTimer>({
  name: "postpone",
  summary: "postpone one timer; a canceled one is set again",
  operands: "<id> [span]",
  usage: "<id of a timer or its record> [span]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--to <instant>",
      summary: "simulated instant at which it fires, instead of a span",
      noEnvironment: true,
    },
  ],
  examples: [EXAMPLE, "service-sim timers postpone 8e4b17 --to 2030-01-05T12:00:00Z"],
  call: ({ args: [id = "", by], options: { to } }) => {
    if ((by === undefined) === (to === undefined))
      throw usageError("say how long, for example: 10m; or the instant with --to", EXAMPLE);
    return ["POST", `${pathOf("/timers", id)}/postpone`, by === undefined ? { to } : { by }];
  },
  value: ({ dueAt }) => dueAt,
  lines: ({ timer, subject, dueAt, wasDueAt }, { id, mark }) =>
    `${mark("done")} ${timer} ${id(subject)} is due ${fullInstant(dueAt)}, ` +
    `instead of ${fullInstant(wasDueAt)}`,
});
