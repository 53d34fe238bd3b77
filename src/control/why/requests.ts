import * as z from "zod";
import { CallDetails, LoggedCalls } from "../../contract/control/requests.ts";
import { PAGE_LIMIT, PageQuery } from "../../contract/core/lists.ts";
import { instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { type LoggedRequest, REQUEST_LOG } from "../../http/log/log-entry.ts";
import type { Absence } from "../../http/log/request-log.ts";
import { endpoint } from "../core/control-endpoint.ts";
import type { World } from "../core/world.ts";

/** Shows a request as lists and the feed have it. */
export const showRequest = <Shown extends LoggedRequest>({ atMs, ...request }: Shown) => {
  const { id, ...rest } = request;
  return { id, at: instant(atMs), ...rest };
};

const ABSENCES: Record<Absence, (id: string) => string> = {
  gone: (id) =>
    `The request ${id} is no longer kept: the log holds the last ${REQUEST_LOG.entries} requests, ` +
    "and those of earlier runs that a clean stop or a checkpoint saved",
  unlogged: (id) => `${id} is a call of the control surface, which is never logged`,
  unknown: (id) => `No request ${id}`,
};

/** Explains why a request is not in the log. */
export const absenceSentence = ({ log }: World, id: string) =>
  ABSENCES[log.absenceOf(id)](id.slice(0, 200));

const positionIn = (cursor: string | undefined) => {
  if (cursor === undefined) return undefined;
  return /^[0-9]{1,15}$/.test(cursor)
    ? Number(cursor)
    : refuse("INVALID_INPUT", { field: "cursor", value: cursor });
};

/** `409` is that status, `4xx` all of its hundred. */
const StatusFilter = z
  .string()
  .regex(/^[1-5]([0-9]{2}|xx)$/, "Expected a status like 409, or 4xx")
  .optional();

const hasStatus = (status: number, wanted: string | undefined) =>
  wanted === undefined || String(status).startsWith(wanted.replace("xx", ""));

/** The last calls of the platform. */
export const requestEndpoints = [
  endpoint({
    operationId: "requests",
    summary: "The last calls of the platform, newest first, without calls of this surface",
    method: "GET",
    path: "/requests",
    query: {
      ...PageQuery,
      status: StatusFilter,
      operation: z.string().optional(),
      method: z.string().optional(),
    },
    replies: [200, LoggedCalls],
    refuses: [],
    handle: (
      { query: { limit = PAGE_LIMIT.default, cursor, ...wanted } },
      _call,
      world,
    ): LoggedCalls => {
      const { requests, hasMore, position } = world.log.page(
        { before: positionIn(cursor), limit },
        ({ status, operation, method }) =>
          hasStatus(status, wanted.status) &&
          (wanted.operation ?? operation) === operation &&
          (wanted.method?.toUpperCase() ?? method) === method,
      );
      return {
        data: requests.map(showRequest),
        hasMore,
        ...(hasMore && { nextCursor: String(position) }),
      };
    },
  }),
  endpoint({
    operationId: "request",
    summary: "One call with its bodies, without secrets; over 2 KiB only with bodies=whole",
    method: "GET",
    path: "/requests/{requestId}",
    query: { bodies: z.enum(["cut", "whole"]).optional() },
    replies: [200, CallDetails],
    refuses: ["ID_NOT_FOUND"],
    handle: ({ params: { requestId }, query: { bodies } }, _call, world): CallDetails => {
      const request = world.log.find(requestId, bodies === "whole");
      return request
        ? showRequest(request)
        : refuse("ID_NOT_FOUND", { id: requestId }, absenceSentence(world, requestId));
    },
  }),
];
