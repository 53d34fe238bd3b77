import type { H3 } from "h3";
import { closestOperation } from "../contract/closest-operation.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { Arrived } from "./arrived.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Reply } from "./reply.ts";

/** The parts of a surface that say where its operations are. */
interface Operations {
  base: string;
  endpoints: readonly Pick<Endpoint, "operationId" | "method" | "path">[];
}

/** The method of the operation that a request means: HEAD asks for GET (spec/errors.md#head). */
export const meantMethod = ({ method }: { method: string }) => (method === "HEAD" ? "GET" : method);

/** Method and path of a request below the base of its surface. */
export const requestLineOf = ({ base }: Operations, event: Arrived) => ({
  method: meantMethod(event.req),
  path: event.url.pathname.slice(base.length) || "/",
});

/** The methods that reach an operation: link checkers and waiting scripts ask with HEAD. */
export const methodsOf = ({ method }: { method: string }) =>
  (method === "GET" ? [method, "HEAD"] : [method]) as Parameters<H3["on"]>[0][];

/** Refuses a method that a path does not take, naming those it takes. */
export const methodNotAllowed = (surface: Operations, event: Arrived, template: string): Reply => {
  const allow = surface.endpoints.filter((one) => one.path === template).flatMap(methodsOf);
  return refuse("METHOD_NOT_ALLOWED", {
    ...requestLineOf(surface, event),
    allow: allow.join(", "),
  });
};

/** Finds an empty id in a path, which must not reach another operation. */
const hasEmptySegment = ({ path }: { path: string }) => path.split("/").slice(1).includes("");

/** Whether a request is at a path, and not at the same one with an empty segment. */
export const isAtPath = ({ path }: { path: string }, requestLine: { path: string }) =>
  path === "" || !hasEmptySegment(requestLine);

const EMPTY_SEGMENT = "an empty segment of a path names nothing; an id may be empty";

/** Refuses a path that no operation has, naming the closest one. */
export const unknownOperation = (surface: Operations, event: Arrived): Reply => {
  const { method, path } = requestLineOf(surface, event);
  const why = path !== "/" && hasEmptySegment({ path }) ? `: ${EMPTY_SEGMENT}` : "";
  const says = `There is no operation ${method} ${path}${why}`;
  const details = { method, path, resource: path };
  const closest = closestOperation(details, surface.endpoints);
  if (closest === undefined) return refuse("NO_CLOSE_OPERATION", details, says);
  return refuse("UNKNOWN_OPERATION", { ...details, closest }, says);
};
