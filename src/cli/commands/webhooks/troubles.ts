import {
  TROUBLES,
  type WebhookTrouble,
  type WebhookTroubles,
} from "../../../contract/webhooks/troubles.ts";
import { showDuration } from "../../../domain/core/durations.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { counted } from "../../text/layout.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "TROUBLE" },
  { head: "DOES" },
  { head: "MET" },
  { head: "WEBHOOKS", as: "words" },
];

const doesText = ({ do: does, byMs }: WebhookTrouble) =>
  byMs === undefined ? does : `${does} by ${showDuration(byMs)}`;

const metText = ({ met, times }: WebhookTrouble) =>
  times === undefined ? `${met}` : `${met} of ${times}`;

const whichText = ({ do: does, type, about }: WebhookTrouble) =>
  `${type ?? "any type"}${about === undefined ? "" : ` about ${about}`}, ${TROUBLES[does].what}`;

export const formatTroubles = ({ data, held }: WebhookTroubles, style: Style): string[] => {
  const rows = data.map((one) => [style.id(one.id), doesText(one), metText(one), whichText(one)]);
  return [
    ...(rows.length === 0 ? ["no troubles"] : tableLines(COLUMNS, rows, style)),
    ...(held === 0 ? [] : [`${style.mark("waits")} ${counted(held, "webhook")} held back`]),
  ];
};

export const command: Command = {
  name: "troubles",
  summary: "show what holds, duplicates, reorders, delays or drops webhooks",
  options: CLIENT_OPTIONS,
  examples: ["service-sim webhooks troubles", "service-sim webhooks troubles --json"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const reply = await reach(client.get<WebhookTroubles>("/webhooks/troubles"));
    terminal.document(reply);
    terminal.print(...formatTroubles(reply, terminal.style));
    return EXIT.done;
  },
};
