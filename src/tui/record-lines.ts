import type { PaymentRow } from "../contract/control/feed-rows.ts";
import type { WholeRecord } from "../contract/control/records.ts";
import type { Because, Story } from "../contract/control/why.ts";
import { waitingIn, waitsBecause } from "../rows/approvals.ts";
import { countdown, timeOf } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import { markOfStatus, shortOf } from "../rows/list.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { fullInstant, money } from "../text/layout.ts";
import { MARKS } from "../text/marks.ts";
import { amountLines } from "./amount-lines.ts";
import { bodyLines, labelled } from "./labelled.ts";
import { type Line, textLine } from "./line.ts";

/** A record with its story; a quote also with its payment. */
export interface RecordBody {
  record: WholeRecord;
  story: Story;
  payment?: WholeRecord;
}

/** A line of facts; nothing where none is known. */
const fact = (label: string, text: string | undefined): Line[] =>
  text === undefined || text === "" ? [] : labelled(label, text);

const amount = (one: { amount: number; currency: string } | undefined) =>
  one && money(one.amount, one.currency);

const stateLine = (label: string, status: string | undefined): Line[] => {
  if (status === undefined) return [];
  const { glyph, color } = MARKS[markOfStatus(status)];
  return labelled(label, `${glyph} ${status}`, color);
};

/** The money of a payment: each step behind its amounts, where these are known. */
const moneyLines = ({ sends, receives, fees, calculation }: Story, context: RowContext): Line[] =>
  calculation
    ? amountLines(calculation, context)
    : [
        ...fact("sends", amount(sends)),
        ...fact("fee", fees && `${amount(fees)}, included`),
        ...fact("receives", amount(receives)),
      ];

const payeeOf = ({ payee }: Story) =>
  payee && [[payee.name, payee.identifier].filter(Boolean).join(", "), payee.id].join("\n").trim();

const waitsFor = (row: PaymentRow | undefined, context: RowContext) => {
  if (row?.timer === undefined) return undefined;
  const { timer, then, dueAt } = row.timer;
  return `${timer}: ${then} at ${timeOf(dueAt, context)}, in ${countdown(dueAt, context)}`;
};

const waitsForPerson = ({ approvals }: WatchedWorld["lists"], id: string) => {
  const [row] = waitingIn(approvals.filter((one) => one.id === id));
  return row && `you, ${waitsBecause(row)}`;
};

const causeOf = ({ kind, id, operation, timer }: Because) => {
  if (kind === "timer") return `timer ${timer}`;
  return kind === "request" ? `${operation ?? "a request"}  ${id}` : (operation ?? id);
};

/** The states that a record has been in, with the cause of each. */
const stateLines = ({ chain }: Story, context: RowContext): Line[] => {
  const moves = chain.flatMap(({ at, status, because }) =>
    status === undefined ? [] : [{ at, status, because }],
  );
  const widest = Math.max(0, ...moves.map(({ status }) => status.length));
  const lines = moves.map(
    ({ at, status, because }) =>
      `${timeOf(at, context)}  ${status.padEnd(widest)}  ${causeOf(because)}`,
  );
  return fact("states", lines.join("\n"));
};

const relatedLines = ({ related }: WholeRecord, context: RowContext): Line[] => {
  const lines = related.map(({ id, name, type, status, balance }) =>
    [shortOf(id, context), name, type, status, amount(balance)].filter(Boolean).join("  "),
  );
  return fact("related", lines.join("\n"));
};

const answerLines = (label: string, { record }: WholeRecord) =>
  bodyLines(label, JSON.stringify(record));

/** A record's own facts: state, money, people, and what the API answers. */
export const recordLines = (
  { record, story, payment }: RecordBody,
  { lists }: WatchedWorld,
  context: RowContext,
): Line[] => {
  const { id, kind, name, type, status, balance, owner } = record;
  const row = lists.payments.find((one) => one.id === id);
  const { createdAt, expiresAt } = record.record as { createdAt?: string; expiresAt?: string };
  return [
    textLine(id, "bold"),
    ...stateLine("status", row?.status ?? status),
    ...fact("waits for", waitsFor(row, context) ?? waitsForPerson(lists, id)),
    ...fact("type", type),
    ...(story.payee ? [] : fact(kind === "Customer" ? "name" : "of", name)),
    ...moneyLines(story, context),
    ...fact("balance", amount(balance)),
    ...fact("payee", payeeOf(story)),
    ...fact("belongs to", owner),
    ...fact("created", createdAt && fullInstant(createdAt)),
    ...fact("expires", expiresAt && fullInstant(expiresAt)),
    ...stateLines(story, context),
    ...relatedLines(record, context),
    ...answerLines("API response", record),
    ...(payment ? answerLines("its payment", payment) : []),
  ];
};
