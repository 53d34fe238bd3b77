import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { GENEROUS } from "../../setup/agents.ts";
import { basic } from "../../setup/tokens.ts";
import type { Product } from "./product.ts";
import { eachOf } from "./wire.ts";

/** Answer of the platform's entry: by its status and reason, or `enters`. */
export type Entry = string;

const NOBODY = "401 UNAUTHORIZED";
const PRODUCTION = "401 PRODUCTION_CREDENTIALS";

/** Credentials as words that `Held` fills in, and who they are. */
export interface Claim {
  says: string;
  /** The Authorization header; none when it is undefined. */
  authorization: (held: Held) => string | undefined;
  world?: string;
  /** Permissions of the token that it proves; each of the others includes VIEW. */
  permissions?: readonly string[];
  /** An agent's token, which its own operations alone take. */
  isAgent?: true;
  /** Its refusal, where it proves nothing. */
  refusal?: Entry;
  /** The same for operations of agents, and for those without credentials. */
  agentRefusal?: Entry;
  openRefusal?: Entry;
}

interface Held {
  secret: string;
  controlToken: string;
  tokens: Readonly<Record<string, { clientId: string; clientSecret: string; id: string }>>;
  agentToken: string;
}

const PERMISSIONS = ["VIEW", "TRANSACT", "MANAGE"];

const token = (name: string) => (held: Held) => {
  const { clientId = "", clientSecret = "" } = held.tokens[name] ?? {};
  return basic(clientId, clientSecret);
};

const start = (user: string) => (held: Held) => basic(user, held.secret);

const all = { permissions: PERMISSIONS };

export const CLAIMS: readonly Claim[] = [
  { says: "nothing", authorization: () => undefined },
  { says: "an empty header", authorization: () => "" },
  { says: "Basic without a value", authorization: () => "Basic" },
  { says: "Basic that is no base64", authorization: () => "Basic %%%" },
  { says: "Basic without a colon", authorization: () => `Basic ${btoa("sandbox")}` },
  { says: "an empty secret", authorization: () => basic("sandbox", "") },
  { says: "a wrong secret", authorization: () => basic("sandbox", "sk_sim_wrong") },
  {
    says: "the secret of another case",
    authorization: ({ secret }) => basic("sandbox", secret.toUpperCase()),
  },
  { says: "the secret and a blank", authorization: ({ secret }) => basic("sandbox", `${secret} `) },
  {
    says: "the secret in part",
    authorization: ({ secret }) => basic("sandbox", secret.slice(0, -1)),
  },
  { says: "an unknown user", authorization: start("nobody") },
  { says: "a user of another case", authorization: start("Sandbox") },
  { says: "no user", authorization: start("") },
  { says: "the secret as a token", authorization: ({ secret }) => `Bearer ${secret}` },
  { says: "the control token", authorization: ({ controlToken }) => `Bearer ${controlToken}` },
  {
    says: "the control token as a secret",
    authorization: ({ controlToken }) => basic("sandbox", controlToken),
  },
  { says: "an unknown token", authorization: () => "Bearer agt_00000000" },
  { says: "a deleted token", authorization: token("deleted") },
  {
    says: "a token with the secret of another",
    authorization: ({ tokens }) =>
      basic(tokens.VIEW?.clientId ?? "", tokens.MANAGE?.clientSecret ?? ""),
  },
  { says: "the start token", authorization: start("sandbox"), ...all },
  {
    says: "the same with a small scheme",
    authorization: (held) => start("sandbox")(held).replace("Basic", "basic"),
    ...all,
  },
  { says: "a token to view", authorization: token("VIEW"), permissions: ["VIEW"] },
  {
    says: "a token to transact",
    authorization: token("TRANSACT"),
    permissions: ["VIEW", "TRANSACT"],
  },
  { says: "a token to manage", authorization: token("MANAGE"), permissions: ["VIEW", "MANAGE"] },
  {
    says: "a token by its id",
    authorization: ({ tokens }) => basic(tokens.VIEW?.id ?? "", tokens.VIEW?.clientSecret ?? ""),
    permissions: ["VIEW"],
  },
  { says: "the start token in a fork", authorization: start("sandbox+here"), ...all },
  {
    says: "the start token, the fork by header",
    authorization: start("sandbox"),
    world: "here",
    ...all,
  },
  { says: "a fork twice", authorization: start("sandbox+here"), world: "here", ...all },
  {
    says: "two worlds",
    authorization: start("sandbox+here"),
    world: "own",
    refusal: "400 WORLD_CONFLICT",
  },
  { says: "a world of its own", authorization: () => basic("acme", "acme-secret"), ...all },
  { says: "that world with the start secret", authorization: start("sandbox+own") },
  { says: "that world's client id with the start secret", authorization: start("acme") },
  {
    says: "that world by header",
    authorization: start("sandbox"),
    world: "own",
    refusal: "400 WORLD_CONFLICT",
  },
  {
    says: "a world that nobody has",
    authorization: start("sandbox+nobody"),
    refusal: "401 WORLD_UNKNOWN",
  },
  {
    says: "that by header",
    authorization: start("sandbox"),
    world: "nobody",
    refusal: "401 WORLD_UNKNOWN",
  },
  { says: "a path as a world", authorization: start("sandbox+../x"), refusal: "401 WORLD_NAME" },
  {
    says: "a path as a world by header",
    authorization: start("sandbox"),
    world: "../x",
    refusal: "401 WORLD_NAME",
  },
  { says: "a path as a world, wrong secret", authorization: () => basic("sandbox+../x", "wrong") },
  {
    says: "an agent's token",
    authorization: ({ agentToken }) => `Bearer ${agentToken}`,
    isAgent: true,
  },
  {
    says: "an agent's token, small scheme",
    authorization: ({ agentToken }) => `bearer ${agentToken}`,
    isAgent: true,
  },
  {
    says: "an agent's token as a secret",
    authorization: ({ agentToken }) => basic("sandbox", agentToken),
  },
  {
    says: "an agent's token of another case",
    authorization: ({ agentToken }) => `Bearer ${agentToken.toUpperCase()}`,
  },
  {
    says: "an agent's token that was redeemed again",
    authorization: ({ agentToken }) => `Bearer ${agentToken}0`,
  },
  {
    says: "a secret of production",
    authorization: () => basic("sandbox", "sk_live_1"),
    refusal: PRODUCTION,
    agentRefusal: PRODUCTION,
    openRefusal: PRODUCTION,
  },
  {
    says: "a token of production",
    authorization: () => "Bearer prod_1",
    refusal: PRODUCTION,
    agentRefusal: PRODUCTION,
    openRefusal: PRODUCTION,
  },
];

