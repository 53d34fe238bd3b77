import type { Rule } from "../domain/core/draft.ts";
import { type Cause, type Change, FORMAT_VERSION } from "./change.ts";
import { type IdSource, momentAt } from "./ids.ts";
import { type DraftChange, WorldDraft } from "./world-draft.ts";
import type { WorldState } from "./world-state.ts";

/** The change that follows the one of a number. `n` is the id counter after it. */
export const changeAfter = (
  { seq, n }: Pick<Change, "seq" | "n">,
  { put, del, post, emit, row, set }: DraftChange,
  { cause, by, movedBy, atMs: at }: Cause & { atMs: number },
): Change => {
  const change = { v: FORMAT_VERSION, seq: seq + 1, at, cause, by, movedBy } as Change;
  // A spread of the parts costs several times as much, in every change. Digests of recorded runs
  // are taken over the text, so the order stays.
  if (put) change.put = put;
  if (del) change.del = del;
  if (post) change.post = post;
  if (emit) change.emit = emit;
  if (row !== undefined) change.row = row;
  if (set) change.set = set;
  change.n = n;
  return change;
};

/** The state that a world begins on, the source of its ids, and the name of its beginning. */
interface FirstState {
  on: WorldState;
  source: IdSource & { seq: number };
  by: string;
  atMs: number;
}

/** The first change of a world, as a rule makes it. */
export const firstChange = (
  rule: Rule<void, void>,
  { on, source, by, atMs }: FirstState,
): Change => {
  const draft = new WorldDraft(on);
  const moment = momentAt(atMs, source);
  rule(draft, undefined, moment);
  const recorded = draft.close() ?? {};
  const after = { seq: source.seq - 1, n: moment.counter() };
  return changeAfter(after, recorded, { cause: by, by, atMs });
};
