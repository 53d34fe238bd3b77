import * as z from "zod";
import { endpoint } from "./control-endpoint.ts";
import { findPresentId } from "./present-ids.ts";

/** Whole ids for the short ones that screens show (spec/clock.md#ids). */
export const wholeIdEndpoints = [
  endpoint({
    operationId: "wholeId",
    summary: "The whole id for a short one: …8e4b17",
    method: "GET",
    path: "/ids/{id}",
    replies: [200, z.lazy(() => z.object({ id: z.string() }))],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { id } }, call, world) =>
      call.read(() => ({ id: findPresentId(world, id) }), undefined),
  }),
];
