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

/** Most differing characters of a slip; the last six of an id must differ in one alone. */
const MOST_SLIPS = { short: 1, long: 2 } as const;

const SHORT_LENGTH = 8;

/** Whether two texts of one length differ by a slip: few characters, or two neighbors swapped. */
const isSlipOf = (typed: string, tail: string) => {
  const at = [...typed].flatMap((character, place) => (character === tail[place] ? [] : [place]));
  const [first = 0, second = 0] = at;
  const isSwap =
    at.length === 2 &&
    second === first + 1 &&
    typed[first] === tail[second] &&
    typed[second] === tail[first];
  const most = MOST_SLIPS[typed.length < SHORT_LENGTH ? "short" : "long"];
  return isSwap || at.length <= most;
};

const shortened = (id: string) => id.replace(/:.*(?=.{6}$)/, ":…");

/** The only id whose end is like the typed one. */
const closestId = (
  state: WorldState,
  { prefix, tail }: { prefix: string; tail: string },
  kinds: readonly Kind[],
) => {
  const like = kinds.flatMap((kind) =>
    state
      .ids(kind, "all", "")
      .slice()
      .filter((id) => id.startsWith(prefix) && isSlipOf(tail, id.slice(-tail.length))),
  );
  return like.length === 1 ? like[0] : undefined;
};

/** Ids of deliveries begin with the name that people know them by. */
const nameOf = (kind: Kind) => (kind === "Delivery" ? "Webhook" : kind);

const withArticle = (kind: Kind) => `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${nameOf(kind)}`;

const matching = (state: WorldState, text: string, kinds: readonly Kind[]): string[] => {
  if (isThere(state, text, kinds)) return [text];
  const [, kind, tail] = SHORT.exec(text) ?? [];
  if (tail === undefined) return [];
  const prefix = kind === undefined ? "" : `${kind}:`;
  return endingIn(state, { prefix, tail: tail.toLowerCase() }, kinds);
};

/** Commands that list the ids of a kind. */
const LISTED_BY: Partial<Record<Kind, string>> = {
  AgentAction: "service-sim approvals list",
  Delivery: "service-sim webhooks list",
  Fault: "service-sim faults list",
  Trouble: "service-sim webhooks troubles",
};

const nextFor = ([kind]: readonly Kind[]) => {
  const list = kind && LISTED_BY[kind];
  return list === undefined ? {} : { next: `${list}      lists them` };
};

/** Refuses an id that fits nothing, with what it is instead or with the closest one. */
const noneLike = (state: WorldState, text: string, kinds: readonly Kind[]) => {
  const [, kind, tail] = SHORT.exec(text) ?? [];
  const wanted = kinds === ASKED ? "an id" : `the id of ${kinds.map(withArticle).join(" or ")}`;
  const next = kinds === ASKED ? {} : nextFor(kinds);
  const [other] = kinds === ASKED ? [] : matching(state, text, ASKED);
  if (other !== undefined)
    return refuse(
      "ID_NOT_FOUND",
      { id: text },
      { says: `Expected ${wanted} but found ${other}`, ...next },
    );
  const end = tail !== undefined && tail.length > 12 ? tail.slice(-6) : tail;
  const found = end === undefined ? `"${text.slice(0, 80)}"` : `none ending in ${end}`;
  const prefix = kind === undefined ? "" : `${kind}:`;
  const closest =
    tail === undefined ? undefined : closestId(state, { prefix, tail: tail.toLowerCase() }, kinds);
  const hint = closest === undefined ? "" : `; the closest one is ${shortened(closest)}`;
  const says = `Expected ${wanted} of world ${state.world} but found ${found}${hint}`;
  return refuse(
    "ID_NOT_FOUND",
    { id: text, ...(closest !== undefined && { closest }) },
    { says, ...next },
  );
};

/**
 * The id that a person means: whole, or as screens shorten it. Refuses with `ID_NOT_FOUND` when
 * nothing fits, and with `ID_AMBIGUOUS`, naming them, when several do.
 * @param kinds where to look; everywhere when left out
 */
export const findId = (state: WorldState, text: string, kinds: readonly Kind[] = ASKED): string => {
  const ids = matching(state, text, kinds);
  const [only] = ids;
  if (only === undefined) return noneLike(state, text, kinds);
  if (ids.length === 1) return only;
  const tail = SHORT.exec(text)?.[2] ?? text;
  const named = ids.slice(0, MAX_NAMED);
  const says = `Expected one id ending in ${tail} but found ${ids.length}: ${named.join(", ")}`;
  return refuse("ID_AMBIGUOUS", { id: text, ids: named }, says);
};
