import { defined } from "../../contract/core/defined.ts";
import type { Trouble } from "../../contract/core/trouble-names.ts";
import { EVENT_TYPES } from "../../contract/webhooks/events.ts";
import type { WebhookTrouble } from "../../contract/webhooks/troubles.ts";
import { clientCommand } from "../frame/client-command.ts";
import { CLIENT_OPTIONS, usageError } from "../frame/command.ts";
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
export const troubleCommand = ({ name, summary, times, examples }: TroubleCommand) =>
  clientCommand<WebhookTrouble>({
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
    call: ({ options: { type, about, by, anyRecord, times: count } }) => {
      const conditions = defined({ type, about, by, anyRecord, times: timesOf(name, count) });
      return ["POST", "/webhooks/troubles", { do: name, ...conditions }];
    },
    value: ({ id }) => id,
    lines: (trouble, style) => formatTroubles({ data: [trouble], held: 0 }, style),
    next: () => (name === "hold" ? "service-sim webhooks release" : "service-sim webhooks lift"),
  });
