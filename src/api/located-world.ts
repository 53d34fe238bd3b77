import { isName } from "../contract/control/name-form.ts";
import { WORLD_HEADER } from "../contract/control/world-header.ts";
import { OWN_BRAND } from "../contract/core/brand-words.ts";
import { productionPrefixOf } from "../contract/core/production-credentials.ts";
import { digestHex } from "../crypto/digest.ts";
import { agentIdIn } from "../domain/agents/agent-access.ts";
import { codeIn } from "../domain/agents/agent-device-codes.ts";
import { refuse } from "../domain/core/refusal.ts";
import { tokenOf } from "../domain/platform/api-tokens.ts";
import { keyOfAgent, keyOfCode } from "../domain/platform/caller-keys.ts";
import type { ApiTokenRecord } from "../domain/records/platform-records.ts";
import type { Endpoint } from "../http/door/endpoint.ts";
import type {
  ServedWorld,
  ShownCredential,
  WorldRequest,
  WorldSet,
} from "../http/door/served-world.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { branchesOfFork } from "../runtime/branch.ts";
import { isDrawnIn } from "../runtime/ids.ts";
import type { WorldState } from "../runtime/world-state.ts";
import {
  type Credentials,
  credentialsOf,
  keyOfCredentials,
  provenToken,
  worldInUser,
} from "./basic-credentials.ts";

/**
 * Tells whether a world drew the id of a record that it has. A fork has ids of its origin too; the
 * default world has inherited nothing.
 */
const hasMade = ({ seed, branch }: Pick<WorldState, "seed" | "branch">, id: string) => {
  if (typeof branch === "number") return true;
  for (const forkBranch of branchesOfFork(branch))
    if (isDrawnIn(id, { seed, branch: forkBranch })) return true;
  return false;
};

/** Refuses a malformed name of a world (spec/worlds.md#modes). */
const requireWorldName = (name: string) => {
  if (!isName(name)) refuse("WORLD_NAME", { world: name });
};

/**
 * Finds the world of a name, or opens one (spec/worlds.md#modes). The credential of the caller must
 * have been checked before. Refuses a malformed name.
 */
const namedOrOpened = <World>(name: string, worlds: WorldSet<World>): World | Promise<World> => {
  const there = worlds.named(name);
  if (there !== undefined) return there;
  requireWorldName(name);
  return worlds.opened(name);
};

const credentialsIn = (authorization: string): readonly string[] => {
  const basic = credentialsOf(authorization);
  if (basic) return [basic.user, basic.secret];
  const [, credential = authorization] = /^[\w-]+ +(.*)$/s.exec(authorization) ?? [];
  return [credential.trim()];
};

/**
 * Refuses a caller whose user name, secret or token looks like one of production, before anything
 * is compared with it (spec/errors.md#production-credentials).
 * @param further beginnings beside the usual ones
 */
const refuseProduction = (authorization: string, further: readonly string[]) => {
  if (authorization === "") return;
  for (const credential of credentialsIn(authorization)) {
    const prefix = productionPrefixOf(credential, further);
    if (prefix !== undefined) refuse("PRODUCTION_CREDENTIALS", { prefix });
  }
};

const authorizationOf = (request: HttpRequest) => request.headers.get("authorization") ?? "";

/** The token text of a Bearer header; empty without one. */
export const bearerOf = (request: HttpRequest) => {
  const [scheme = "", token = ""] = authorizationOf(request).split(" ");
  return scheme.toLowerCase() === "bearer" ? token : "";
};

/** The headers that decide caller and world, as the key of a checked credential. */
export const callerKeyOf = (request: HttpRequest) => {
  const worldName = request.headers.get(WORLD_HEADER);
  const authorization = authorizationOf(request);
  return worldName === null ? authorization : `${authorization}\n${worldName}`;
};

const requireOne = (first: string, second: string | null) => {
  if (second !== null && first !== second) refuse("WORLD_CONFLICT", { first, second });
};

const firstWith = <World extends ServedWorld>(
  worlds: WorldSet<World>,
  fits: (world: World) => boolean,
): World | undefined => {
  for (const world of worlds.all()) if (fits(world)) return world;
  return undefined;
};

