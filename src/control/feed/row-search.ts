import type { RowListName } from "../../contract/control/row-lists.ts";
import { hostTime, nextTurn } from "../../machine/host-time.ts";
import { matches, type Term, termsOf } from "../../rows/filter.ts";
import { listNamed } from "../../rows/lists.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { ROW_SOURCES, type RowWorld } from "./row-sources.ts";

/** Longest stretch of a search in one turn of the event loop, wall milliseconds. */
const STRETCH_MS = 10;

/** Records between two looks at the clock. */
const STRIDE = 128;

/** The last search of a world: its next page needs no second one while nothing has changed. */
interface Search {
  version: string;
  found: readonly string[];
}

const lastSearches = new WeakMap<WorldState, Search>();

const tester = (world: RowWorld, name: RowListName, terms: readonly Term[]) => {
  const { sought, row } = ROW_SOURCES[name];
  const { fields } = listNamed(name);
  const read = sought ?? row;
  return (key: string) => {
    const one = read(world, key);
    return one !== undefined && matches(terms, fields(one as never));
  };
};

/**
 * Keys of the rows that match, in the order of the list. The search covers every record, in slices:
 * other calls are served meanwhile.
 * @param most number of rows after which the search ends
 */
export const search = async (
  world: RowWorld,
  { name, query, most = Number.POSITIVE_INFINITY }: Sought,
): Promise<readonly string[]> => {
  const { state } = world.engine;
  const version = `${world.engine.generation} ${state.seq} ${world.log().version} ${name} ${query}`;
  const last = lastSearches.get(state);
  if (last?.version === version) return last.found;
  const isMatch = tester(world, name, termsOf(query));
  const found: string[] = [];
  let endsAtMs = hostTime.monotonicMs() + STRETCH_MS;
  const keys = ROW_SOURCES[name].keys(world);
  for (const [at, key] of keys.slice(0, keys.length).entries()) {
    if (isMatch(key)) found.push(key);
    if (found.length === most) return found;
    if (at % STRIDE !== 0 || hostTime.monotonicMs() < endsAtMs) continue;
    await nextTurn();
    endsAtMs = hostTime.monotonicMs() + STRETCH_MS;
  }
  lastSearches.set(state, { version, found });
  return found;
};

interface Sought {
  name: RowListName;
  query: string;
  most?: number;
}
