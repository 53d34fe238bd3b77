import { RewindInput, Rewound } from "../../contract/control/rewind.ts";
import { instant } from "../../domain/core/draft.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { rewindTarget } from "./rewind-target.ts";
import { undoneIn } from "./undone.ts";

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
        const found = await rewindTarget(world, body);
        const { seq, atMs } = found.target;
        const undone = undoneIn(await past.changesSince(seq), engine.state, engine.state.seq - seq);
        const report = {
          from: instant(engine.clock.now()),
          to: instant(atMs),
          undone,
        };
        return { ...found, target: { ...found.target, report } };
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
