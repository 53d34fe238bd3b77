import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { REVISIONS } from "../core/revision-names.ts";
import { Instant } from "../core/scalars.ts";

/** The request whose stored answer a repeated idempotency key was given. */
export const Replay = z.lazy(() =>
  z
    .object({
      /** `req-<start>-<n>`. */
      of: z.string(),
      bodyDiffered: z.literal(true).optional(),
    })
    .meta({ id: "Replay" }),
);

export type Replay = z.infer<typeof Replay>;

const LoggedError = named("LoggedError", () =>
  z.object({ code: z.string(), reason: z.string().optional() }),
);

const requestMembers = () => ({
  id: z.string(),
  at: Instant,
  method: z.string(),
  /** Below the base of the platform's surface. */
  path: z.string(),
  operation: z.string().optional(),
  status: z.int(),
  tookMs: z.int(),
  error: LoggedError.optional(),
  /** The fault switch that struck it. */
  fault: z.string().optional(),
  /** Rows of the sandbox's tables that decided the answer, as `x-sim-rule` names them. */
  rules: z.array(z.string()).readonly().optional(),
  replay: Replay.optional(),
  /** A rewind undid what it did. */
  undone: z.literal(true).optional(),
  /** Ids of the records, timers and webhooks that it changed, made or set. */
  caused: z.array(z.string()).readonly(),
});

/** A call of the platform, as lists show it. */
export const LoggedCall = z.lazy(() => z.object(requestMembers()).meta({ id: "LoggedCall" }));

export type LoggedCall = z.infer<typeof LoggedCall>;

/** Reply of GET /_sim/requests. */
export const LoggedCalls = named("LoggedCallList", () =>
  z.object({
    data: z.array(LoggedCall),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
  }),
);

export type LoggedCalls = z.infer<typeof LoggedCalls>;

/** Characters of a body of which only the beginning is there. */
const CutBody = () => z.int().optional();

/** A use of what only one revision has (spec/revisions.md#requests). */
export const RevisionUse = named("RevisionUse", () =>
  z.object({
    revision: enumOf("Revision", REVISIONS),
    /** Set where the operation itself is of that revision. */
    operation: z.literal(true).optional(),
    /** Members of the body and parameters, as `?name`, that are of that revision. */
    members: z.array(z.string()).readonly(),
  }),
);

export type RevisionUse = z.infer<typeof RevisionUse>;

/** Reply of GET /_sim/requests/{requestId}: bodies are without secrets, and cut to 2 KiB unless asked for as a whole. */
export const CallDetails = named("LoggedCallDetails", () =>
  z.object({
    ...requestMembers(),
    /** Without secrets; absent when there was none. */
    query: z.string().optional(),
    requestBody: z.string().optional(),
    responseBody: z.string().optional(),
    /** Members of the body, and parameters as `?name`, that its operation does not have. */
    ignored: z.array(z.string()).readonly().optional(),
    revisions: z.array(RevisionUse).readonly().optional(),
    /** Bodies that are cut, each with the characters of the whole; absent when none is. */
    cut: z.object({ requestBody: CutBody(), responseBody: CutBody() }).optional(),
  }),
);

export type CallDetails = z.infer<typeof CallDetails>;
