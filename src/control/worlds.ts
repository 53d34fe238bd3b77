import * as z from "zod";
import { WorldRecording } from "../contract/control/recordings.ts";
import { CreatedWorld, WorldInput, WorldList } from "../contract/control/worlds.ts";
import { API_VERSION } from "../contract/core/api-version.ts";
import { productionPrefixOf } from "../contract/core/production-credentials.ts";
import { Refusal, refuse } from "../domain/core/refusal.ts";
import { openingOfBrand } from "../domain/platform/brands.ts";
import { ServedElsewhere } from "../runtime/served-elsewhere.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { requireWorld } from "./core/controlled-world.ts";
import type { World } from "./core/world.ts";
import { stateAt } from "./past/state-at.ts";

/** The world and state to fork from: the default world as it is, unless the body says otherwise. */
const sourceOf = async (from: string | undefined, named: World) => {
  const { worlds } = named;
  if (from === undefined) return { origin: await worlds.startingHere() };
  const [, name] = /^world:(.*)$/s.exec(from) ?? [];
  if (name !== undefined) return { origin: await requireWorld(name, worlds) };
  const world = named.standsIn ? await worlds.startingHere() : named;
  return { origin: world, state: await stateAt(world, from) };
};

/** Refuses credentials with which no call of the new world would be answered. */
const requireTestCredentials = (input: WorldInput, { callers }: World) => {
  for (const field of ["clientId", "clientSecret"] as const) {
    const prefix = productionPrefixOf(input[field] ?? "", callers.productionPrefixes);
    if (prefix === undefined) continue;
    const says = `Expected ${field} to be a test credential but found a production one, which begins with ${prefix}`;
    refuse("INVALID_INPUT", { field }, says);
  }
};

const passOverGone = (error: unknown) => {
  if (!(error instanceof Refusal && error.word === "WORLD_NOT_FOUND")) throw error;
};

/** Removes a world, also where another process serves it: what was made stays either way. */
const removeAnywhere = async (name: string, world: World) => {
  try {
    await world.worlds.remove(name);
  } catch (error) {
    if (!(error instanceof ServedElsewhere)) throw error;
    const url = `${world.urls().controlUrl}/worlds/${encodeURIComponent(name)}`;
    const headers = { authorization: `Bearer ${world.guard.controlToken}` };
    const { status } = await world.fetch(new Request(url, { method: "DELETE", headers }));
    if (status !== 204 && status !== 404)
      refuse("UNAVAILABLE", { why: `the world ${name} could not be removed` });
  }
};

/** The newest webhook that a new world inherits. */
const newestWebhookOf = ({ engine }: World) =>
  engine.state.ids("Delivery", "all", "").at(-1) ?? null;

/** The worlds of the process: listed, made and removed (spec/worlds.md#operations). */
export const worldEndpoints = [
  endpoint({
    operationId: "worlds",
    summary: "The worlds of this simulator, the default one first",
    method: "GET",
    path: "/worlds",
    isWorldless: true,
    isOfProcess: true,
    query: { of: z.literal("process").optional() },
    replies: [200, WorldList],
    refuses: [],
    handle: async ({ query }, _call, { worlds }) => {
      const data = await worlds.list(query.of);
      const damaged = worlds.damages();
      return { data, ...(damaged.length > 0 && { damaged }) };
    },
  }),
  endpoint({
    operationId: "createWorld",
    summary: "Create a world as a copy of another",
    method: "POST",
    path: "/worlds",
    isOfProcess: true,
    body: WorldInput,
    replies: [201, CreatedWorld],
    refuses: [
      "WORLD_NOT_FOUND",
      "WORLD_EXISTS",
      "WORLD_STAYS",
      "WORLDS_FULL",
      "SNAPSHOT_NOT_FOUND",
      "INVALID_INSTANT",
      "TIME_AHEAD",
      "BEFORE_HORIZON",
    ],
    handle: async ({ body }, call, world) => {
      const { from, withNewestWebhook, inPlaceOf, brand, ...rest } = body;
      const { worlds } = world;
      requireTestCredentials(body, world);
      const wish = { ...rest, ...(brand !== undefined && { opening: openingOfBrand(brand) }) };
      if (inPlaceOf === worlds.starting.name) refuse("WORLD_STAYS", { world: inPlaceOf });
      const made = await worlds.create({ ...wish, ...(await sourceOf(from, world)) });
      if (inPlaceOf !== undefined) await removeAnywhere(inPlaceOf, world).catch(passOverGone);
      const { name, clientId, clientSecret } = made;
      // A caller may have come by an address that all processes of a store have in common.
      const apiUrl = worlds.shared ? `${call.origin}/${API_VERSION}` : made.urls().apiUrl;
      const created = { name, clientId, clientSecret, apiUrl };
      if (!withNewestWebhook) return created;
      return { ...created, newestWebhook: newestWebhookOf(made) };
    },
  }),
  endpoint({
    operationId: "worldRecording",
    summary: "Export the calls of a world since its creation as a capsule, even after its removal",
    method: "GET",
    path: "/worlds/{name}/recording",
    isWorldless: true,
    isOfProcess: true,
    outlivesReset: true,
    replies: [200, WorldRecording],
    refuses: ["WORLD_NOT_FOUND"],
    handle: async ({ params: { name } }, _call, { recordings, worlds }) => {
      try {
        return await recordings.ofWorld(name);
      } catch (error) {
        // The process that serves it has its calls.
        if (worlds.shared) await worlds.present(name);
        throw error;
      }
    },
  }),
  endpoint({
    operationId: "removeWorld",
    summary: "Remove a world with everything in it",
    method: "DELETE",
    path: "/worlds/{name}",
    isWorldless: true,
    isOfProcess: true,
    query: { of: z.literal("process").optional() },
    replies: [204, z.undefined()],
    refuses: ["WORLD_NOT_FOUND", "WORLD_STAYS"],
    handle: async ({ params, query }, _call, { worlds }) => {
      if (query.of === "process") worlds.removedElsewhere(params.name);
      else await worlds.remove(params.name);
    },
  }),
];
