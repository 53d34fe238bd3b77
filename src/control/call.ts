import { type Called, Called as CalledShape, CallInput } from "../contract/control/called.ts";
import { WORLD_HEADER } from "../contract/control/world-header.ts";
import { refuse } from "../domain/core/refusal.ts";
import { endpoint } from "./core/control-endpoint.ts";
import type { World } from "./core/world.ts";

/** Headers that the caller of this surface may not choose: they say who calls whom. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "host",
  "content-length",
  "origin",
  WORLD_HEADER,
]);

const REQUEST_ID = "x-sim-request-id";

const unknownOperation = ({ operations }: World, operationId: string) => {
  const wanted = operationId.toLowerCase();
  const close = [...operations]
    .filter(([, place]) => !place.includes(" /_sim"))
    .map(([name]) => name)
    .filter((name) => name.toLowerCase().includes(wanted) || wanted.includes(name.toLowerCase()))
    .slice(0, 3);
  const hint = close.length === 0 ? "" : `; similar: ${close.join(", ")}`;
  return refuse(
    "INVALID_INPUT",
    { field: "operationId", value: operationId },
    `No operation ${operationId}${hint}`,
  );
};

/** A path with its names filled in; a name without a value is refused. */
const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name];
    return value === undefined || value === ""
      ? refuse("INVALID_INPUT", { field: `params.${name}` }, `Expected a value for ${name}`)
      : encodeURIComponent(value);
  });

const targetOf = (
  world: World,
  { operationId, method = "GET", path = "", params = {} }: CallInput,
) => {
  if (operationId === undefined) return { method, path: withoutBase(world, path) };
  const place = world.operations.get(operationId);
  const [verb, template] = place?.split(" ") ?? [];
  if (verb === undefined || template === undefined || template.startsWith("/_sim"))
    return unknownOperation(world, operationId);
  return { method: verb, path: filled(template, params) };
};

const withoutBase = (world: World, path: string) => {
  const { pathname } = new URL(world.urls().apiUrl);
  return path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path;
};

const isAllowed = ([name]: [string, string]) => !OWN_HEADERS.has(name.toLowerCase());

const requestOf = (world: World, input: CallInput, target: { method: string; path: string }) => {
  const { query = {}, headers = {}, body } = input;
  const url = new URL(world.urls().apiUrl + target.path);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  const isStarting = world.worlds.starting === world;
  return new Request(url, {
    method: target.method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(headers).filter(isAllowed)),
      // A call without it would belong to the starting world.
      ...(!isStarting && { [WORLD_HEADER]: world.name }),
      authorization: `Basic ${btoa(`${world.clientId}:${world.clientSecret}`)}`,
    },
    ...(body !== undefined && target.method !== "GET" && { body: JSON.stringify(body) }),
  });
};

/** A call of the platform's surface for those who have no secret of it (spec/console.md#calls). */
export const callEndpoints = [
  endpoint({
    operationId: "call",
    summary: "Make one call to the platform with the world's credentials",
    method: "POST",
    path: "/call",
    body: CallInput,
    replies: [200, CalledShape],
    refuses: [],
    outlivesReset: true,
    handle: async ({ body }, call, world): Promise<Called> => {
      const target = targetOf(world, body);
      const request = requestOf(world, body, target);
      const at = { method: target.method, path: target.path };
      try {
        const response = await world.fetch(request);
        const requestId = response.headers.get(REQUEST_ID);
        call.sawEverything();
        return {
          ...at,
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
          ...(requestId !== null && { requestId }),
        };
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return { ...at, headers: {}, text: "", lost: error.message };
      }
    },
  }),
];
