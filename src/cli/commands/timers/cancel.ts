import type { CanceledTimer } from "../../../contract/control/timers.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { timerPath } from "../../frame/timer-path.ts";

export const command: Command = {
  name: "cancel",
  summary: "cancel one timer, and tell what that leaves undone",
  operands: "<id>",
  usage: "<id of a timer or of what it is about>",
  options: CLIENT_OPTIONS,
  examples: ["service-sim timers cancel quote.expire@8e4b17", "service-sim timers cancel 8e4b17"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const timer = await reach(client.delete<CanceledTimer>(timerPath(invocation)));
    terminal.document(timer);
    if (terminal.quiet && !terminal.json) terminal.answer(timer.leaves);
    const { id, mark } = terminal.style;
    terminal.print(
      `${mark("done")} ${timer.timer} canceled`,
      timer.leaves.replace(timer.subject, () => id(timer.subject)),
    );
    terminal.next(`service-sim timers postpone ${timer.timer}@${id(timer.subject)} 1m`);
    return EXIT.done;
  },
};
