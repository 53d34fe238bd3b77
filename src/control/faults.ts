import { ClearedFaults, Faults } from "../contract/control/faults.ts";
import { clearFaults, faultsOf } from "../domain/platform/faults.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { faultHooks, showFault } from "./core/fault-hooks.ts";
import { findId } from "./core/find-id.ts";

/** Faults that are on, and switching them off. */
export const faultEndpoints = [
  ...faultHooks,
  endpoint({
    operationId: "faults",
    summary: "Fault switches that are on, oldest first",
    method: "GET",
    path: "/faults",
    replies: [200, Faults],
    refuses: [],
    handle: (_input, { read }, { faults }) =>
      read(
        (view) => ({ data: faultsOf(view).map((one) => showFault(one, faults.countOf(one.id))) }),
        undefined,
      ),
  }),
  endpoint({
    operationId: "clearFaults",
    summary: "Switch all faults off",
    method: "DELETE",
    path: "/faults",
    replies: [200, ClearedFaults],
    refuses: [],
    handle: (_input, { commit }) =>
      commit((draft) => clearFaults(draft, draft.ids("Fault", "all", "").slice()), undefined),
  }),
  endpoint({
    operationId: "clearFault",
    summary: "Switch one fault off; a short id is enough",
    method: "DELETE",
    path: "/faults/{faultId}",
    replies: [200, ClearedFaults],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { faultId } }, { commit }, world) => {
      const id = findId(world.engine.state, faultId, ["Fault"]);
      return commit((draft) => clearFaults(draft, [id]), undefined);
    },
  }),
];
