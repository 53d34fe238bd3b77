import type { H3 } from "h3";
import { answer } from "./door.ts";
import type { Endpoint } from "./endpoint.ts";
import { Exchange, type Route, type RoutedRequest } from "./exchange.ts";
import {
  isAtPath,
  methodNotAllowed,
  methodsOf,
  requestLineOf,
  unknownOperation,
} from "./request-line.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";
import type { Surface } from "./surface.ts";

/** A place of the app: a path with `:name` for parameters, and a method, or all of them. */
interface RoutePlace {
  method?: string;
  path: string;
}

/** Has the requests of a place answered. */
export const route = (
  app: H3,
  { method = "", path }: RoutePlace,
  reply: (routed: RoutedRequest) => unknown,
): void => {
  app.on(method as Parameters<H3["on"]>[0], path, (event) => reply(event as never));
};

/** The name between base and next slash: `quotes` of `/2025-10-13/quotes/{quoteId}`. */
const groupOf = (path: string) => {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
};

const byGroup = <World>({ endpoints }: Surface<World>) => {
  const groups = new Map<string, Endpoint<World>[]>();
  for (const endpoint of endpoints) {
    const group = groups.get(groupOf(endpoint.path)) ?? [];
    groups.set(groupOf(endpoint.path), [...group, endpoint]);
  }
  return groups;
};

/**
 * Serves the operations of a surface, and answers everything else below its base. All routes take a
 * twentieth of a start: those below one name are made for the first request there.
 * @param worlds the worlds it serves; the world of each call is looked up when it comes
 */
export const mountSurface = <World extends ServedWorld>(
  app: H3,
  typed: Surface<World>,
  worldsOfType: WorldSet<World>,
): void => {
  // A world comes from the set and goes to the surface that it was made for: nothing between asks
  // for more than a served world.
  const surface = typed as unknown as Surface<ServedWorld>;
  const worlds = worldsOfType as WorldSet<ServedWorld>;
  const { base } = surface;
  const pathOf = ({ path }: { path: string }) => base + path.replace(/\{(\w+)\}/g, ":$1");
  const answered = (means: Pick<Route, "operation" | "refuse">) => (routed: RoutedRequest) =>
    answer(new Exchange({ surface, worlds, ...means }, routed));
  const unknown = answered({
    refuse: (routed, revision) => unknownOperation(surface, routed, revision),
  });
  const isAt = (one: { path: string }, routed: RoutedRequest) =>
    isAtPath(one, requestLineOf(surface, routed));
  const mount = (operation: Endpoint<ServedWorld>) => {
    const known = answered({ operation });
    const { alsoAt } = operation;
    for (const method of methodsOf(operation)) {
      route(app, { method, path: pathOf(operation) }, (routed) =>
        isAt(operation, routed) || routed.url.pathname === alsoAt ? known(routed) : unknown(routed),
      );
      if (alsoAt !== undefined && isBelow(alsoAt)) route(app, { method, path: alsoAt }, known);
    }
  };
  // Otherwise a longer path would be read as an id: only `/customers/{customerId}` takes PATCH.
  const mountOthers = (path: string) => {
    const refused = answered({
      refuse: (routed, revision) => methodNotAllowed(surface, routed, { path, revision }),
    });
    route(app, { path: pathOf({ path }) }, (routed) =>
      isAt({ path }, routed) ? refused(routed) : unknown(routed),
    );
  };
  const isBelow = (path: string) => path.startsWith(`${base}/`) || path === base;
  const waiting = byGroup(surface);
  const mountGroup = (group: string) => {
    const operations = waiting.get(group) ?? [];
    waiting.delete(group);
    for (const operation of operations) mount(operation);
    for (const path of new Set(operations.map(({ path }) => path))) mountOthers(path);
    return operations.length > 0;
  };
  for (const operation of surface.endpoints) {
    const { alsoAt: path } = operation;
    if (path !== undefined && !isBelow(path))
      for (const method of methodsOf(operation))
        route(app, { method, path }, answered({ operation }));
  }
  // Whatever no other route takes, the first request of a group too.
  route(app, { path: `${base}/**` }, (routed) =>
    mountGroup(groupOf(routed.url.pathname.slice(base.length)))
      ? app.handler(routed as never)
      : unknown(routed),
  );
};
