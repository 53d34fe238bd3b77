import { type Draft, find, type Moment } from "../core/draft.ts";

/** Pauses the agents of a customer that is deleted (decisions, Deleting a customer). */
export const pauseAgentsOf = (draft: Draft, customerId: string, { atMs }: Moment) => {
  for (const agent of find(draft, "Agent", ["byCustomer", customerId]))
    if (!agent.isPaused) draft.put("Agent", { ...agent, isPaused: true, updatedAtMs: atMs });
};
