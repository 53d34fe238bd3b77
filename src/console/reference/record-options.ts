import type { RecordRow } from "../../contract/control/records.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";

/** Records that exist, by kind. */
export type RowsByKind = Readonly<Record<string, readonly RecordRow[]>>;

/** A record as a choice: its name, balance, status and the end of its id. */
export const optionText = ({ id, name, balance, status }: RecordRow) =>
  [
    name && safeText(name),
    balance && money(balance.amount, balance.currency),
    status,
    `…${id.slice(-6)}`,
  ]
    .filter(Boolean)
    .join(", ");

/** The same records, accounts with money first: a call is tried from one that can pay. */
export const moneyFirst = (rows: readonly RecordRow[]): RecordRow[] => {
  const hasMoney = ({ balance }: RecordRow) => Number((balance?.amount ?? 0) > 0);
  return [...rows].sort((a, b) => hasMoney(b) - hasMoney(a));
};
