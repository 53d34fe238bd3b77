import { nextBranch } from "./branch.ts";
import type { Change } from "./change.ts";
import type { ClockState } from "./clock.ts";
import type { Engine } from "./engine.ts";
import { asGroup } from "./merge.ts";
import type { WorldState } from "./world-state.ts";

/** A world as it was right after it had begun, and the changes that made it. */
export interface StartState {
  state: WorldState;
  changes: readonly Change[];
}

/** The changes of a beginning as they open a world again, at the end of the branch it has. */
const anew = (engine: Engine, changes: readonly Change[], clock: ClockState): Change[] =>
  changes.map((change, at) => ({
    ...change,
    ...(change.opens && { opens: { ...change.opens, branch: nextBranch(engine.state.branch) } }),
    ...(at === changes.length - 1 && { clock }),
  }));

/**
 * Begins a world again with a beginning that was kept, so that its rules need not run again.
 * @param options.isKept whether the journal is kept: then the world equals it to the last number
 */
export const reopen = (
  engine: Engine,
  { state, changes }: StartState,
  { clock, isKept }: { clock: ClockState; isKept: boolean },
) => {
  engine.requireWritable({ evenIfStopped: true });
  const entries = anew(engine, changes, clock).map((change) => ({ change }));
  if (isKept) return void engine.adopt(engine.origin(), entries);
  const group = asGroup(entries, engine.state).flatMap((entry) =>
    "change" in entry ? [entry.change] : [],
  );
  const last = group.at(-1);
  const branch = nextBranch(engine.state.branch);
  const fresh = state.fork();
  if (last) fresh.loadMeta({ ...state.meta(), branch, clock, seq: last.seq, counter: last.n });
  for (const change of group) engine.journal.buffer(change);
  engine.load(fresh, engine.journal);
  for (const listener of engine.listeners) for (const change of group) listener.changed?.(change);
};
