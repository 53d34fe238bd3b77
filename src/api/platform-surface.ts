import { hash, timingSafeEqual } from "node:crypto";
import { API_VERSION } from "../contract/core/api-version.ts";
import { REFUSALS } from "../contract/refusals.ts";
import { agentOfToken } from "../domain/agents/agent-access.ts";
import { errorBody, type Refusal, refuse } from "../domain/core/refusal.ts";
import { requirePermission, tokenOf } from "../domain/platform/api-tokens.ts";
import type { ApiTokenRecord } from "../domain/records/platform-records.ts";
import { cryptoMode } from "../domain/wallets/crypto-mode.ts";
import { type Caller, PLATFORM_CALLER } from "../http/call.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { headersOfRefusal, jsonReply, type Reply } from "../http/reply.ts";
import type { Surface } from "../http/routes.ts";
import type { Engine } from "../runtime/engine.ts";
import { PLATFORM_ENDPOINTS } from "./endpoints.ts";

/**
 * User and secret as HTTP Basic joins them (RFC 7617, section 2); a token's id contains a colon.
 */
const CREDENTIALS = /^(Token:[0-9a-f-]{36}|[^:]*):(.*)$/s;

const credentialsOf = (request: Request) => {
  const header = request.headers.get("authorization") ?? "";
  const [scheme = "", encoded = ""] = header.split(" ");
  if (scheme.toLowerCase() !== "basic") return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const [, user, secret] = CREDENTIALS.exec(text) ?? [];
  return user === undefined || secret === undefined ? undefined : { user, secret };
};

const UNKNOWN_HASH = hash("sha256", "", "hex");

/** A verified header, and the token record that it was verified against. */
interface Verified {
  header: string;
  token: ApiTokenRecord;
}

/**
 * Finds the token whose id and secret the request carries; 401 otherwise
 * (spec/tokens.md#basic-credentials).
 */
const authenticate = (request: Request, engine: Engine) => {
  const credentials = credentialsOf(request);
  if (!credentials) return refuse("UNAUTHORIZED");
  const token = tokenOf(engine.state, credentials.user);
  const given = Buffer.from(hash("sha256", credentials.secret, "hex"));
  const isSame = timingSafeEqual(given, Buffer.from(token?.secretHash ?? UNKNOWN_HASH));
  return token && isSame ? token : refuse("UNAUTHORIZED");
};

/**
 * Checks credentials and remembers the last valid header. It stays valid while the token's record
 * is the same object, since records are replaced when they change.
 */
const rememberingAuthenticator = (engine: Engine) => {
  let last: Verified | undefined;
  return (request: Request): ApiTokenRecord => {
    const header = request.headers.get("authorization") ?? "";
    const isKnown =
      last !== undefined &&
      isSameText(header, last.header) &&
      engine.state.get("ApiToken", last.token.id) === last.token;
    if (isKnown && last) return last.token;
    const token = authenticate(request, engine);
    last = { header, token };
    return token;
  };
};

/** Compares texts in constant time. */
const isSameText = (given: string, wanted: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const bearerOf = (request: Request) => {
  const [scheme = "", token = ""] = (request.headers.get("authorization") ?? "").split(" ");
  return scheme.toLowerCase() === "bearer" ? token : "";
};

/**
 * Finds the agent whose access token the request carries; 401 otherwise
 * (spec/agents.md#access-token).
 */
const agentCaller = (request: Request, { state }: Engine): Caller => {
  const agent = agentOfToken(state, bearerOf(request));
  return agent ? { keySpace: agent.id, agentId: agent.id } : refuse("AGENT_TOKEN_NOT_ACCEPTED");
};

const platformError = (refusal: Refusal, { state }: Engine): Reply => ({
  ...jsonReply(REFUSALS[refusal.word].status, errorBody(refusal, cryptoMode(state))),
  headers: headersOfRefusal(refusal),
});

/** The platform's HTTP surface: HTTP Basic, tokens of agents, published errors. */
export const platformSurface = (engine: Engine): Surface => {
  const tokenFor = rememberingAuthenticator(engine);
  return {
    base: `/${API_VERSION}`,
    takesFaults: true,
    endpoints: PLATFORM_ENDPOINTS,
    admit: (request: Request, endpoint: Endpoint | undefined) => {
      if (endpoint?.agentAccess) return agentCaller(request, engine);
      // An unknown route is answered before wrong credentials (spec/errors.md#order-of-checks).
      if (!endpoint || endpoint.permission === "none") return PLATFORM_CALLER;
      const token = tokenFor(request);
      requirePermission(token, endpoint.permission);
      return { ...PLATFORM_CALLER, tokenId: token.id };
    },
    errorReply: (refusal) => platformError(refusal, engine),
  };
};
