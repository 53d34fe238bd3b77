import * as z from "zod";
import { Fault } from "../contract/platform/faults.ts";
import { clearFaults, faultsOf } from "../domain/platform/faults.ts";
import { endpoint } from "../http/endpoint.ts";
import { type FaultControl, faultHooks, showFault } from "./core/fault-hooks.ts";
import { findId } from "./core/find-id.ts";
import type { WorldControl } from "./core/world-control.ts";

const Cleared = z.object({ cleared: z.number().int() });

/** Operations of the control surface itself are never struck. */
const isPlatform = (place: string) => !place.includes(" /_sim/");

const faultControl = ({ operations, faults }: WorldControl): FaultControl => ({
  operations: () =>
    [...operations].flatMap(([operationId, place]) => {
      const [method = "", path = ""] = place.split(" ");
      return isPlatform(place) ? [{ operationId, method, path }] : [];
    }),
  countOf: (id) => faults.countOf(id),
});

/** Faults that are on, and switching them off. */
export const faultEndpoints = (control: WorldControl, faults = faultControl(control)) => [
  ...faultHooks(faults),
  endpoint({
    operationId: "faults",
    summary: "Fault switches that are on, oldest first",
    method: "GET",
    path: "/faults",
    permission: "none",
    replies: [200, z.object({ data: z.array(Fault) })],
    refuses: [],
    handle: (_input, { read }) =>
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
    permission: "none",
    replies: [200, Cleared],
    refuses: [],
    handle: (_input, { commit }) =>
      commit((draft) => clearFaults(draft, draft.ids("Fault", "all", "").slice()), undefined),
  }),
  endpoint({
    operationId: "clearFault",
    summary: "Switch one fault off; a short id is enough",
    method: "DELETE",
    path: "/faults/{faultId}",
    permission: "none",
    replies: [200, Cleared],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { faultId } }, { commit }) => {
      const id = findId(control.engine.state, faultId, ["Fault"]);
      return commit((draft) => clearFaults(draft, [id]), undefined);
    },
  }),
];
