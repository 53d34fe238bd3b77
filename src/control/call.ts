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

/** A file of the largest size that the platform takes, as base64, and what stands beside it. */
export const CALL_LIMIT_BYTES = 16 * 1024 * 1024;

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

/** The credentials that were given, or else the world's own. */
const credentialsOf = ({ clientId, clientSecret }: World, given: string | undefined) => {
  if (given === undefined) return { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
  return given === "" ? undefined : { authorization: given };
};

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const formOf = ({ name, base64 }: NonNullable<CallInput["file"]>, fields: object): FormData => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, textOf(value));
  form.set("file", new Blob([Buffer.from(base64, "base64")]), name);
  return form;
};

const bodyOf = ({ body, file }: CallInput, method: string): FormData | string | undefined => {
  if (file) return formOf(file, { ...(body as object | undefined) });
  return body === undefined || method === "GET" ? undefined : JSON.stringify(body);
};

const requestOf = (world: World, input: CallInput, target: { method: string; path: string }) => {
  const { query = {}, headers = {}, authorization } = input;
  const body = bodyOf(input, target.method);
  const url = new URL(world.urls().apiUrl + target.path);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  // Other credentials may be of another world, and a call without the header would be made there.
  const needsWorld = world.worlds.starting !== world || authorization !== undefined;
  return new Request(url, {
    method: target.method,
    headers: {
      ...(typeof body === "string" && { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(headers).filter(isAllowed)),
      ...(needsWorld && { [WORLD_HEADER]: world.name }),
      ...credentialsOf(world, authorization),
    },
    ...(body !== undefined && { body }),
  });
};

/** A call of the platform's surface for those who have no secret of it (spec/console.md#calls). */
export const callEndpoints = [
  endpoint({
    operationId: "call",
    summary: "Make one call to the platform, with the world's credentials or your own",
    method: "POST",
    path: "/call",
    body: CallInput,
    bodyLimitBytes: CALL_LIMIT_BYTES,
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
