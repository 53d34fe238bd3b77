import { WORLD_HEADER } from "../../contract/control/world-header.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { Endpoint } from "../../http/door/endpoint.ts";
import type { ServedWorld, WorldRequest, WorldSet } from "../../http/door/served-world.ts";
import { andThen, type MaybePromise } from "../../http/message/maybe-promise.ts";

/** Refuses a name that no world has, with the closest one (spec/worlds.md#choice). */
export const requireWorld = <World extends ServedWorld>(
  name: string,
  worlds: WorldSet<World>,
): MaybePromise<World> =>
  andThen(worlds.present(name), (world) => world ?? refuseUnknown(name, worlds));

const refuseUnknown = (name: string, worlds: Pick<WorldSet<never>, "names">): never => {
  const closest = closestTo(name, [...worlds.names()]);
  return refuse(
    "WORLD_NOT_FOUND",
    { world: name, ...(closest !== undefined && { closest }) },
    {
      ...(closest !== undefined && { says: `There is no world ${name}, but there is ${closest}` }),
    },
  );
};

const namedBy = ({ request }: WorldRequest) => ({
  header: request.headers.get(WORLD_HEADER),
  // Parsing costs more than most calls need.
  query: request.url.includes("?") ? new URL(request.url).searchParams.get("world") : null,
});

/** Whether a call of the control surface names a world, by header or query. */
export const namesWorld = (worldRequest: WorldRequest) => {
  const { header, query } = namedBy(worldRequest);
  return header !== null || query !== null;
};

/**
 * The world that a call of the control surface names by header or query; otherwise the starting
 * world (spec/worlds.md#choice). No call but its creation makes a world.
 */
export const controlledWorld = <World extends ServedWorld>(
  worldRequest: WorldRequest,
  endpoint: Endpoint<World> | undefined,
  worlds: WorldSet<World>,
): World | Promise<World> => {
  if (!endpoint || endpoint.isWorldless) return worlds.starting;
  const { header, query } = namedBy(worldRequest);
  if (header !== null && query !== null && header !== query)
    refuse("WORLD_CONFLICT", { first: header, second: query });
  const name = header ?? query;
  return name === null ? worlds.starting : requireWorld(name, worlds);
};
