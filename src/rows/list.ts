import type { MinorAmount } from "../contract/control/values.ts";
import { MARKS, type MarkName } from "../text/marks.ts";
import type { Column, RowContext } from "./column.ts";
import { type Span, span } from "./span.ts";
import type { ListedName, ListedRows } from "./world.ts";

/** Facts about a row that a filter can match. */
export interface Fields {
  id: string;
  status: string;
  type: string;
  code: string;
  isOpen: boolean;
  /** Text that a word may match; asked for when nothing above matches. */
  words?(): readonly (string | undefined)[];
  /** Amounts that a word may match as written, `250.00` or `250`; asked for last. */
  amounts?(): readonly (MinorAmount | undefined)[];
}

/** One list: the look of its rows, and the source of their details. */
export interface List<Name extends ListedName = ListedName> {
  name: Name;
  columns: readonly Column<ListedRows[Name]>[];
  /** Hint for an empty list, in one line. */
  empty: string;
  order: string;
  fields(row: ListedRows[Name]): Fields;
  /** The record of a row, for the copy and why keys. */
  subject(row: ListedRows[Name]): string;
  /** The command that shows the same. */
  command(row: ListedRows[Name]): string;
  /** The row in words, for screens without a column for them. */
  explain(row: ListedRows[Name], context: RowContext): string;
  /** Details to read from the control surface; without them the story is read. */
  reads?(row: ListedRows[Name]): string;
}

export const list = <Name extends ListedName>(row: List<Name>): List<Name> => row;

export const markSpan = (name: MarkName): Span => {
  const { glyph, color } = MARKS[name];
  return span(glyph, color);
};

/** The last six digits, after an ellipsis. */
export const tailOf = (id: string, { ellipsis }: Pick<RowContext, "ellipsis">) =>
  id.includes(":") ? `${ellipsis}${id.slice(-6)}` : id;

/** `Kind:…8e4b17`. */
export const shortOf = (id: string, context: Pick<RowContext, "ellipsis">) => {
  const kind = /^[A-Za-z]+:/.exec(id)?.[0] ?? "";
  return kind === "" || kind === "Ledger:" ? id : `${kind}${tailOf(id, context)}`;
};

/** A test rule without its table, which its place tells: `test rule 003`. */
export const ruleWords = (rule: string) => `test rule ${rule.slice(rule.indexOf(".") + 1)}`;

const ID = /[A-Za-z]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A text with every id shortened. */
export const shortIdsIn = (text: string, context: Pick<RowContext, "ellipsis">) =>
  text.replace(ID, (id) => tailOf(id, context));

const STATUS_MARKS: Readonly<Record<string, MarkName>> = {
  COMPLETED: "done",
  APPROVED: "done",
  ACTIVE: "done",
  SETTLED: "done",
  PENDING: "waits",
  PROCESSING: "waits",
  PENDING_APPROVAL: "asks",
  UNVERIFIED: "asks",
  FROZEN: "asks",
  FAILED: "failed",
  DECLINED: "failed",
  EXCEPTION: "failed",
  EXPIRED: "over",
  REJECTED: "over",
  REFUNDED: "over",
  CLOSED: "over",
  DELETED: "over",
};

/** The mark of a status. */
export const markOfStatus = (status: string): MarkName => STATUS_MARKS[status] ?? "waits";
