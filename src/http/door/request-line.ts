import type { H3 } from "h3";
import { closestOperation, leadsTo } from "../../contract/closest-operation.ts";
import { isPageOrigin } from "../../contract/core/page-origin.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { hasChange } from "../../contract/core/revisions.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RoutedRequest } from "./exchange.ts";

/** The parts of a surface that say where its operations are. */
export interface Operations {
  base: string;
  endpoints: readonly Pick<Endpoint, "operationId" | "method" | "path" | "since">[];
}

/** The operations that a revision has. */
export const operationsIn = ({ endpoints }: Operations, revision: Revision) =>
  endpoints.filter(({ since }) => since === undefined || hasChange(revision, since));

/** The method of the operation that a request means: HEAD asks for GET (spec/errors.md#head). */
export const meantMethod = ({ method }: { method: string }) => (method === "HEAD" ? "GET" : method);

/** Method and path of a request below the base of its surface. */
export const requestLineOf = ({ base }: Operations, routed: RoutedRequest) => ({
  method: meantMethod(routed.req),
  path: routed.url.pathname.slice(base.length) || "/",
});

/** The methods that reach an operation: link checkers and waiting scripts ask with HEAD. */
export const methodsOf = ({ method }: { method: string }) =>
  (method === "GET" ? [method, "HEAD"] : [method]) as Parameters<H3["on"]>[0][];

/** Refuses a method that a path does not take, naming those it takes in a revision. */
export const methodNotAllowed = (
  surface: Operations,
  routed: RoutedRequest,
  { path, revision }: { path: string; revision: Revision },
): never => {
  const there = operationsIn(surface, revision).filter((one) => one.path === path);
  if (there.length === 0) return unknownOperation(surface, routed, revision);
  const allow = there.flatMap(methodsOf);
  return refuse(
    "METHOD_NOT_ALLOWED",
    { ...requestLineOf(surface, routed), allow: allow.join(", ") },
    nextForPage(routed, allow.join(", ")),
  );
};

/** The next step for a page whose browser asks whether it may call. */
const nextForPage = ({ req: { method, headers } }: RoutedRequest, allow: string) => {
  const origin = method === "OPTIONS" ? headers.get("origin") : null;
  if (origin === null) return {};
  const named = isPageOrigin(origin) ? origin : "<origin>";
  return {
    next: `Use ${allow}; pages of ${named} may call once it is started with --allow-origin ${named}`,
  };
};

/** Finds an empty id in a path, which must not reach another operation. */
const hasEmptySegment = ({ path }: { path: string }) => path.split("/").slice(1).includes("");

/** Whether a request is at a path, and not at the same one with an empty segment. */
export const isAtPath = ({ path }: { path: string }, requestLine: { path: string }) =>
  path === "" || !hasEmptySegment(requestLine);

const EMPTY_SEGMENT = "an empty segment of a path matches no operation; an id may be empty";

const VERSION = /^\/(?:v\d+|\d{4}-\d{2}(?:-\d{2})?)(?=\/)/;

/** The operation at a path that has a version twice: in the base of a client and in the path. */
const withoutVersion = (
  { method, path }: { method: string; path: string },
  operations: readonly { method: string; path: string; operationId: string }[],
) => {
  const own = path.replace(VERSION, "");
  const isThere = own !== path && operations.some((one) => leadsTo(own, one));
  return isThere ? closestOperation({ method, path: own }, operations) : undefined;
};

/** Refuses a path that no operation of a revision has, naming the closest one. */
export const unknownOperation = (
  surface: Operations,
  routed: RoutedRequest,
  revision: Revision,
): never => {
  const { method, path } = requestLineOf(surface, routed);
  const why = path !== "/" && hasEmptySegment({ path }) ? `: ${EMPTY_SEGMENT}` : "";
  const says = `There is no operation ${method} ${routed.url.pathname}${why}`;
  const details = { method, path, resource: path };
  const operations = operationsIn(surface, revision);
  const closest = withoutVersion(details, operations) ?? closestOperation(details, operations);
  if (closest === undefined) return refuse("NO_CLOSE_OPERATION", details, says);
  const next = `The closest one is ${closest.replace(" ", ` ${surface.base}`)}`;
  return refuse("UNKNOWN_OPERATION", { ...details, closest }, { says, next });
};
