import { TROUBLES } from "../../contract/core/trouble-names.ts";
import type { WebhookTrouble, WebhookTroubles } from "../../contract/webhooks/troubles.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { counted } from "../../text/layout.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "TROUBLE" },
  { head: "DOES" },
  { head: "AFFECTED" },
  { head: "WEBHOOKS", as: "words" },
];

const doesText = ({ do: does, byMs }: WebhookTrouble) =>
  byMs === undefined ? does : `${does} by ${showDuration(byMs)}`;

const metText = ({ met, times }: WebhookTrouble) =>
  times === undefined ? `${met}` : `${met} of ${times}`;

/** A reordering that has too few webhooks holds them until others happen. */
const waitsText = ({ waitsFor, about }: WebhookTrouble) =>
  waitsFor === undefined
    ? ""
    : `; nothing to swap with yet: it waits for ${counted(waitsFor, "further webhook")}` +
      `${about === undefined ? "" : " about the same record"}, webhooks release sends what it holds`;

const whichText = (trouble: WebhookTrouble) => {
  const { do: does, type, about } = trouble;
  const of = about === undefined ? "" : ` about ${about}`;
  return `${type ?? "any type"}${of}, ${TROUBLES[does].what}${waitsText(trouble)}`;
};

export const formatTroubles = ({ data, held }: WebhookTroubles, style: Style): string[] => {
  const rows = data.map((one) => [style.id(one.id), doesText(one), metText(one), whichText(one)]);
  return [
    ...(rows.length === 0 ? ["no troubles"] : tableLines(COLUMNS, rows, style)),
    ...(held === 0 ? [] : [`${style.mark("waits")} ${counted(held, "webhook")} held`]),
  ];
};
