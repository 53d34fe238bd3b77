import { valueAt } from "../../contract/core/shown-value.ts";
import { approvalModeEndpoints } from "../core/approval-mode.ts";
import { codeHooks } from "../core/code-hooks.ts";
import { faultHooks } from "../core/fault-hooks.ts";
import { nextOutcomeHooks } from "../core/next-outcome-hooks.ts";
import { operatorEndpoints } from "../core/operator.ts";
import { rateLimitEndpoints } from "../core/rate-limit.ts";
import { troubleHooks } from "../core/trouble-hooks.ts";
import type { FixturePath } from "./fixture-problem.ts";
import { providerEndpoints } from "./seed-provider.ts";

/** A simulator, as a client of both its surfaces needs it. */
export interface SeedTarget {
  readonly apiUrl: string;
  readonly controlUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken: string;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** A request as a fixture writes it, references filled in. */
export interface SeedCall {
  method: string;
  /** Below the API's base, or beginning with `/_sim/`. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

type Body = ReturnType<typeof JSON.parse>;

export interface SeedAnswer {
  status: number;
  body: Body;
}

const CONTROL_PREFIX = "/_sim";

const isBelow = (path: string, prefix: string) => path.startsWith(`${prefix}/`);

const isControl = ({ path }: SeedCall) => isBelow(path, CONTROL_PREFIX);

const HOOKS = [
  ...operatorEndpoints,
  ...providerEndpoints,
  ...approvalModeEndpoints,
  ...faultHooks,
  ...nextOutcomeHooks,
  ...codeHooks,
  ...rateLimitEndpoints,
  ...troubleHooks,
];

/** Whether a call is one of the operator's hooks, which change records of the world alone. */
const isHook = ({ method }: SeedCall, path: string) =>
  HOOKS.some((hook) => {
    const template = hook.path.split("/");
    const parts = path.split("/");
    const fits = (part: string, at: number) => part.startsWith("{") || part === parts[at];
    return hook.method === method && template.length === parts.length && template.every(fits);
  });

/**
 * Finds the URL of a call. There is none for a path that leads out of its surface. Control
 * operations that act on more than records, like reset, clock and seed, have none either.
 */
export const urlOf = (target: SeedTarget, call: SeedCall): URL | undefined => {
  const base = isControl(call) ? target.controlUrl : target.apiUrl;
  const url = new URL(
    base + (isControl(call) ? call.path.slice(CONTROL_PREFIX.length) : call.path),
  );
  const { pathname: basePath } = new URL(base);
  if (!isBelow(url.pathname, basePath)) return undefined;
  const isAllowed = !isControl(call) || isHook(call, url.pathname.slice(basePath.length));
  return isAllowed ? url : undefined;
};

const authorizationFor = (call: SeedCall, target: SeedTarget) => {
  if (isControl(call)) return `Bearer ${target.controlToken}`;
  const credentials = `${target.clientId}:${target.clientSecret}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
};

const headersFor = (call: SeedCall, target: SeedTarget) => {
  const headers = new Headers(call.headers);
  if (!headers.has("authorization")) headers.set("authorization", authorizationFor(call, target));
  if (call.body !== undefined && !headers.has("content-type"))
    headers.set("content-type", "application/json");
  return headers;
};

/** Makes a call in this process, signed in unless it brings credentials of its own. */
export const send = async (target: SeedTarget, call: SeedCall, url: URL): Promise<SeedAnswer> => {
  const { method, body } = call;
  const headers = headersFor(call, target);
  const text = body === undefined ? null : JSON.stringify(body);
  const response = await target.fetch(new Request(url, { method, headers, body: text }));
  const received = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, body: isJson ? JSON.parse(received) : undefined };
};

/** The two surfaces write their errors in two ways. */
const errorOf = ({ body }: SeedAnswer) => body?.error ?? body;

/** The platform's messages end with what its caller should do next, which is not this reader. */
const sentenceOf = ({ body }: SeedAnswer) => {
  const message: unknown = errorOf({ status: 0, body })?.message;
  if (typeof message !== "string") return undefined;
  const end = body.error ? -1 : message.lastIndexOf(". ");
  return end < 0 ? message : message.slice(0, end);
};

/** An error as a sentence tells it: status, code, and the words that came with it. */
export const errorText = (answer: SeedAnswer) => {
  const { code, reason } = errorOf(answer) ?? {};
  const words = [answer.status, code, reason].filter((word) => word !== undefined).join(" ");
  const sentence = sentenceOf(answer);
  return sentence === undefined ? words : `${words}: ${sentence}`;
};

/** The member an error names, or as much of its path as what was sent has. */
export const blamedMember = (answer: SeedAnswer, sent: unknown): FixturePath => {
  const field = errorOf(answer)?.details?.field;
  if (typeof field !== "string") return [];
  let path = field.split(".").map((name) => (/^[0-9]+$/.test(name) ? Number(name) : name));
  while (path.length > 0 && valueAt(sent, path) === undefined) path = path.slice(0, -1);
  return path;
};

/** The id of an answer, or of the one thing it lists. */
export const idOf = ({ body }: SeedAnswer): string | undefined => {
  const [only, ...others] = Array.isArray(body?.data) ? body.data : [];
  const id = body?.id ?? (others.length === 0 ? only?.id : undefined);
  return typeof id === "string" ? id : undefined;
};
