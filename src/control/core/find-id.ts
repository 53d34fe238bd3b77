import { refuse } from "../../domain/core/refusal.ts";
import type { Kind } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import type { WorldState } from "../../runtime/world-state.ts";

/** Kinds without an id of their own that a person would ask for. */
const UNASKED: ReadonlySet<Kind> = new Set<Kind>([
  "BulkErrors",
  "BulkRows",
  "Event",
  "Replay",
  "Timer",
  "UsedChallenge",
]);

const ASKED = KINDS.filter((kind) => !UNASKED.has(kind));

/** `Quote:…8e4b17`, `…8e4b17` and `8e4b17`; two or three dots stand for the ellipsis. */
const SHORT = /^(?:([A-Za-z]+):)?(?:…|\.{2,3})?([0-9a-f-]{4,36})$/i;

/** Ids named when a short one fits several; more would not be read. */
const MAX_NAMED = 20;

const isThere = (state: WorldState, text: string, kinds: readonly Kind[]) =>
  kinds.some((kind) => state.get(kind, text) !== undefined);

const endingIn = (
  state: WorldState,
  { prefix, tail }: { prefix: string; tail: string },
  kinds: readonly Kind[],
) =>
  kinds.flatMap((kind) =>
    state
      .ids(kind, "all", "")
      .slice()
      .filter((id) => id.startsWith(prefix) && id.endsWith(tail)),
  );

const noneLike = (state: WorldState, text: string, tail: string | undefined) => {
  const found = tail === undefined ? `"${text.slice(0, 80)}"` : `none ending in ${tail}`;
  const says = `Expected an id of world ${state.world} but found ${found}`;
  return refuse("ID_NOT_FOUND", { id: text }, says);
};

/**
 * The id that a person means: whole, or as screens shorten it. Refuses with `ID_NOT_FOUND` when
 * nothing fits, and with `ID_AMBIGUOUS`, naming them, when several do.
 * @param kinds where to look; everywhere when left out
 */
export const findId = (state: WorldState, text: string, kinds: readonly Kind[] = ASKED): string => {
  if (isThere(state, text, kinds)) return text;
  const [, kind, tail] = SHORT.exec(text) ?? [];
  if (tail === undefined) return noneLike(state, text, tail);
  const prefix = kind === undefined ? "" : `${kind}:`;
  const ids = endingIn(state, { prefix, tail: tail.toLowerCase() }, kinds);
  const [only] = ids;
  if (only === undefined) return noneLike(state, text, tail.length > 12 ? tail.slice(-6) : tail);
  if (ids.length === 1) return only;
  const named = ids.slice(0, MAX_NAMED);
  const says = `Expected one id ending in ${tail} but found ${ids.length}: ${named.join(", ")}`;
  return refuse("ID_AMBIGUOUS", { id: text, ids: named }, says);
};
