import { FIRST_REVISION, REVISIONS, type Revision } from "../../contract/core/revision-names.ts";
import {
  hasChange,
  type RevisionRow,
  revisionBefore,
  sinceOf,
  takenBy,
} from "../../contract/core/revisions.ts";
import { type CurrencyCode, isCurrencyOf } from "../../contract/money/currencies.ts";
import type { View } from "./draft.ts";

/** The revision of the service that a world serves (spec/revisions.md). */
export const revisionOf = (view: View): Revision => {
  const [id] = view.ids("PlatformConfig", "all", "");
  const config = id === undefined ? undefined : view.get("PlatformConfig", id);
  return config?.revision ?? FIRST_REVISION;
};

/** Tells whether a world serves a change or a feature of a later revision. */
export const isChanged = (view: View, row: RevisionRow): boolean =>
  hasChange(revisionOf(view), row);

/** The rows of a table that a revision has: those of every revision, and those since its changes. */
export const rowsIn = <Row extends { since?: RevisionRow }>(
  revision: Revision,
  rows: readonly Row[],
): Row[] => rows.filter(({ since }) => since === undefined || hasChange(revision, since));

/** Finds what a world's revision has of something that is made once for each revision. */
export const byRevision = <Value>(make: (revision: Revision) => Value) => {
  const made = new Map(REVISIONS.map((revision) => [revision, make(revision)] as const));
  return (view: View): Value => made.get(revisionOf(view)) as Value;
};

/** Tells whether a text is the code of a currency that the revision of a world has. */
export const isCurrencyIn = (view: View, code: string): code is CurrencyCode =>
  isCurrencyOf(revisionOf(view), code);

/** Names the revision that takes what a world refuses: the one of a change, or the one before it. */
export const takenElsewhere = (view: View, row: RevisionRow): string =>
  takenBy(isChanged(view, row) ? revisionBefore(row) : sinceOf(row));

/** The same words as a sentence of their own. */
export const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * Members that changes added to what is shown of a record, or took from it: how each is found. A
 * member without a value is left out.
 */
export type LaterMembers<Shown, Source> = {
  readonly [Name in keyof Shown]?: LaterMember<Shown[Name], Source>;
};

interface LaterMember<Value, Source> {
  since: RevisionRow;
  value(view: View, source: Source): Value | undefined;
}

/**
 * The members that a record of a world keeps since changes: others keep none, so that journals of
 * earlier revisions stay as they are.
 */
export const keptIn = <Kept extends object, Source>(
  view: View,
  ...of: [source: Source, later: LaterMembers<Kept, Source>]
): Partial<Kept> => shownIn<Partial<Kept>, Source>(view, {}, of);

/** Shows a record with the members that the revision of its world has (spec/revisions.md#changes). */
export const shownIn = <Shown extends object, Source>(
  view: View,
  shown: Shown,
  [source, later]: readonly [Source, LaterMembers<Shown, Source>],
): Shown => {
  const revision = revisionOf(view);
  if (revision === FIRST_REVISION) return shown;
  for (const name of Object.keys(later) as (keyof Shown)[]) {
    const member = later[name] as LaterMember<Shown[typeof name], Source>;
    if (!hasChange(revision, member.since)) continue;
    const now = member.value(view, source);
    if (now === undefined) delete shown[name];
    else shown[name] = now;
  }
  return shown;
};