/** Something that a request shows, found by the id of its record in a world. */
const shownById = <World extends ServedWorld>(
  key: string,
  idIn: (world: World) => string | undefined,
): ShownCredential<World> => ({
  key,
  isTakenBy: (world) => idIn(world) !== undefined,
  isMadeBy: (world) => {
    const id = idIn(world);
    return id !== undefined && hasMade(world.engine.state, id);
  },
});

/**
 * The world of a record that the request names, such as an agent's token. It is the one that made
 * it, unless the header names another one that holds it. Without its maker, a record means no
 * world: those that inherited it have not asked for its calls.
 */
const worldHolding = <World extends ServedWorld>(
  { request }: Pick<WorldRequest, "request">,
  worlds: WorldSet<World>,
  shown: ShownCredential<World>,
): World | Promise<World> => {
  const worldName = request.headers.get(WORLD_HEADER);
  const loading = worlds.loading([shown], worldName === null ? [] : [worldName]);
  const find = () => holderOf(worldName, worlds, shown);
  return loading ? loading.then(find) : find();
};

const holderOf = <World extends ServedWorld>(
  worldName: string | null,
  worlds: WorldSet<World>,
  { isTakenBy, isMadeBy }: ShownCredential<World>,
): World | Promise<World> => {
  const named = worldName === null ? undefined : worlds.named(worldName);
  if (named && isTakenBy(named)) return named;
  const maker = firstWith(worlds, isMadeBy);
  if (worldName === null || !maker) return maker ?? worlds.starting;
  requireWorldName(worldName);
  worlds.requireWhole(worldName);
  if (named || maker !== worlds.starting) requireOne(maker.name, worldName);
  return namedOrOpened(worldName, worlds);
};

/** A world and the token of it that the caller has proven. */
interface ProvenToken<World> {
  world: World;
  token: ApiTokenRecord;
}

const provenIn = <World extends ServedWorld>(
  world: World | undefined,
  credentials: Credentials,
): ProvenToken<World> | undefined => {
  const token = world && provenToken(world.engine, credentials);
  return token && { world, token };
};

const has = (user: string) => (world: ServedWorld) =>
  tokenOf(world.engine.state, user) !== undefined;

/** Whether a user name means a world: its token was made there, or it is the world's own. */
const isOwnUser = (user: string) => (world: ServedWorld) => {
  const { state } = world.engine;
  const token = tokenOf(state, user);
  return token !== undefined && (token.clientId === world.clientId || hasMade(state, token.id));
};

/** Refuses credentials that no world takes; those of a world that was removed by its name. */
const refuseUnproven = <World>(credentials: Credentials, worlds: WorldSet<World>): never => {
  worlds.requireNoneRemoved(keyOfCredentials(credentials));
  return refuse("UNAUTHORIZED");
};

/**
 * Proves credentials before any world is named or made by them: a wrong secret learns nothing
 * (spec/worlds.md#choice).
 */
const proven = <World extends ServedWorld>(
  credentials: Credentials,
  worldName: string | null,
  worlds: WorldSet<World>,
): ProvenToken<World> | Promise<ProvenToken<World>> => {
  const { user, secret } = credentials;
  const parts = firstWith(worlds, has(user)) ? undefined : worldInUser(user);
  const base = { user: parts?.base ?? user, secret };
  const name = parts?.world ?? worldName;
  const there = name === null ? undefined : worlds.named(name);
  const holder = there && has(base.user)(there) ? there : firstWith(worlds, isOwnUser(base.user));
  const token = provenIn(holder, base) ?? refuseUnproven(credentials, worlds);
  if (parts) requireOne(parts.world, worldName);
  if (name === null || holder === there) return token;
  requireWorldName(name);
  worlds.requireWhole(name);
  // A world with credentials of its own no longer takes those that it inherited.
  if (parts && there) refuse("UNAUTHORIZED");
  // Only credentials of the default world are inherited by a world that is opened now.
  if (there || token.world !== worlds.starting) requireOne(token.world.name, name);
  const inOpened = (world: World) => provenIn(world, base) ?? refuse("UNAUTHORIZED");
  const opened = namedOrOpened(name, worlds);
  return opened instanceof Promise ? opened.then(inOpened) : inOpened(opened);
};

