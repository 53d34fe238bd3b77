import { createHash } from "node:crypto";
import { OPERATIONS } from "../contract/operations.ts";
import { REFUSALS } from "../contract/refusals.ts";
import { EVENT_TYPES } from "../contract/webhooks/events.ts";
import { tapRequest } from "../http/tapped-request.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import type { IdTokenKeys } from "../runtime/ports.ts";
import type { SimulatorOptions } from "../simulator-options.ts";
import { VERSION } from "../version.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";
import { type Edges, withEdges } from "../worlds/edges.ts";
import {
  CAPSULE_VERSION,
  type CapsuleHead,
  type CapsuleLine,
  type CapsuleReply,
  encodeLine,
} from "./capsule-lines.ts";
import { digestOfChange } from "./change-digests.ts";
import { RecordedWall } from "./recorded-wall.ts";
import { type Credentials, callerOf, keptText, Placeholders } from "./secrets.ts";

/** Digest of operations, refusals and events: what a reply may depend on beside the run itself. */
export const contractDigest = () =>
  createHash("sha256")
    .update(JSON.stringify([OPERATIONS, REFUSALS, EVENT_TYPES]))
    .digest("hex")
    .slice(0, 16);

/** Options that are no part of a run, or secrets, or read when they are needed. */
const LEFT_OUT: ReadonlySet<string> = new Set<keyof SimulatorOptions>([
  "clientSecret",
  "webhookKey",
  "oidcJwks",
  "storage",
  "fsync",
  "fresh",
  "force",
  "host",
  "tunnel",
  "fixture",
  "answersBeforeReady",
  "allowHosts",
]);

const keptOptions = (options: SimulatorOptions) =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => !LEFT_OUT.has(name) && typeof value !== "function",
    ),
  );

/** A request under way. */
interface Entry {
  at: number | undefined;
  w: number | undefined;
  e: number | undefined;
  id?: string;
  world?: string;
  body?: Buffer;
}

type Unnumbered = CapsuleLine extends infer Line
  ? Line extends CapsuleLine
    ? Omit<Line, "n">
    : never
  : never;

const CONTROL = /^\/_sim(\/|$)/;

/** Parts of a recorder. */
export interface RecorderParts {
  options: SimulatorOptions;
  /** The fixture itself, when the start names one. */
  fixture?: unknown;
  withSecrets: boolean;
  /** Takes each line. */
  write(line: string): void;
}

/**
 * Writes down everything that reaches a simulator from outside, with each reply
 * (spec/capsules.md#lines).
 */
export class Recorder implements Edges {
  readonly wall = new RecordedWall();
  private readonly parts: RecorderParts;
  private readonly placeholders = new Placeholders();
  private own: Credentials = { clientSecret: "", controlToken: "" };
  /** Counts what the order of a replay depends on: beginnings, changes and answers. */
  private moments = 0;
  private lines = 0;
  /** Requests that were written down. */
  requests = 0;
  private isClosed = false;
  /** Moments of the first changes of requests under way, by world and id. */
  private readonly firstChanges = new Map<string, number>();
  /** Readings of the clock behind changes of clocks, by world. */
  private readonly clockReadings = new Map<string, number>();

  constructor(parts: RecorderParts) {
    this.parts = parts;
    const head: CapsuleHead = {
      capsule: CAPSULE_VERSION,
      program: VERSION,
      contract: contractDigest(),
      w: this.wall.nowMs(),
      options: keptOptions(parts.options),
      ...(parts.fixture !== undefined && { fixture: parts.fixture }),
      secrets: parts.withSecrets ? "included" : "placeholders",
    };
    parts.write(encodeLine(head));
  }

  /** The options of a start that it writes down. */
  recorded(options: SimulatorOptions): SimulatorOptions {
    return withEdges(options, this);
  }

  /** The simulator is open: time goes on, and its credentials are known. */
  opened(own: Credentials) {
    this.own = own;
    this.wall.release();
  }

  /** Writes the last line; what happens later is left out. */
  close() {
    this.parts.write(encodeLine({ end: this.lines }));
    this.isClosed = true;
  }

