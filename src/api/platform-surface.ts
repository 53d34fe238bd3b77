import { API_VERSION } from "../contract/core/api-version.ts";
import type { RevisionFeature } from "../contract/core/revisions.ts";
import { REFUSALS } from "../contract/refusals.ts";
import { agentOfToken } from "../domain/agents/agent-access.ts";
import { errorBody, type Refusal, refuse } from "../domain/core/refusal.ts";
import { asSentence, isChanged, takenElsewhere } from "../domain/core/revision.ts";
import { requirePermission } from "../domain/platform/api-tokens.ts";
import type { ApiTokenRecord } from "../domain/records/platform-records.ts";
import { cryptoMode } from "../domain/wallets/crypto-mode.ts";
import { type Caller, PLATFORM_CALLER } from "../http/door/call.ts";
import type { Endpoint } from "../http/door/endpoint.ts";
import type { ServedWorld } from "../http/door/served-world.ts";
import type { Surface } from "../http/door/surface.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { headersOfRefusal, jsonReply, type Reply } from "../http/message/reply.ts";
import type { Engine } from "../runtime/engine.ts";
import { credentialsOf, provenToken, worldInUser } from "./basic-credentials.ts";
import { ENDPOINTS_OF_ANY_REVISION } from "./endpoints.ts";
import { bearerOf, callerKeyOf, locatedWorld } from "./located-world.ts";

/**
 * Finds the token whose id and secret the request carries; 401 otherwise
 * (spec/tokens.md#basic-credentials). The user name may end with the name of the world.
 */
const tokenFor = (request: HttpRequest, { engine, callers }: ServedWorld): ApiTokenRecord => {
  const known = callers.find(callerKeyOf(request));
  if (known?.world.engine === engine) return known.token;
  const credentials = credentialsOf(request.headers.get("authorization") ?? "");
  if (!credentials) return refuse("UNAUTHORIZED");
  const { user, secret } = credentials;
  const whole = provenToken(engine, credentials);
  if (whole) return whole;
  const base = worldInUser(user)?.base;
  const inherited = base === undefined ? undefined : provenToken(engine, { user: base, secret });
  return inherited ?? refuse("UNAUTHORIZED");
};

/**
 * Finds the agent whose access token the request carries; 401 otherwise
 * (spec/agents.md#access-token).
 */
const agentCaller = (request: HttpRequest, { state }: Engine): Caller => {
  const agent = agentOfToken(state, bearerOf(request));
  return agent ? { keySpace: agent.id, agentId: agent.id } : refuse("AGENT_TOKEN_NOT_ACCEPTED");
};

const platformError = (refusal: Refusal, { state }: Engine): Reply => ({
  ...jsonReply(REFUSALS[refusal.word].status, errorBody(refusal, cryptoMode(state))),
  headers: headersOfRefusal(refusal),
});

/** Refuses an operation of a later revision as one that does not exist, naming that revision. */
const requireSince = (
  since: RevisionFeature,
  { method, path }: Pick<Endpoint, "method" | "path">,
  { state }: Engine,
) => {
  if (isChanged(state, since)) return;
  const next = asSentence(takenElsewhere(state, since));
  refuse("NO_CLOSE_OPERATION", { method, path, resource: path }, { next });
};

/** The platform's own HTTP surface: HTTP Basic, tokens of agents, errors as published. */
export const PLATFORM_SURFACE: Surface<ServedWorld> = {
  base: `/${API_VERSION}`,
  takesFaults: true,
  endpoints: ENDPOINTS_OF_ANY_REVISION,
  locate: locatedWorld,
  admit: (request, endpoint, world) => {
    if (endpoint?.since) requireSince(endpoint.since, endpoint, world.engine);
    if (endpoint?.agentAccess) return agentCaller(request, world.engine);
    // An unknown route is answered before wrong credentials (spec/errors.md#order-of-checks).
    if (!endpoint || endpoint.permission === "none") return PLATFORM_CALLER;
    const token = tokenFor(request, world);
    requirePermission(token, endpoint.permission);
    return { ...PLATFORM_CALLER, tokenId: token.id };
  },
  errorReply: (refusal, { engine }) => platformError(refusal, engine),
};
