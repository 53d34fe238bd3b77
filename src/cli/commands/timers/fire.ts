import type { TimerFiredNow } from "../../../contract/control/timers.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";
import type { Style } from "../../text/terminal.ts";

export const formatFired = (fired: TimerFiredNow, { id, mark }: Style): string => {
  const { timer, subject, from, to, rule } = fired;
  const what = `${timer} ${id(subject)}`;
  if (to === undefined)
    return `${mark("done")} ${what}: nothing happened: its record had already changed`;
  const moved = from === undefined || from === to ? to : `${from} → ${to}`;
  return `${mark("done")} ${what}: ${moved}${rule === undefined ? "" : ` (${rule})`}`;
};

export const command = clientCommand<TimerFiredNow>({
  name: "fire",
  summary: "fire one timer now, without moving the clock",
  operands: "<id>",
  usage: "<id of a timer or its record>",
  examples: ["service-sim timers fire quote.expire@8e4b17", "service-sim timers fire 8e4b17"],
  call: ({ args: [id = ""] }) => ["POST", `${pathOf("/timers", id)}/fire`],
  value: ({ to }) => to ?? "",
  lines: formatFired,
});
