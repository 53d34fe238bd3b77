import * as z from "zod";
import {
  CoverageReport,
  CoverageScope,
  Exercised,
  ExerciseInput,
} from "../contract/control/coverage.ts";
import { refuse } from "../domain/core/refusal.ts";
import { sendInProcess } from "../scripts/in-process-send.ts";
import type { Send } from "../scripts/script-call.ts";
import { endpoint } from "./core/control-endpoint.ts";
import type { World } from "./core/world.ts";

/** Calls both surfaces of a world as its own client; a fault switch may lose an answer. */
const sendTo = (world: World): Send => {
  const { name, clientId, clientSecret, guard, worlds } = world;
  const send = sendInProcess({
    ...world.urls(),
    controlToken: guard.controlToken,
    ...(worlds.starting !== world && { world: name }),
    clientId,
    clientSecret,
    fetch: (request) => world.fetch(request),
  });
  return async (call) => {
    try {
      return await send(call);
    } catch (error) {
      if (error instanceof TypeError) return "lost";
      throw error;
    }
  };
};

/** Coverage of a world by its callers and receivers (spec/coverage.md#report). */
export const coverageEndpoints = [
  endpoint({
    operationId: "coverage",
    summary: "Coverage of calls and receivers, and one line for each missing item",
    method: "GET",
    path: "/coverage",
    query: { of: CoverageScope.optional() },
    replies: [200, CoverageReport],
    refuses: [],
    handle: ({ query: { of = "world" } }, _call, { coverage }) => coverage.report(of),
  }),
  endpoint({
    operationId: "clearCoverage",
    summary: "Reset the counts",
    method: "DELETE",
    path: "/coverage",
    query: { of: CoverageScope.optional() },
    replies: [204, z.null()],
    refuses: [],
    handle: ({ query: { of = "world" } }, _call, { coverage }) => {
      coverage.clear(of);
    },
  }),
  endpoint({
    operationId: "exerciseCoverage",
    summary: "Make the calls and clock steps that meet an item",
    method: "POST",
    path: "/coverage/exercise",
    body: ExerciseInput,
    replies: [200, Exercised],
    refuses: [],
    outlivesReset: true,
    handle: async ({ body: { item } }, call, world) => {
      const exercised =
        (await world.coverage.exercise(item, sendTo(world))) ??
        refuse(
          "INVALID_INPUT",
          { field: "item", value: item },
          `No item is called ${item}; GET /_sim/coverage lists those that are missing`,
        );
      call.sawEverything();
      return exercised;
    },
  }),
];
