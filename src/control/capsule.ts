import * as z from "zod";
import { CapsuleEnded, CapsuleInput } from "../contract/control/capsule.ts";
import { StreamReply } from "../http/message/stream-reply.ts";
import { endpoint } from "./core/control-endpoint.ts";

/** Capsules of a simulator that runs (spec/capsules.md#recording). */
export const capsuleEndpoints = [
  endpoint({
    operationId: "recordCapsule",
    summary: "Record all worlds from now on, as a capsule, until the recording ends",
    method: "POST",
    path: "/capsule",
    isWorldless: true,
    outlivesReset: true,
    body: CapsuleInput,
    replies: [200, z.string(), "application/x-ndjson"],
    refuses: ["RECORDED_ALREADY", "UNAVAILABLE"],
    handle: async ({ body: { withSecrets = false, name } }, _call, { recordings }) => {
      const lines = await recordings.begin({ name, withSecrets });
      return new StreamReply("application/x-ndjson", () => lines);
    },
  }),
  endpoint({
    operationId: "endCapsule",
    summary: "End the recording once no call is running",
    method: "DELETE",
    path: "/capsule",
    isWorldless: true,
    replies: [200, CapsuleEnded],
    refuses: ["NOTHING_RECORDED"],
    handle: (_input, _call, { recordings }) => recordings.end(),
  }),
];
