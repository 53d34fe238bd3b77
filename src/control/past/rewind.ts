import { RewindInput, Rewound, type Undone } from "../../contract/control/rewind.ts";
import { instant } from "../../domain/core/draft.ts";
import type { Change } from "../../runtime/change.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { isAct, rewindTarget } from "./rewind-target.ts";

/** Acts named in a report; the rest is counted. */
const MAX_ACTS = 20;

/** Whether a receiver answered a webhook, whatever it said. */
const isAnswered = (state: WorldState, id: string) =>
  state.get("Delivery", id)?.attempts.some(({ httpStatus }) => httpStatus !== undefined) === true;

/** Sums up what a rewind takes back of the present state, `count` changes in all. */
const undoneIn = (changes: readonly Change[], state: WorldState, count: number): Undone => {
  const acts = changes.filter(isAct);
  const byCause = new Map(acts.map((act) => [act.cause, act]));
  const causes = [...byCause.keys()];
  const requests = causes.filter((cause) => cause.startsWith("req-")).length;
  const fired = acts.filter(({ cause }) => !cause.startsWith("req-")).length;
  return {
    changes: count,
    requests,
    timers: fired,
    webhooks: changes.reduce((sum, { emit = [] }) => sum + emit.length, 0),
    delivered: changes.flatMap(({ emit = [] }) => emit).filter(({ id }) => isAnswered(state, id))
      .length,
    acts: [...byCause.values()]
      .sort((a, b) => b.seq - a.seq)
      .slice(0, MAX_ACTS)
      .map(({ at, by, cause }) => ({ at: instant(at), by, cause })),
  };
};

/** Going back in a world's own past (spec/snapshots.md#rewind). */
export const rewindEndpoints = [
  endpoint({
    operationId: "rewind",
    summary: "Go back by a span, to an instant, or to before a record, request, webhook or timer",
    method: "POST",
    path: "/clock/rewind",
    body: RewindInput,
    replies: [200, Rewound],
    refuses: [
      "INVALID_INPUT",
      "INVALID_DURATION",
      "INVALID_INSTANT",
      "TIME_AHEAD",
      "BEFORE_HORIZON",
      "NOTHING_TO_UNDO",
      "ID_NOT_FOUND",
      "ID_AMBIGUOUS",
      "UNAVAILABLE",
    ],
    outlivesReset: true,
    handle: async ({ body }, call, world): Promise<Rewound> => {
      const { engine, timelines: past } = world;
      const find = async () => {
        const resolved = await rewindTarget(world, body);
        const { seq, atMs } = resolved.target;
        const undone = undoneIn(await past.changesSince(seq), engine.state, engine.state.seq - seq);
        const report = {
          from: instant(engine.clock.now()),
          to: instant(atMs),
          undone,
        };
        return { ...resolved, target: { ...resolved.target, report } };
      };
      if (body.dryRun) return (await find()).target.report;
      const { target, snapshot } = await past.rewind(find, { holds: body.hold === true });
      call.sawEverything();
      return {
        ...target.report,
        snapshot,
        next: [`service-sim snapshot load ${snapshot}`],
      };
    },
  }),
];
