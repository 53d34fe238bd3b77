import { closestTo } from "../../contract/core/closest.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { type PlacedRow, placedRow, ruleNamesIn } from "../../domain/outcomes/outcome-tables.ts";
import { isTableIn } from "../../domain/outcomes/rule-names.ts";

interface NotSettable {
  fits(row: PlacedRow): boolean;
  why: string;
  next: string;
}

/** Rows that no setting can bring about, since they need something that is there or was sent. */
const NOT_SETTABLE: readonly NotSettable[] = [
  {
    fits: ({ table }) => table === "walletProof",
    why: "the proof that is sent decides",
    next: "service-sim start --crypto strict      accepts genuine proofs only",
  },
  {
    fits: ({ table, row }) => table === "umaLookup" && (row === "person" || row === "customer"),
    why: "an address is found only if somebody has it",
    next: "service-sim outcomes next umaLookup.unknown",
  },
];

const MAX_NAMED = 3;

/** Names like the one asked for: the closest, or the rows of the table that it names. */
const closestNames = (rule: string, revision: Revision): string[] => {
  const [table = ""] = rule.split(".");
  const names = ruleNamesIn(revision);
  const closest = closestTo(rule, names);
  const siblings = names.filter((name) => name.startsWith(`${table}.`));
  const ending = names.filter((name) => name.endsWith(`.${rule}`));
  return [...new Set([...(closest === undefined ? [] : [closest]), ...siblings, ...ending])];
};

const requireRow = (rule: string, revision: Revision): PlacedRow => {
  const row = placedRow(rule);
  if (row && isTableIn(revision, row.table)) return row;
  const closest = closestNames(rule, revision);
  const [first] = closest;
  const named = closest.slice(0, MAX_NAMED).join(", ");
  const hint = first === undefined ? "" : `; the closest ones are ${named}`;
  return refuse(
    "OUTCOME_NOT_FOUND",
    { rule, ...(first !== undefined && { closest }) },
    {
      says: `No outcome ${rule}${row ? ` in revision ${revision}` : ""}${hint}`,
      ...(first !== undefined && { next: `service-sim outcomes next ${first}` }),
    },
  );
};

/** Tells if a row can be set. */
export const isSettable = (rule: string): boolean => {
  const row = placedRow(rule);
  return row !== undefined && !NOT_SETTABLE.some((kind) => kind.fits(row));
};

/** The row of a name, if a revision has it and it can be set. Refuses others with the closest names. */
export const settableRow = (rule: string, revision: Revision): PlacedRow => {
  const row = requireRow(rule, revision);
  const notSettable = NOT_SETTABLE.find((kind) => kind.fits(row));
  if (!notSettable) return row;
  const { why, next } = notSettable;
  const says = `${rule} cannot be set: ${why}`;
  return refuse("INVALID_INPUT", { field: "rule", value: rule }, { says, next });
};
