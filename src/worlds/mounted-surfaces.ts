import { H3 } from "h3";
import { PLATFORM_SURFACE } from "../api/platform-surface.ts";
import { CONTROL_SURFACE } from "../control/control-surface.ts";
import type { World } from "../control/core/world.ts";
import { DROPPED_HEADER } from "../http/fault-injection.ts";
import { mountKycPage } from "../http/kyc-page.ts";
import { mountSurface } from "../http/routes.ts";
import type { WorldSet } from "../http/served-world.ts";
import { badPathReply, mountUnknownPaths } from "../http/unknown-paths.ts";

/** The place of each operation: `POST /quotes`, and `GET /_sim/clock` on the control surface. */
export const OPERATIONS: ReadonlyMap<string, string> = new Map(
  [PLATFORM_SURFACE, CONTROL_SURFACE].flatMap(({ base, isUnlogged, endpoints }) =>
    endpoints.map(({ operationId, method, path }): [string, string] => [
      operationId,
      `${method} ${isUnlogged ? base : ""}${path}`,
    ]),
  ),
);

/** Both surfaces on one app. The world of each request is looked up when it comes. */
export const mountedSurfaces = (worlds: WorldSet<World>): H3 => {
  const app = new H3({ silent: true, onError: badPathReply(PLATFORM_SURFACE, worlds) });
  mountSurface(app, PLATFORM_SURFACE, worlds);
  mountSurface(app, CONTROL_SURFACE, worlds);
  mountKycPage(app, worlds);
  mountUnknownPaths(app, [PLATFORM_SURFACE, CONTROL_SURFACE], worlds);
  return app;
};

interface Fetches {
  fetch(request: Request): Response | Promise<Response>;
}

/**
 * Answers a request in this process, as `fetch` would.
 * @throws TypeError when a fault switch loses the answer
 */
export const fetchFrom = async (app: Fetches, request: Request): Promise<Response> => {
  const response = await app.fetch(request);
  const fault = response.headers.get(DROPPED_HEADER);
  if (fault !== null) throw new TypeError(`fetch failed: ${fault} lost the answer`);
  return response;
};
