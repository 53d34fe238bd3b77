import { all, type View } from "../../domain/core/draft.ts";
import { CALLER_KINDS, keysOfRecord } from "../../domain/platform/caller-keys.ts";
import type { Change } from "../../runtime/change.ts";

/** Caller keys by the record that has them, such as `Agent Agent:…`. */
export type CallerKeys = ReadonlyMap<string, readonly string[]>;

/** Effect of changes on the caller keys of a world. */
export interface CallerChanges {
  made: readonly string[];
  dropped: readonly string[];
  /** Keys of the records that they touch; none for a record that has none any more. */
  records: CallerKeys;
}

type Put = NonNullable<Change["put"]>[number];

const INDEXED_KINDS: ReadonlySet<string> = new Set([...CALLER_KINDS, "Document"]);

const placeOf = (kind: string, id: string) => `${kind} ${id}`;

/** Whether a change concerns what the engine keeps an index of: callers, and files in use. */
export const isIndexed = ({ opens, put = [], del = [] }: Change): boolean =>
  opens !== undefined ||
  put.some(([kind]) => INDEXED_KINDS.has(kind)) ||
  del.some(([kind]) => INDEXED_KINDS.has(kind));

/** Caller keys of all records of a state. */
export const callerKeysByRecord = (view: View): CallerKeys =>
  new Map(
    CALLER_KINDS.flatMap((kind) =>
      all(view, kind).map((record) => [
        placeOf(kind, record.id),
        keysOfRecord([kind, record] as Put),
      ]),
    ),
  );

/** Keys that changes make and drop, where the records before them had others. */
export const callerChanges = (before: CallerKeys, changes: readonly Change[]): CallerChanges => {
  const records = new Map<string, readonly string[]>();
  for (const { opens, put = [], del = [] } of changes) {
    if (opens) for (const place of [...before.keys(), ...records.keys()]) records.set(place, []);
    for (const one of put) {
      const keys = keysOfRecord(one);
      const place = placeOf(one[0], one[1].id);
      if (keys.length > 0 || before.has(place) || records.has(place)) records.set(place, keys);
    }
    for (const [kind, id] of del)
      if (before.has(placeOf(kind, id)) || records.has(placeOf(kind, id)))
        records.set(placeOf(kind, id), []);
  }
  const had = new Set([...records.keys()].flatMap((place) => before.get(place) ?? []));
  const has = new Set([...records.values()].flat());
  const gone = [...had].filter((key) => !has.has(key));
  const stays = new Set(
    gone.length === 0
      ? []
      : [...before].flatMap(([place, keys]) => (records.has(place) ? [] : keys)),
  );
  return {
    made: [...has].filter((key) => !had.has(key)),
    dropped: gone.filter((key) => !stays.has(key)),
    records,
  };
};

/** SHA-256 of the files that changes name, each once, whether a record named it before or not. */
export const namedFiles = (changes: readonly Change[]): string[] => {
  const named = new Set<string>();
  for (const { put = [] } of changes)
    for (const [kind, record] of put) if (kind === "Document") named.add(record.file.sha256);
  return [...named];
};
