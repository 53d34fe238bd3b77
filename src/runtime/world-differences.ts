import type { Kind, Records } from "../domain/records/records.ts";
import { KINDS } from "../domain/records/tables.ts";
import type { Balance, WorldState } from "./world-state.ts";

/** A record that two states have differently; one of them may lack it. */
export interface RecordDifference<K extends Kind = Kind> {
  kind: K;
  id: string;
  mine: Records[K] | undefined;
  theirs: Records[K] | undefined;
}

export interface BalanceDifference {
  account: string;
  currency: string;
  mine: bigint;
  theirs: bigint;
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** States that share nothing have equal records that are not the same. */
const isSame = (a: unknown, b: unknown) =>
  a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);

/** Records that two states have differently, by kind and id. What they share is passed over. */
export const recordDifferences = (one: WorldState, other: WorldState): RecordDifference[] =>
  KINDS.flatMap((kind) =>
    [...one.differences(kind, other)]
      .filter(({ mine, theirs }) => !isSame(mine, theirs))
      .map(({ key, mine, theirs }) => ({ kind, id: key, mine, theirs }))
      .sort((a, b) => byText(a.id, b.id)),
  );

const minorOf = (balance: Balance | undefined) => balance?.minor ?? 0n;

/** Balances that two states have differently, by account. */
export const balanceDifferences = (one: WorldState, other: WorldState): BalanceDifference[] =>
  [...one.balanceDifferences(other)]
    .filter(({ mine, theirs }) => minorOf(mine) !== minorOf(theirs))
    .sort((a, b) => byText(a.key, b.key))
    .map(({ mine, theirs }) => {
      const { account, currency } = (mine ?? theirs) as Balance;
      return { account, currency, mine: minorOf(mine), theirs: minorOf(theirs) };
    });
