import type { H3 } from "h3";
import { closestOperation, leadsTo } from "../../contract/closest-operation.ts";
import { Refusal } from "../../domain/core/refusal.ts";
import { revisionOf } from "../../domain/core/revision.ts";
import { type WholeReply, wholeReply } from "../message/reply.ts";
import type { RoutedRequest } from "./exchange.ts";
import { meantMethod, type Operations, operationsIn } from "./request-line.ts";
import { route } from "./routes.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";
import type { Surface } from "./surface.ts";

/** A surface, as far as its paths tell. */
type SurfacePaths = Pick<Surface<never>, "base"> & { operations: ReturnType<typeof operationsIn> };

/** Most segments in front of a path that may stand where the version belongs: `/api/v1`. */
const MOST_IN_FRONT = 2;

/** A path, and what is left of it without its first segments. */
const endingsOf = (path: string) => {
  const segments = path.replace(/\/+$/, "").split("/").slice(1);
  return Array.from(
    { length: Math.min(MOST_IN_FRONT, segments.length - 1) + 1 },
    (_, dropped) => `/${segments.slice(dropped).join("/")}`,
  );
};

/** The method and whole path of the operation that is at a path of a surface. */
const operationAt = (
  { method, path }: { method: string; path: string },
  { base, operations }: SurfacePaths,
) => {
  const there = operations.filter((operation) => leadsTo(path, operation));
  const [first = undefined] = there;
  const meant = there.find((operation) => operation.method === method) ?? first;
  return meant && `${meant.method} ${base}${path}`;
};

/** The operation that was meant by a path below neither surface. */
const meantBy = (
  request: { method: string; path: string },
  platform: SurfacePaths,
  control: SurfacePaths,
): string | undefined => {
  const [whole = request.path, ...shorter] = endingsOf(request.path);
  const on = (place: SurfacePaths) => (path: string) =>
    operationAt({ method: request.method, path }, place);
  for (const operation of [on(platform)(whole), on(control)(whole), ...shorter.map(on(platform))])
    if (operation !== undefined) return operation;
  return closestOperation(request, platform.operations)?.replace(" ", ` ${platform.base}`);
};

/** The refusal of a path below neither surface: it names the same path where it is one of ours. */
const refusalOf = (
  { req, url: { pathname: path } }: RoutedRequest,
  platform: SurfacePaths,
  control: SurfacePaths,
): Refusal => {
  const method = meantMethod(req);
  const closest = meantBy({ method, path }, platform, control);
  const says =
    `There is no operation ${method} ${path}: the platform is under ${platform.base}, ` +
    `the control surface under ${control.base}`;
  return closest === undefined
    ? new Refusal("NO_CLOSE_OPERATION", { method, path, resource: path }, says)
    : new Refusal("UNKNOWN_OPERATION", { method, path, resource: path, closest }, says);
};

/**
 * Answers paths outside both surfaces with 404 and their places
 * (spec/errors.md#unknown-operations).
 */
export const mountUnknownPaths = <World extends ServedWorld>(
  app: H3,
  [platform, control]: readonly [Surface<World>, Operations],
  worlds: WorldSet<World>,
) => {
  route(app, { path: "/**" }, (routed) => {
    const world = worlds.starting;
    const revision = revisionOf(world.engine.state);
    const [here, there] = [platform, control].map(({ base, endpoints }) => ({
      base,
      operations: operationsIn({ base, endpoints }, revision),
    })) as [SurfacePaths, SurfacePaths];
    const refusal = refusalOf(routed, here, there);
    return wholeReply(platform.errorReply(refusal, world), world.engine.clock.now());
  });
};

/** Answers a request that names no path. */
export const badPathReply = <World extends ServedWorld>(
  { errorReply }: Surface<World>,
  { starting }: WorldSet<World>,
  why: string,
): WholeReply => {
  const refusal = new Refusal("INVALID_REQUEST_FORMAT", {}, why);
  return wholeReply(errorReply(refusal, starting), starting.engine.clock.now());
};
