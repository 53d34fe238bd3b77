import { LiftedOutcomes, NextOutcomes } from "../contract/control/next-outcomes.ts";
import { nextOutcomes } from "../domain/outcomes/next-outcomes.ts";
import { liftOutcomes } from "../domain/outcomes/set-outcomes.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { findId } from "./core/find-id.ts";
import { showNextOutcome } from "./core/next-outcome-hooks.ts";

/** Outcomes that are set for what comes next, and lifting them. */
export const nextOutcomeEndpoints = [
  endpoint({
    operationId: "nextOutcomes",
    summary: "Outcomes set for the next matching cases, oldest first",
    method: "GET",
    path: "/outcomes/next",
    replies: [200, NextOutcomes],
    refuses: [],
    handle: (_input, { read }) =>
      read((view) => ({ data: nextOutcomes(view).map(showNextOutcome) }), undefined),
  }),
  endpoint({
    operationId: "liftNextOutcomes",
    summary: "Remove every outcome that is set",
    method: "DELETE",
    path: "/outcomes/next",
    replies: [200, LiftedOutcomes],
    refuses: [],
    handle: (_input, { commit }) =>
      commit(
        (draft) => liftOutcomes(draft, draft.ids("NextOutcome", "all", "").slice()),
        undefined,
      ),
  }),
  endpoint({
    operationId: "liftNextOutcome",
    summary: "Remove one outcome that is set; a short id is enough",
    method: "DELETE",
    path: "/outcomes/next/{outcomeId}",
    replies: [200, LiftedOutcomes],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { outcomeId } }, { commit }, world) => {
      const id = findId(world.engine.state, outcomeId, ["NextOutcome"]);
      return commit((draft) => liftOutcomes(draft, [id]), undefined);
    },
  }),
];