  readonly send: typeof attemptDelivery = async (attempt) => {
    const answer = await attemptDelivery(attempt);
    const event = eventIn(attempt.body);
    this.line({
      t: "attempt",
      at: this.next(),
      w: this.wall.nowMs(),
      event,
      answer: { ...answer },
    });
    return answer;
  };

  keysFrom(own: IdTokenKeys): IdTokenKeys {
    return {
      ...own,
      keysFor: async (issuer, isStrict) => {
        const found = await own.keysFor(issuer, isStrict);
        this.line({ t: "keys", at: this.next(), issuer, found });
        return found;
      },
    };
  }

  watch(world: { name: string; engine: Engine }) {
    world.engine.listeners.add({ changed: (change) => this.noteChange(world.name, change) });
  }

  listening(url: string) {
    this.line({ t: "origin", at: this.next(), url });
  }

  origin() {
    return undefined;
  }

  async serve(request: Request, answer: (request: Request) => Response | Promise<Response>) {
    const entry: Entry = { at: undefined, w: undefined, e: undefined };
    const isControl = CONTROL.test(new URL(request.url).pathname);
    tapRequest(request, {
      body: (bytes) => {
        entry.body = bytes;
      },
      begin: () => {
        entry.w = this.wall.nowMs();
        entry.at = this.next();
      },
      end: ({ name }, { requestId, wallMs }) => {
        entry.world = name;
        entry.id = requestId;
        const key = `${name} ${requestId}`;
        if (!isControl) entry.at = this.firstChanges.get(key) ?? entry.at;
        this.firstChanges.delete(key);
        entry.e = (isControl ? this.clockReadings.get(name) : undefined) ?? wallMs;
        this.clockReadings.delete(name);
      },
    });
    const { method, url } = request;
    const headers = [...request.headers];
    const response = await answer(request);
    const e = entry.e ?? this.wall.nowMs();
    const reply = await this.replyOf(response);
    this.requests += 1;
    this.line({
      t: isControl ? "control" : "request",
      at: entry.at ?? this.next(),
      ...(entry.world !== undefined && { world: entry.world }),
      ...(entry.id !== undefined && { id: entry.id }),
      w: entry.w ?? e,
      e,
      method,
      url,
      ...this.credentials(headers, reply.status),
      ...(entry.body && entry.body.length > 0 && { body: entry.body.toString("base64") }),
      reply,
    });
    return response;
  }

  private noteChange(world: string, change: Change) {
    if (change.clock) this.clockReadings.set(world, this.wall.nowMs());
    const key = `${world} ${change.cause}`;
    const at = this.next();
    if (change.cause.startsWith("req-") && !this.firstChanges.has(key))
      this.firstChanges.set(key, at);
    const digest = digestOfChange(change);
    if (digest) this.line({ t: "change", at, ...digest });
  }

  /** The headers that matter, and the caller in place of credentials. */
  private credentials(all: readonly [string, string][], status: number) {
    const authorization = all.find(([name]) => name === "authorization")?.[1];
    const headers = all.filter(([name]) => !UNHEARD.has(name) && name !== "authorization");
    if (authorization === undefined) return { headers };
    const caller = callerOf(authorization, this.own);
    if (caller) return { headers, caller };
    const isKept = this.parts.withSecrets || status !== 401;
    const shown = isKept ? authorization : this.placeholders.header(authorization);
    return { headers: [...headers, ["authorization", shown] as [string, string]] };
  }

  private async replyOf(response: Response): Promise<CapsuleReply> {
    const headers = Object.fromEntries(response.headers);
    const { status } = response;
    if (!/json|text\/plain/.test(headers["content-type"] ?? "")) return { status, headers };
    const text = await response.clone().text();
    return { status, headers, ...keptText(text, this.parts) };
  }

  private next() {
    this.moments += 1;
    return this.moments;
  }

  private line(line: Unnumbered) {
    if (this.isClosed) return;
    this.lines += 1;
    this.parts.write(encodeLine({ n: this.lines, ...line }));
  }
}

/** Headers of connections, which change no reply. */
const UNHEARD: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "transfer-encoding",
  "accept-encoding",
  "user-agent",
]);

/** The id of the event in the bytes of a webhook. */
export const eventIn = (body: Buffer): string => {
  try {
    const { id } = JSON.parse(body.toString("utf8")) as { id?: unknown };
    return String(id);
  } catch {
    return "";
  }
};
