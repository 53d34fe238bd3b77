import type { TimerFiredNow } from "../../../contract/control/timers.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { timerPath } from "../../frame/timer-path.ts";
import type { Style } from "../../text/terminal.ts";

export const formatFired = (fired: TimerFiredNow, { id, mark }: Style): string => {
  const { timer, subject, from, to, rule } = fired;
  const what = `${timer} ${id(subject)}`;
  if (to === undefined) return `${mark("done")} ${what}: nothing happened, its record had moved on`;
  const moved = from === undefined || from === to ? to : `${from} → ${to}`;
  return `${mark("done")} ${what}: ${moved}${rule === undefined ? "" : ` (${rule})`}`;
};

export const command: Command = {
  name: "fire",
  summary: "fire one timer now, without moving the clock",
  operands: "<id>",
  usage: "<id of a timer or of what it is about>",
  options: CLIENT_OPTIONS,
  examples: ["service-sim timers fire quote.expire@8e4b17", "service-sim timers fire 8e4b17"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const path = `${timerPath(invocation)}/fire`;
    const fired = await reach(client.post<TimerFiredNow>(path));
    terminal.document(fired);
    if (terminal.quiet && !terminal.json) terminal.answer(fired.to ?? "");
    terminal.print(formatFired(fired, terminal.style));
    return EXIT.done;
  },
};
