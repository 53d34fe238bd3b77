import type { Rule } from "../domain/core/draft.ts";
import { type Cause, type Change, FORMAT_VERSION } from "./change.ts";
import { type IdSource, momentAt } from "./ids.ts";
import { type Recorded, WorldDraft } from "./world-draft.ts";
import type { WorldState } from "./world-state.ts";

/** The change that follows another one; its id counter is still to be set. */
export const changeAfter = (
  seq: number,
  recorded: Recorded,
  { cause, by, movedBy, atMs: at }: Cause & { atMs: number },
): Change => ({ v: FORMAT_VERSION, seq: seq + 1, at, cause, by, movedBy, ...recorded, n: 0 });

/** The state that a world begins on, the source of its ids, and the name of its beginning. */
interface Beginning {
  on: WorldState;
  source: IdSource & { seq: number };
  by: string;
  atMs: number;
}

/** The first change of a world, as a rule makes it. */
export const firstChange = (
  rule: Rule<void, void>,
  { on, source, by, atMs }: Beginning,
): Change => {
  const draft = new WorldDraft(on);
  const moment = momentAt(atMs, source);
  rule(draft, undefined, moment);
  const change = changeAfter(source.seq - 1, draft.close() ?? {}, { cause: by, by, atMs });
  return { ...change, n: moment.counter() };
};
