import type { ListedName } from "../../rows/world.ts";

/** Help for the search of a list. */
interface Searches {
  /** Words that its field suggests. */
  hint: string;
  /** Searches that are one click away: the words, and their name. */
  quick: readonly (readonly [query: string, says: string])[];
}

const ANY: Searches = { hint: "name, amount, end of an id, status:failed, is:open", quick: [] };

const OF_LISTS: Partial<Record<ListedName, Searches>> = {
  payments: {
    hint: "payee, amount, end of an id, status:failed",
    quick: [
      ["", "all"],
      ["is:open", "open"],
      ["status:completed", "completed"],
      ["status:failed", "failed"],
    ],
  },
  deliveries: {
    hint: "event type, end of an id, code:500",
    quick: [
      ["", "all"],
      ["is:open", "waiting"],
      ["status:given_up", "given up"],
      ["status:undeliverable", "no endpoint"],
    ],
  },
  requests: {
    hint: "path, operation, error code, code:5xx",
    quick: [
      ["", "all"],
      ["status:failed", "errors"],
    ],
  },
};

/** The searches that fit a list. */
export const searchesOf = (name: ListedName): Searches => OF_LISTS[name] ?? ANY;
