import type { PostponedTimer } from "../../../contract/control/timers.ts";
import { fullInstant } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { timerPath } from "../../frame/timer-path.ts";

const EXAMPLE = "service-sim timers postpone quote.expire@8e4b17 10m";

export const command: Command = {
  name: "postpone",
  summary: "have one timer fire later; a canceled one is set again",
  operands: "<id> [span]",
  usage: "<id of a timer or of what it is about> [span]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--to <instant>",
      summary: "simulated instant at which it fires, instead of a span",
      noEnvironment: true,
    },
  ],
  examples: [EXAMPLE, "service-sim timers postpone 8e4b17 --to 2030-01-05T12:00:00Z"],
  run: async (invocation, terminal) => {
    const [, by] = invocation.args;
    const { to } = invocation.options;
    if ((by === undefined) === (to === undefined))
      throw usageError("say how long, for example 10m, or until when with --to", EXAMPLE);
    const { client } = findInstance(invocation);
    const body = by === undefined ? { to } : { by };
    const path = `${timerPath(invocation)}/postpone`;
    const timer = await reach(client.post<PostponedTimer>(path, body));
    terminal.document(timer);
    if (terminal.quiet && !terminal.json) terminal.answer(timer.dueAt);
    const { id, mark } = terminal.style;
    const [due, was] = [timer.dueAt, timer.wasDueAt].map(fullInstant);
    terminal.print(
      `${mark("done")} ${timer.timer} ${id(timer.subject)} is due ${due}, in place of ${was}`,
    );
    return EXIT.done;
  },
};
