import { type LifecycleTable, LifecycleTables } from "../contract/control/lifecycles.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { type AnyLifecycle, LIFECYCLE_TABLES } from "./core/lifecycle-tables.ts";

/** States in the order in which a record can reach them, the final ones last. */
const statesOf = ({ starts, ends, moves }: AnyLifecycle): string[] => {
  const reachable = new Set([starts]);
  for (const state of reachable)
    for (const { from, to } of moves) if (from === state) reachable.add(to);
  const all = [...new Set([...reachable, ...moves.flatMap(({ from, to }) => [from, to]), ...ends])];
  return [
    ...all.filter((state) => !ends.includes(state)),
    ...all.filter((state) => ends.includes(state)),
  ];
};

const shown = (name: string, table: AnyLifecycle): LifecycleTable => {
  const { starts, startEmits, ends, moves } = table;
  return {
    name,
    starts,
    ...(startEmits !== undefined && { startEmits }),
    ends: [...ends],
    states: statesOf(table),
    moves: moves.map(({ from, on, to, emits }) => ({
      from,
      on,
      to,
      ...(emits !== undefined && { emits }),
    })),
  };
};

/** Every lifecycle, its states in the order in which a record can reach them. */
export const lifecycleTables = (): LifecycleTable[] =>
  Object.entries(LIFECYCLE_TABLES).map(([name, table]) => shown(name, table));

/** Every lifecycle as its table (spec/console.md#lifecycles). */
export const lifecycleEndpoints = [
  endpoint({
    operationId: "lifecycles",
    summary: "Every lifecycle: states, moves between them, and their webhooks",
    method: "GET",
    path: "/lifecycles",
    replies: [200, LifecycleTables],
    refuses: [],
    handle: () => ({ data: lifecycleTables() }),
  }),
];
