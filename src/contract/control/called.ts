import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { JsonValue } from "./values.ts";

/** A file of a form, which a call uploads in the part `file`. */
const CalledFile = z.strictObject({ name: z.string().min(1), base64: z.base64() });

/** One line of characters that a header can carry. */
const HEADER_LINE = /^[\x20-\x7e]*$/;

/** Body of POST /_sim/call: an operation by its name, or a method and a path below the API's base. */
export const CallInput = z.lazy(() =>
  z
    .strictObject({
      operationId: z.string().optional(),
      method: z.enum(["GET", "POST", "PATCH", "PUT", "DELETE"]).optional(),
      path: z
        .string()
        .regex(/^\/[^\s#]*$/, "Expected a path like /quotes")
        .optional(),
      /** Values for the names between braces in the operation's path. */
      params: z.record(z.string(), z.string()).optional(),
      query: z.record(z.string(), z.string()).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: JsonValue.optional(),
      /** Sends a form: this file, and the members of the body as texts beside it. */
      file: CalledFile.optional(),
      /** Header of that name in place of the world's own credentials; empty sends none. */
      authorization: z
        .string()
        .regex(HEADER_LINE, "Expected one line of ASCII like Bearer <token>")
        .optional(),
    })
    .refine(
      ({ file, body }) => file === undefined || body === undefined || isMembers(body),
      "Expected a body of members beside a file",
    )
    .refine(
      ({ operationId, method, path }) =>
        operationId === undefined ? method !== undefined && path !== undefined : path === undefined,
      "Expected an operationId, or a method and a path",
    ),
);

export type CallInput = z.infer<typeof CallInput>;

const isMembers = (body: JsonValue) =>
  typeof body === "object" && body !== null && !Array.isArray(body);

/** Reply of POST /_sim/call: what the platform's surface answered. */
export const Called = named("CalledOperation", () =>
  z.object({
    method: z.string(),
    path: z.string(),
    /** Absent where a fault switch lost the answer. */
    status: z.int().optional(),
    headers: z.record(z.string(), z.string()),
    /** The answer's text. */
    text: z.string(),
    requestId: z.string().optional(),
    /** Reason why no answer came. */
    lost: z.string().optional(),
  }),
);

export type Called = z.infer<typeof Called>;
