import { createHash } from "node:crypto";
import { OPERATIONS } from "../contract/operations.ts";
import { REFUSALS } from "../contract/refusals.ts";
import { EVENT_TYPES } from "../contract/webhooks/events.ts";
import type { HttpRequest } from "../http/http-request.ts";
import type { Answer } from "../http/node-server.ts";
import type { WholeReply } from "../http/reply.ts";
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
import type { NotedFact } from "./facts.ts";
import { Masks } from "./masks.ts";
import { isChosenCode, RecordedProofs } from "./recorded-proofs.ts";
import { RecordedWall } from "./recorded-wall.ts";
import { type Credentials, callerOf, hiddenHeader, keptText } from "./secrets.ts";

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

/** Secrets that a capsule with placeholders has all the same (spec/capsules.md#kept-secrets). */
const KEPT_SECRETS = [
  "proofs in fixtures, which are sent again",
  "tokens and device codes made by the simulator, which follow from the seed",
] as const;

/** A request under way. */
interface Entry {
  at: number | undefined;
  /** The moment at which its rule had run. */
  worked?: number;
  w: number | undefined;
  e: number | undefined;
  id?: string;
  world?: string;
  body?: Buffer;
  proofs?: RecordedProofs;
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
  private readonly masks = new Masks();
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
    const { withSecrets } = parts;
    const head: CapsuleHead = {
      capsule: CAPSULE_VERSION,
      program: VERSION,
      contract: contractDigest(),
      w: this.wall.nowMs(),
      options: this.hiddenOptions(keptOptions(parts.options)),
      ...(parts.fixture !== undefined && { fixture: this.hiddenFixture(parts.fixture) }),
      ...(withSecrets
        ? { secrets: "included" as const }
        : { secrets: "placeholders" as const, keeps: KEPT_SECRETS }),
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
        const configured = own.isConfigured(issuer);
        this.line({ t: "keys", at: this.next(), issuer, configured, found });
        return found;
      },
    };
  }

  async advancing<Report>(span: string, advance: () => Promise<Report>) {
    const [at, w] = [this.next(), this.wall.nowMs()];
    try {
      return await advance();
    } finally {
      this.line({ t: "advance", at, w, e: this.wall.nowMs(), span });
    }
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

  async serve(request: HttpRequest, answer: Answer) {
    const entry: Entry = { at: undefined, w: undefined, e: undefined };
    const asked = new URL(request.url);
    const isControl = CONTROL.test(asked.pathname);
    this.masks.takeUrl(asked);
    if (!this.parts.withSecrets) entry.proofs = new RecordedProofs(request, this.masks);
    const { proofs } = entry;
    tapRequest(request, {
      ...(proofs && { find: proofs.find }),
      body: (bytes) => {
        entry.body = bytes;
        proofs?.take(bytes);
      },
      begin: () => {
        entry.w = this.wall.nowMs();
        entry.at = this.next();
      },
      worked: () => {
        entry.worked = this.next();
      },
      end: ({ name }, { requestId, wallMs }) => {
        entry.world = name;
        entry.id = requestId;
        const key = `${name} ${requestId}`;
        if (!isControl) entry.at = this.firstChanges.get(key) ?? entry.worked ?? entry.at;
        this.firstChanges.delete(key);
        entry.e = (isControl ? this.clockReadings.get(name) : undefined) ?? wallMs;
        this.clockReadings.delete(name);
      },
    });
    const { method, url } = request;
    const headers = [...request.headers];
    const whole = await answer(request);
    const e = entry.e ?? this.wall.nowMs();
    const shown = this.credentials(headers, whole.status, proofs);
    const reply = this.replyOf(whole, { proofs, isRead: isControl && method === "GET" });
    this.requests += 1;
    this.line({
      t: isControl ? "control" : "request",
      at: entry.at ?? this.next(),
      ...(entry.world !== undefined && { world: entry.world }),
      ...(entry.id !== undefined && { id: entry.id }),
      w: entry.w ?? e,
      e,
      method,
      url: this.hidden(url),
      ...shown,
      ...this.bodyOf(entry),
      ...(entry.body === undefined && request.body && { unread: lengthOf(request) }),
      ...(proofs && proofs.facts.length > 0 && { facts: this.hiddenFacts(proofs) }),
      reply,
    });
    return whole;
  }

  private noteChange(world: string, change: Change) {
    if (change.clock) this.clockReadings.set(world, this.wall.nowMs());
    const key = `${world} ${change.cause}`;
    const at = this.next();
    if (change.cause.startsWith("req-") && !this.firstChanges.has(key))
      this.firstChanges.set(key, at);
    const digest = digestOfChange(change, { hidden: (text) => this.hidden(text) });
    if (digest) this.line({ t: "change", at, ...digest });
  }

  /** The headers that matter, and the caller in place of credentials. */
  private credentials(
    all: readonly [string, string][],
    status: number,
    proofs: RecordedProofs | undefined,
  ) {
    const authorization = all.find(([name]) => name === "authorization")?.[1];
    const headers = all
      .filter(([name]) => HEARD.test(name))
      .map(([name, value]): [string, string] => [
        name,
        this.hidden(proofs?.header(name, value) ?? value),
      ]);
    if (authorization === undefined) return { headers };
    const caller = callerOf(authorization, this.own);
    if (caller) return { headers, caller };
    const { masks, parts } = this;
    const shown = parts.withSecrets
      ? authorization
      : hiddenHeader(authorization, { masks, isRefused: status === 401 });
    return { headers: [...headers, ["authorization", shown] as [string, string]] };
  }

  private bodyOf({ body, proofs }: Entry) {
    if (!body || body.length === 0) return {};
    return { body: (proofs?.body ?? body).toString("base64") };
  }

  private hiddenFacts({ facts }: RecordedProofs): readonly NotedFact[] {
    return JSON.parse(this.hidden(JSON.stringify(facts)));
  }

  /** @param isRead true for a reply of `GET /_sim/…`, of which only the status is compared */
  private replyOf(
    { status, headers: sent, text }: WholeReply,
    { proofs, isRead }: { proofs: RecordedProofs | undefined; isRead: boolean },
  ): CapsuleReply {
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, this.hidden(value)]),
    );
    if (text === undefined || !/json|text\/plain/.test(headers["content-type"] ?? ""))
      return { status, headers };
    this.masks.learn(text);
    if (isRead && proofs) return { status, headers };
    return { status, headers, ...keptText(this.hidden(proofs?.reply(text) ?? text), this.parts) };
  }

  private hidden(text: string) {
    return this.parts.withSecrets ? text : this.masks.hidden(text);
  }

  /** Options without a code that all mails would bring. */
  private hiddenOptions(options: Record<string, unknown>) {
    const { codes } = options;
    if (this.parts.withSecrets || !isChosenCode(codes)) return options;
    return { ...options, codes: this.masks.placeholder(codes) };
  }

  private hiddenFixture(fixture: unknown) {
    if (this.parts.withSecrets) return fixture;
    const text = JSON.stringify(fixture);
    this.masks.takeJson(text);
    return JSON.parse(this.hidden(text));
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

/** Announced length of a body; one that is not announced was longer than any limit. */
const lengthOf = ({ headers }: HttpRequest) => Number(headers.get("content-length") ?? 2 ** 40);

/** Headers that a reply may depend on; all others, such as cookies, stay out of the file. */
const HEARD =
  /^(accept|content-type|host|idempotency-key|last-event-id|origin|request-id|service-wallet-signature|sec-fetch-.*|x-sim-.*)$/;

/** The id of the event in the bytes of a webhook. */
export const eventIn = (body: Buffer): string => {
  try {
    const { id } = JSON.parse(body.toString("utf8")) as { id?: unknown };
    return String(id);
  } catch {
    return "";
  }
};
