import type { DeliveryRecord } from "../domain/records/records.ts";
import { isOpen } from "../domain/records/tables.ts";
import type { Change } from "./change.ts";
import type { WorldState } from "./world-state.ts";

const NONE: readonly DeliveryRecord[] = [];

const present = (state: WorldState, ids: Iterable<string>): DeliveryRecord[] => {
  const deliveries: DeliveryRecord[] = [];
  for (const id of ids) {
    const delivery = state.get("Delivery", id);
    if (delivery) deliveries.push(delivery);
  }
  return deliveries;
};

/** Deliveries that still need an attempt. */
export const openDeliveries = (state: WorldState) =>
  present(state, state.ids("Delivery", "byProgress", "open"));

/** Open deliveries that a change removes, looked up before it is applied: no lane waits for others. */
export const droppedBy = (state: WorldState, { del }: Change): readonly DeliveryRecord[] => {
  if (!del) return NONE;
  const ids: string[] = [];
  for (const [kind, id] of del) if (kind === "Delivery") ids.push(id);
  return ids.length === 0 ? NONE : present(state, ids).filter(isOpen);
};

/** Deliveries that a change creates or updates, as they are after it. */
export const keptBy = (state: WorldState, { put, emit }: Change): readonly DeliveryRecord[] => {
  const ids: string[] = [];
  if (put) for (const [kind, { id }] of put) if (kind === "Delivery") ids.push(id);
  if (emit) for (const { id } of emit) ids.push(id);
  return ids.length === 0 ? NONE : present(state, ids);
};
