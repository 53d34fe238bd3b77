import * as z from "zod";
import { FAULT_CODES, type FaultCode } from "../core/error-codes.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant, InstantInput } from "../core/scalars.ts";

/** Longest delay that a fault may cause, in milliseconds of the system clock. */
export const MAX_LATENCY_MS = 60_000;

const Count = z.int().min(1).max(1_000_000);

/** Bytes in each interval of milliseconds, on the system clock (spec/faults.md#damaged-answers). */
export const Drip = named("FaultDrip", () =>
  z.strictObject({
    bytes: z.int().min(1).max(1_000_000).describe("bytes sent at a time"),
    everyMs: z.int().min(1).max(MAX_LATENCY_MS).describe("pause before each, on the system clock"),
  }),
);

/** The calls that a fault strikes: all that match, unless limited (spec/faults.md#matching). */
export const FaultMatch = named("FaultMatch", () =>
  z.strictObject({
    operation: z.string().optional().describe("operationId, such as createQuote"),
    path: z
      .string()
      .regex(/^([A-Z]+ )?\/\S*$/, "Expected a path like /quotes, or POST /quotes")
      .optional()
      .describe("/quotes/{id} or a concrete path, optionally after a method"),
    nth: Count.optional().describe("first matching call that is affected; 1 is the next one"),
    times: Count.optional().describe("number of calls affected; 1 if only nth is given"),
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("probability for each call, drawn from the world's seed"),
    from: InstantInput.optional().describe("simulated instant at which it starts"),
    until: InstantInput.optional().describe("simulated instant at which it ends"),
    for: z.string().optional().describe("simulated duration, such as 6m, instead of until"),
  }),
);

export type FaultMatch = z.infer<typeof FaultMatch>;

const codes = Object.keys(FAULT_CODES) as [FaultCode, ...FaultCode[]];

/** The effect on a struck call; a delay combines with any other effect (spec/faults.md#effects). */
export const FaultEffect = named("FaultEffect", () =>
  z
    .strictObject({
      status: z
        .int()
        .min(400)
        .max(599)
        .optional()
        .describe("status to answer; the call is not done"),
      code: enumOf("FaultCode", codes)
        .optional()
        .describe("code of the error; sets the status if that is omitted"),
      shouldRetry: z
        .boolean()
        .optional()
        .describe("header x-should-retry of the error; false for 409 and 501 by default"),
      latencyMs: z
        .int()
        .min(1)
        .max(MAX_LATENCY_MS)
        .optional()
        .describe("delay of the answer, on the system clock"),
      dropResponse: z.literal(true).optional().describe("executes the call, then drops the answer"),
      closeSocket: z.literal(true).optional().describe("closes the connection and does nothing"),
      cutAfterBytes: z
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .describe("sends this much of the answer's body, then closes the connection"),
      garble: z.literal(true).optional().describe("sends bytes that are not JSON as the body"),
      drip: Drip.optional().describe("sends the answer's body a few bytes at a time"),
    })
    .refine(
      ({ shouldRetry: _ofAnError, ...fault }) =>
        Object.values(fault).some((value) => value !== undefined),
      "Expected status, code, latencyMs, dropResponse, closeSocket, cutAfterBytes, garble or drip",
    )
    .refine(
      ({ status, code, dropResponse, closeSocket }) =>
        [status ?? code, dropResponse, closeSocket].filter((one) => one !== undefined).length <= 1,
      "Expected one of an error, dropResponse and closeSocket",
    )
    .refine(
      ({ dropResponse, closeSocket, cutAfterBytes, garble, drip }) =>
        (dropResponse ?? closeSocket) === undefined ||
        [cutAfterBytes, garble, drip].every((one) => one === undefined),
      "Expected an answer to damage: neither dropResponse nor closeSocket",
    )
    .refine(
      ({ shouldRetry, status, code }) =>
        shouldRetry === undefined || (status ?? code) !== undefined,
      "Expected shouldRetry beside a status or code",
    ),
);

export type FaultEffect = z.infer<typeof FaultEffect>;

/** Body of POST /_sim/faults. */
export const FaultInput = named("FaultInput", () =>
  z.strictObject({ match: FaultMatch.optional(), fault: FaultEffect }),
);

export type FaultInput = z.infer<typeof FaultInput>;

/**
 * A fault switch in a reply; its counts begin when the simulator starts (spec/faults.md#switch).
 */
export const Fault = named("Fault", () =>
  z.object({
    id: z.string(),
    match: FaultMatch,
    fault: FaultEffect,
    seen: z.number().int(),
    struck: z.number().int(),
    createdAt: Instant,
  }),
);

export type Fault = z.infer<typeof Fault>;
