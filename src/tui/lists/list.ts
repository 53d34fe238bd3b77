import { MARKS, type MarkName } from "../../cli/text/marks.ts";
import { type Span, span } from "../line.ts";
import type { Column, RowContext } from "../table.ts";
import type { ListName, Rows } from "../world.ts";

/** What a filter asks of a row. */
export interface Fields {
  id: string;
  status: string;
  type: string;
  code: string;
  isOpen: boolean;
  /** Everything a word may match. */
  words: readonly (string | undefined)[];
}

/** One list: how its rows look, and where more of a row is found. */
export interface List<Name extends ListName = ListName> {
  name: Name;
  columns: readonly Column<Rows[Name]>[];
  /** What an empty one teaches, in one line. */
  empty: string;
  order: string;
  fields(row: Rows[Name]): Fields;
  /** The record a row is about: what is copied, and asked why. */
  subject(row: Rows[Name]): string;
  /** The command that shows the same. */
  command(row: Rows[Name]): string;
  /** The row in words, where there is no room beside it. */
  explain(row: Rows[Name], context: RowContext): string;
  /** What a detail reads from the control surface; the story where it is not told. */
  reads?(row: Rows[Name]): string;
}

export const list = <Name extends ListName>(row: List<Name>): List<Name> => row;

export const markSpan = (name: MarkName): Span => {
  const { glyph, color } = MARKS[name];
  return span(glyph, color);
};

/** The last six digits, after the sign that more is in front. */
export const tailOf = (id: string, { ellipsis }: Pick<RowContext, "ellipsis">) =>
  id.includes(":") ? `${ellipsis}${id.slice(-6)}` : id;

/** `Kind:…8e4b17`. */
export const shortOf = (id: string, context: Pick<RowContext, "ellipsis">) => {
  const kind = /^[A-Za-z]+:/.exec(id)?.[0] ?? "";
  return kind === "" || kind === "Ledger:" ? id : `${kind}${tailOf(id, context)}`;
};

const ID = /[A-Za-z]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A text in which every id is short. */
export const shortIdsIn = (text: string, context: Pick<RowContext, "ellipsis">) =>
  text.replace(ID, (id) => tailOf(id, context));

const STATUS_MARKS: Readonly<Record<string, MarkName>> = {
  COMPLETED: "done",
  APPROVED: "done",
  PENDING: "waits",
  PROCESSING: "waits",
  PENDING_APPROVAL: "asks",
  FAILED: "failed",
  EXPIRED: "over",
  REJECTED: "over",
  REFUNDED: "over",
};

/** The mark that goes with a status word. */
export const markOfStatus = (status: string): MarkName => STATUS_MARKS[status] ?? "waits";
