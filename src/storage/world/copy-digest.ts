import { createHash } from "node:crypto";
import { KINDS } from "../../domain/records/tables.ts";
import type { WorldState } from "../../runtime/world-state.ts";

/**
 * A digest of all that a state holds: its clock and counters, records, balances and histories. Old
 * postings are folded when a state is written, so that their balances stand for them.
 */
export const digestOfState = (state: WorldState): string => {
  const digest = createHash("sha256");
  const add = (part: unknown) => digest.update(`${JSON.stringify(part)}\n`);
  add(state.meta());
  for (const kind of KINDS)
    for (const id of [...state.keptIds(kind)].sort())
      add([kind, state.get(kind, id), state.history.of(id)]);
  add(state.balanceImages().sort());
  return digest.digest("hex");
};
