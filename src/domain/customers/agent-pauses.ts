import { type Draft, find, type Moment } from "../core/draft.ts";

/** Pauses the agents of a deleted customer (spec/customers.md#deletion). */
export const pauseAgentsOf = (draft: Draft, customerId: string, { atMs }: Moment) => {
  for (const agent of find(draft, "Agent", ["byCustomer", customerId]))
    if (!agent.isPaused) draft.put("Agent", { ...agent, isPaused: true, updatedAtMs: atMs });
};
