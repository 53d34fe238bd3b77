import { accessHeaders, isForm, type Send, type SendResult } from "../client/send.ts";
import { API_VERSION } from "../contract/core/api-version.ts";
import { ApiError } from "./api-error.ts";

const CONTROL_BASE = "/_sim";

/** Credentials of a world and the name that chooses it. */
export interface WorldAccess {
  /** Left out for the default world. */
  world?: string | undefined;
  clientId: string;
  clientSecret?: string | undefined;
  /** Asked for beyond loopback. */
  controlToken?: string | undefined;
}

/** A call before it gets its credentials. */
export interface CallInput {
  /** Tells it in an error: the operation, or method and path. */
  called: string;
  method: string;
  /** Below the base of its surface. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Access token of an agent. */
  token?: string | undefined;
}

type Values = Record<string, unknown>;

/** A query text with the values that are there: `?limit=5`. */
export const queryText = (query: Values = {}): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
};

/** One world as calls reach it, over HTTP or in this process. */
export class ReachedWorld {
  readonly send: Send;
  readonly access: WorldAccess;
  private underWay = 0;

  constructor(send: Send, access: WorldAccess) {
    this.send = send;
    this.access = access;
  }

  /** Whether a call waits for its answer. */
  get isCalling() {
    return this.underWay > 0;
  }

  /**
   * Calls the platform as its user, or as an agent.
   * @throws ApiError for a refusal
   */
  async platform<Body>({ token, ...input }: CallInput): Promise<Body> {
    const authorization = token === undefined ? this.basic() : `Bearer ${token}`;
    const { world } = this.access;
    return this.bodyOf<Body>(`/${API_VERSION}`, input, {
      authorization,
      ...accessHeaders({ world }),
    });
  }

  /**
   * Calls the control surface.
   * @throws ApiError for a refusal
   */
  async control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { controlToken: token, world } = this.access;
    const called = `${method} ${CONTROL_BASE}${path}`;
    const own = accessHeaders({ ...(token && { token }), world });
    return this.bodyOf<Body>(CONTROL_BASE, { called, method, path, body }, own);
  }

  private async bodyOf<Body>(base: string, input: CallInput, own: Record<string, string>) {
    this.underWay += 1;
    const answered = await this.answerTo(base, input, own).finally(() => {
      this.underWay -= 1;
    });
    const { status, body, requestId } = answered;
    if (status >= 400) throw new ApiError({ called: input.called, status, body, requestId });
    return body as Body;
  }

  private answerTo(
    base: string,
    input: CallInput,
    own: Record<string, string>,
  ): Promise<SendResult> {
    const { method, path, body, headers } = input;
    const sent = isForm(body) || body === undefined ? body : JSON.stringify(body);
    return this.send({
      method,
      path: base + path,
      headers: {
        ...own,
        ...(typeof sent === "string" && { "content-type": "application/json" }),
        ...headers,
      },
      body: sent,
    });
  }

  private basic() {
    const { clientId, clientSecret } = this.access;
    if (clientSecret === undefined)
      throw new Error(
        `Expected the client secret of ${clientId} but found none: ` +
          "set SERVICE_SIM_CLIENT_SECRET, or pass clientSecret to connect",
      );
    return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  }
}
