import type { DeliveryRecord } from "../domain/records/records.ts";
import type { Change } from "./change.ts";
import type { WorldState } from "./world-state.ts";

const present = (state: WorldState, ids: readonly string[]): DeliveryRecord[] =>
  ids.flatMap((id) => state.get("Delivery", id) ?? []);

/** Deliveries that still need an attempt. */
export const openDeliveries = (state: WorldState) =>
  present(state, [...state.ids("Delivery", "byProgress", "open")]);

/** Deliveries that a change removes, looked up before it is applied. */
export const droppedBy = (state: WorldState, { del = [] }: Change) =>
  present(
    state,
    del.filter(([kind]) => kind === "Delivery").map(([, id]) => id),
  );

/** Deliveries that a change creates or updates, as they are after it. */
export const keptBy = (state: WorldState, { put = [], emit = [] }: Change) =>
  present(state, [
    ...put.filter(([kind]) => kind === "Delivery").map(([, { id }]) => id),
    ...emit.map(({ id }) => id),
  ]);