/** An operation of the platform, called with a claim. */
export interface OperationAccess {
  operationId: string;
  method: string;
  path: string;
  claim: Claim;
  expects: Entry;
}

type Operation = (typeof PLATFORM_ENDPOINTS)[number];

const expected = ({ permission, agentAccess }: Operation, claim: Claim): Entry => {
  if (agentAccess !== undefined) return claim.isAgent ? "enters" : (claim.agentRefusal ?? NOBODY);
  if (permission === "none") return claim.openRefusal ?? "enters";
  if (claim.permissions === undefined) return claim.refusal ?? NOBODY;
  return claim.permissions.includes(permission) ? "enters" : `403 ${permission}`;
};

/** Every operation with every claim. */
export const OPERATION_ACCESSES: readonly OperationAccess[] = PLATFORM_ENDPOINTS.flatMap(
  (operation) =>
    CLAIMS.map((claim) => ({
      operationId: operation.operationId,
      method: operation.method,
      path: operation.path.replace(/\{\w+\}/g, "x"),
      claim,
      expects: expected(operation, claim),
    })),
);

const ENTRY_REASONS: ReadonlySet<string> = new Set([
  "WORLD_CONFLICT",
  "WORLD_NAME",
  "WORLD_UNKNOWN",
  "PRODUCTION_CREDENTIALS",
]);

const entryOf = async (response: Response): Promise<Entry> => {
  const body = await response.json().catch(() => ({}));
  if (ENTRY_REASONS.has(body.reason)) return `${response.status} ${body.reason}`;
  if (response.status === 401 && body.reason === undefined) return `401 ${body.code}`;
  const lacks = body.details?.requiredPermission;
  if (response.status === 403 && PERMISSIONS.includes(lacks)) return `403 ${lacks}`;
  return "enters";
};

type Sim = Awaited<ReturnType<Product["createSimulator"]>>;

/** Makes the worlds, tokens and the agent that claims name. */
const hold = async (sim: Sim): Promise<Held> => {
  const { clientSecret: secret, controlToken } = sim;
  const sent = async (url: string, init: RequestInit = {}) => {
    const headers = { authorization: basic("sandbox", secret), "content-type": "application/json" };
    const response = await sim.fetch(new Request(url, { method: "POST", headers, ...init }));
    return response.status === 204 ? undefined : response.json();
  };
  const post = (url: string, body: object) => sent(url, { body: JSON.stringify(body) });
  const tokens: Record<string, Held["tokens"][string]> = {};
  for (const name of [...PERMISSIONS, "deleted"]) {
    const permissions = [name === "deleted" ? "VIEW" : name];
    tokens[name] = await post(`${sim.apiUrl}/tokens`, { name, permissions });
  }
  await sent(`${sim.apiUrl}/tokens/${tokens.deleted?.id}`, { method: "DELETE" });
  const customer = await post(`${sim.apiUrl}/customers`, { customerType: "INDIVIDUAL" });
  const agent = { name: "Bot", customerId: customer.id, policy: GENEROUS };
  const { deviceCode } = await post(`${sim.apiUrl}/agents`, agent);
  const redeemed = await post(`${sim.apiUrl}/agents/device-codes/${deviceCode.code}/redeem`, {});
  await post(`${sim.controlUrl}/worlds`, { name: "here" });
  const own = { name: "own", clientId: "acme", clientSecret: "acme-secret" };
  await post(`${sim.controlUrl}/worlds`, own);
  return { secret, controlToken, tokens, agentToken: redeemed.accessToken };
};

/** Operations that let somebody in or out against the rule. */
export const wrongOperations = async (
  { createSimulator }: Pick<Product, "createSimulator">,
  accesses: readonly OperationAccess[],
): Promise<string[]> => {
  const sim = await createSimulator({ clock: "manual", worlds: "fixed", onAlarm: () => {} });
  const findings: string[] = [];
  try {
    const held = await hold(sim);
    await eachOf(accesses, async ({ method, path, claim, expects }) => {
      const authorization = claim.authorization(held);
      const headers = {
        ...(authorization !== undefined && { authorization }),
        ...(claim.world !== undefined && { "x-sim-world": claim.world }),
      };
      const request = new Request(sim.apiUrl + path, { method, headers });
      const found = await entryOf(await sim.fetch(request));
      if (found !== expects)
        findings.push(`${method} ${path}, ${claim.says}: ${expects} expected, ${found} found`);
    });
  } finally {
    await sim.close();
  }
  return findings;
};