const remembered = <World extends ServedWorld>(
  request: HttpRequest,
  { world, token }: ProvenToken<World>,
  worlds: WorldSet<World>,
) => {
  // It may have been removed while it was opened.
  if (worlds.named(world.name) === world) world.callers.add(callerKeyOf(request), { world, token });
  return world;
};

/** The world of a request's API token; refuses missing and wrong credentials with 401. */
const worldOfToken = <World extends ServedWorld>(
  { request }: Pick<WorldRequest, "request">,
  worlds: WorldSet<World>,
): World | Promise<World> => {
  const known = worlds.starting.callers.find(callerKeyOf(request));
  if (known) return known.world as unknown as World;
  refuseProduction(authorizationOf(request), worlds.starting.callers.productionPrefixes);
  const credentials = credentialsOf(authorizationOf(request)) ?? refuse("UNAUTHORIZED");
  const worldName = request.headers.get(WORLD_HEADER);
  const find = () => {
    const result = proven(credentials, worldName, worlds);
    return result instanceof Promise
      ? result.then((token) => remembered(request, token, worlds))
      : remembered(request, result, worlds);
  };
  const loading = loadingFor(credentials, worldName, worlds);
  return loading ? loading.then(find) : find();
};

/** Loads the worlds whose credentials these are; those of a wrong secret stay where they are. */
const loadingFor = <World extends ServedWorld>(
  { user, secret }: Credentials,
  worldName: string | null,
  worlds: WorldSet<World>,
) => {
  const shownAs = (credentials: Credentials): ShownCredential<World> => ({
    // A digest, which only a world that is not in memory is compared with.
    get key() {
      return keyOfCredentials(credentials);
    },
    isTakenBy: ({ engine }) => provenToken(engine, credentials) !== undefined,
    isMadeBy: isOwnUser(credentials.user),
  });
  const parts = worldInUser(user);
  const shown = [
    ...(parts ? [shownAs({ user: parts.base, secret })] : []),
    shownAs({ user, secret }),
  ];
  return worlds.loading(
    shown,
    [parts?.world, worldName].filter((name) => typeof name === "string"),
  );
};

/** The world that has to tell of a call of no operation: it proves itself there, or nowhere. */
const worldOfOther = <World extends ServedWorld>(
  request: HttpRequest,
  worlds: WorldSet<World>,
): World => {
  const known = worlds.starting.callers.find(callerKeyOf(request));
  if (known) return known.world as unknown as World;
  const credentials = credentialsOf(authorizationOf(request));
  if (!credentials) return worlds.starting;
  const parts = worldInUser(credentials.user);
  const name = parts?.world ?? request.headers.get(WORLD_HEADER);
  const there = name === null ? undefined : worlds.named(name);
  const base = { ...credentials, user: parts?.base ?? credentials.user };
  return provenIn(there, base)?.world ?? worlds.starting;
};

/**
 * The world that a call of the platform means (spec/worlds.md#choice). A call of no operation is
 * answered by the world that its credentials name, where there is one, else by the default world.
 */
export const locatedWorld = <World extends ServedWorld>(
  worldRequest: WorldRequest,
  endpoint: Endpoint<World> | undefined,
  worlds: WorldSet<World>,
): World | Promise<World> => {
  const { request, params } = worldRequest;
  if (!endpoint) return worldOfOther(request, worlds);
  if (endpoint.agentAccess || endpoint.permission === "none")
    refuseProduction(authorizationOf(request), worlds.starting.callers.productionPrefixes);
  if (endpoint.agentAccess) {
    const digest = digestHex(bearerOf(request));
    const idIn = ({ engine }: World) => agentIdIn(engine.state, digest);
    return worldHolding(worldRequest, worlds, shownById(keyOfAgent(digest), idIn));
  }
  if (endpoint.permission !== "none") return worldOfToken(worldRequest, worlds);
  const { code = "" } = params;
  const idIn = ({ engine: { state } }: World) => {
    const [id] = state.ids("DeviceCode", "byCode", codeIn(state, code));
    return id;
  };
  // The brand of a world that is not in memory is not known: any word may stand for it.
  const stored = code.toUpperCase().replace(/^[A-Z][A-Z0-9]*(?=-AGENT-)/, OWN_BRAND.toUpperCase());
  return worldHolding(worldRequest, worlds, shownById(keyOfCode(stored), idIn));
};
