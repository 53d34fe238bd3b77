import type { Trouble } from "../../contract/core/trouble-names.ts";
import { EVENT_TYPES } from "../../contract/webhooks/events.ts";
import type { WebhookTrouble } from "../../contract/webhooks/troubles.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { formatTroubles } from "./trouble-lines.ts";

interface TroubleCommand {
  name: Trouble;
  summary: string;
  /** Help of `--times`. */
  times: string;
  examples: readonly string[];
}

const timesOf = (name: string, value: string | boolean | undefined) => {
  if (typeof value !== "string") return undefined;
  if (/^[1-9][0-9]{0,3}$/.test(value)) return Number(value);
  throw usageError(
    `Expected --times to be a whole number from 1 to 1000 but found "${value}"`,
    `service-sim webhooks ${name} --help`,
  );
};

/** A command that troubles the world's own next webhooks. */
export const troubleCommand = ({ name, summary, times, examples }: TroubleCommand): Command => ({
  name,
  summary,
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--type <type>",
      summary: "only webhooks of this type",
      choices: EVENT_TYPES.filter((type) => type !== "TEST"),
      noEnvironment: true,
    },
    { flags: "--about <id>", summary: "only webhooks about this record", noEnvironment: true },
    { flags: "--times <n>", summary: times, noEnvironment: true },
    ...(name === "reorder"
      ? [
          {
            flags: "--any-record",
            summary: "reorder webhooks of different records (default: those of one)",
            noEnvironment: true,
          },
        ]
      : []),
    ...(name === "delay"
      ? [
          {
            flags: "--by <span>",
            summary: "simulated time until it is sent (default: 10m)",
            noEnvironment: true,
          },
        ]
      : []),
  ],
  examples,
  run: async ({ options, ...invocation }, terminal) => {
    const { client } = findInstance({ options, ...invocation });
    const { type, about, by, anyRecord } = options;
    const count = timesOf(name, options.times);
    const given = Object.entries({ type, about, by, anyRecord, times: count });
    const body = {
      do: name,
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    };
    const trouble = await reach(client.post<WebhookTrouble>("/webhooks/troubles", body));
    terminal.document(trouble);
    if (terminal.quiet && !terminal.json) terminal.answer(trouble.id);
    terminal.print(...formatTroubles({ data: [trouble], held: 0 }, terminal.style));
    terminal.next(name === "hold" ? "service-sim webhooks release" : "service-sim webhooks lift");
    return EXIT.done;
  },
});
