import { H3 } from "h3";
import { PLATFORM_SURFACE } from "../api/platform-surface.ts";
import { CONTROL_SURFACE } from "../control/control-surface.ts";
import type { World } from "../control/core/world.ts";
import { brandPathsIn } from "../domain/core/brand.ts";
import { mountCardNumberPage } from "../http/door/card-number-page.ts";
import { mountKycPage } from "../http/door/kyc-page.ts";
import { mountSurface } from "../http/door/routes.ts";
import type { WorldSet } from "../http/door/served-world.ts";
import { badPathReply, mountUnknownPaths } from "../http/door/unknown-paths.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { andThen, type MaybePromise } from "../http/message/maybe-promise.ts";
import { headOf, type WholeReply } from "../http/message/reply.ts";
import { addressOf, type RequestUrl } from "../http/message/request-url.ts";
import { fetchFrom } from "../http/sockets/in-process.ts";
import type { Answer } from "../http/sockets/node-server.ts";

/** The place of each operation: `POST /quotes`, and `GET /_sim/clock` on the control surface. */
export const OPERATIONS: ReadonlyMap<string, string> = new Map(
  [PLATFORM_SURFACE, CONTROL_SURFACE].flatMap(({ base, isUnlogged, endpoints }) =>
    endpoints.map(({ operationId, method, path }): [string, string] => [
      operationId,
      `${method} ${isUnlogged ? base : ""}${path}`,
    ]),
  ),
);

const isBelow = (pathname: string, base: string) =>
  pathname.startsWith(base) && (pathname.length === base.length || pathname[base.length] === "/");

/** The address at the API's own path, where it came by one that a brand mounts it at. */
const atOwnPath = (url: RequestUrl, worlds: WorldSet<World>): RequestUrl => {
  const { pathname } = url;
  if (isBelow(pathname, PLATFORM_SURFACE.base) || isBelow(pathname, CONTROL_SURFACE.base))
    return url;
  for (const { engine } of worlds.all())
    for (const [path, version] of brandPathsIn(engine.state))
      if (isBelow(pathname, path)) {
        const own = `/${version}${pathname.slice(path.length)}`;
        // Asked for here alone: an address makes these members when they are read.
        const { origin, search, searchParams } = url;
        return { origin, pathname: own, search, searchParams };
      }
  return url;
};

/** Refuses a request whose path cannot be read, in the form of the surface that it begins with. */
const badPath = (request: HttpRequest, why: string, worlds: WorldSet<World>): WholeReply =>
  URL.canParse(request.url) && isBelow(new URL(request.url).pathname, CONTROL_SURFACE.base)
    ? badPathReply(CONTROL_SURFACE, worlds, why)
    : badPathReply(PLATFORM_SURFACE, worlds, why);

/** Both surfaces on one app. The world of each request is looked up when it comes. */
export const mountedSurfaces = (worlds: WorldSet<World>): Answer => {
  const app = new H3();
  mountSurface(app, PLATFORM_SURFACE, worlds);
  mountSurface(app, CONTROL_SURFACE, worlds);
  mountKycPage(app, worlds);
  mountCardNumberPage(app, worlds);
  mountUnknownPaths(app, [PLATFORM_SURFACE, CONTROL_SURFACE], worlds);
  const answer: Answer = (request) => {
    const url = addressOf(request);
    if (typeof url === "string") return badPath(request, url, worlds);
    const routed = { req: request, url: atOwnPath(url, worlds), context: {} };
    // Of an event, h3 reads these three: a whole one costs more than most calls.
    return app.handler(routed as never) as MaybePromise<WholeReply>;
  };
  return (request) =>
    request.method === "HEAD" ? andThen(answer(request), headOf) : answer(request);
};

const answers = new WeakMap<WorldSet<World>, Answer>();

/**
 * Has the worlds of a process answer a request, as over HTTP. @throws TypeError for a lost answer
 */
export const answeredBy = (worlds: WorldSet<World>, request: Request): Promise<Response> => {
  const answer = answers.get(worlds) ?? mountedSurfaces(worlds);
  answers.set(worlds, answer);
  return fetchFrom(answer, request);
};
