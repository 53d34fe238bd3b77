import { setTimeout as pause } from "node:timers/promises";
import type { Brand } from "../../contract/core/brand-words.ts";
import type { ScriptAnswer, ScriptCall } from "../../scripts/script-call.ts";
import { CommandError, EXIT } from "../frame/command.ts";
import type { OtherSide } from "./compared-scenario.ts";

/** Time without an answer after which the service counts as gone. */
const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
/** A service that asks for a longer pause is not waited for. */
const LONGEST_RETRY_MS = 60_000;
const DEFAULT_RETRY_MS = 1_000;

/** A hosted service, and how it is called. */
export interface HostedOptions {
  /** Base URL of its API. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  callsPerSecond: number;
  brand?: Brand | undefined;
  /** Called before time passes there, with the span. */
  onWait?(ms: number): void;
}

/** Turns a call's own words into those of a brand: in header names, path and JSON. */
const outward = ({ headers, path, body, ...call }: ScriptCall, brand: Brand | undefined) => {
  if (!brand) return { ...call, headers, path, body };
  const isJson = headers["content-type"] === "application/json";
  return {
    ...call,
    path: brand.outward(path),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [brand.outward(name), value]),
    ),
    body: isJson && body ? Buffer.from(brand.outward(Buffer.from(body).toString("utf8"))) : body,
  };
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Calls a hosted service, not faster than it was told, and again where it asks for patience. */
export class HostedService implements OtherSide {
  private readonly options: HostedOptions;
  private nextMs = 0;

  constructor(options: HostedOptions) {
    this.options = options;
  }

  nowMs() {
    return performance.now();
  }

  async wait(ms: number) {
    this.options.onWait?.(ms);
    await pause(ms);
  }

  readonly send = async (call: ScriptCall): Promise<ScriptAnswer> => {
    for (let retries = 0; ; retries += 1) {
      await this.turn();
      const { status, retryAfter, text } = await this.sent(call);
      const again = Number(retryAfter ?? Number.NaN) * 1000;
      const pauseMs = Number.isFinite(again) ? again : DEFAULT_RETRY_MS;
      if (status !== 429 || retries === MAX_RETRIES || pauseMs > LONGEST_RETRY_MS)
        return { status, body: jsonIn(this.options.brand?.inward(text) ?? text) };
      await pause(pauseMs);
    }
  };

  /** Waits for the next call that the rate allows. */
  private async turn() {
    const nowMs = this.nowMs();
    const atMs = Math.max(nowMs, this.nextMs);
    this.nextMs = atMs + 1000 / this.options.callsPerSecond;
    if (atMs > nowMs) await pause(atMs - nowMs);
  }

  /** Sends a call once; an answer that breaks off counts as none. */
  private async sent(call: ScriptCall) {
    const { apiUrl, clientId, clientSecret, brand } = this.options;
    const { method, path, headers, body } = outward(call, brand);
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    try {
      const answer = await fetch(apiUrl + path, {
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { accept: "application/json", authorization: `Basic ${basic}`, ...headers },
        ...(body && { body: Buffer.from(body) }),
      });
      const retryAfter = answer.headers.get("retry-after");
      return { status: answer.status, retryAfter, text: await answer.text() };
    } catch (error) {
      throw unreachable(apiUrl, error);
    }
  }
}

const unreachable = (apiUrl: string, error: unknown) => {
  const { cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  const why =
    cause?.code ??
    cause?.message ??
    (name === "TimeoutError" ? `no answer in ${TIMEOUT_MS / 1000} s` : name);
  return new CommandError(
    { code: "NOT_REACHABLE", exitCode: EXIT.notReachable },
    `cannot reach ${new URL(apiUrl).origin}: ${why}`,
    ["check the address that --against names"],
  );
};
