import { createHash } from "node:crypto";
import { type Brand, OWN } from "../contract/core/brand-words.ts";
import { OPERATIONS } from "../contract/operations.ts";
import { REFUSALS } from "../contract/refusals.ts";
import { EVENT_TYPES } from "../contract/webhooks/events.ts";
import { seededCredentials } from "../crypto/seeded-credentials.ts";
import type { HttpRequest } from "../http/http-request.ts";
import type { Answer } from "../http/node-server.ts";
import type { WholeReply } from "../http/reply.ts";
import { tapRequest } from "../http/tapped-request.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import type { AttemptAnswer, IdTokenKeys } from "../runtime/ports.ts";
import type { Identity } from "../runtime/storage/identity.ts";
import type { SimulatorOptions } from "../simulator-options.ts";
import { VERSION } from "../version.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";
import { type Drawn, type Edges, withEdges } from "../worlds/edges.ts";
import { type EarlierImage, imagesOf, processImageOf } from "../worlds/world-image.ts";
import type { WorldsOfProcess } from "../worlds/worlds.ts";
import { eventIn } from "./attempted-event.ts";
import {
  CAPSULE_VERSION,
  type CapsuleEnd,
  type CapsuleHead,
  type CapsuleLine,
  type CapsuleReply,
  encodeLine,
} from "./capsule-lines.ts";
import { digestOfChange } from "./change-digests.ts";
import type { NotedFact } from "./facts.ts";
import { keptOptions, optionsOf } from "./kept-options.ts";
import { Masks } from "./masks.ts";
import { ownBytes, ownHeaders, ownText } from "./own-words.ts";
import { isChosenCode, RecordedProofs } from "./recorded-proofs.ts";
import { RecordedWall } from "./recorded-wall.ts";
import { type Credentials, callerOf, hiddenHeader, keptText } from "./secrets.ts";
import { StandIns } from "./stand-ins.ts";

/** Digest of operations, refusals and events: what a reply may depend on beside the run itself. */
export const contractDigest = () =>
  createHash("sha256")
    .update(JSON.stringify([OPERATIONS, REFUSALS, EVENT_TYPES]))
    .digest("hex")
    .slice(0, 16);

/** Secrets that a capsule with placeholders has all the same (spec/capsules.md#kept-secrets). */
const KEPT_SECRETS = [
  "proofs in fixtures, which are sent again",
  "tokens and device codes made by the simulator, which follow from the seed",
] as const;
type Beginning = Pick<CapsuleHead, "options" | "fixture" | "beginning">;

/** States that worlds can go back to, by their names. */
type Earlier = Map<string, EarlierImage>;

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
  /** Set when it joins a simulator that runs: its first lines come with `begin`. */
  joins?: true;
}

/**
 * Writes down everything that reaches a simulator from outside, with each reply
 * (spec/capsules.md#lines).
 */
export class Recorder implements Edges {
  readonly wall = new RecordedWall();
  private readonly parts: RecorderParts;
  private own: Credentials = { clientSecret: "", controlToken: "" };
  /** Counts what the order of a replay depends on: beginnings, changes and answers. */
  private moments = 0;
  private lines = 0;
  /** Requests that were written down. */
  requests = 0;
  private isClosed = false;
  /** Ends following the worlds. */
  private readonly watching: (() => void)[] = [];
  /** Moments of the first changes of requests under way, by world and id. */
  private readonly firstChanges = new Map<string, number>();
  /** Readings of the clock behind changes of clocks, by world. */
  private readonly clockReadings = new Map<string, number>();

  constructor(parts: RecorderParts) {
    this.parts = parts;
    const { options, fixture, joins } = parts;
    if (!joins) this.writeHead({ options: keptOptions(options), fixture });
  }

  private writeHead({ options, fixture, beginning }: Beginning) {
    const head: CapsuleHead = {
      capsule: CAPSULE_VERSION,
      program: VERSION,
      contract: contractDigest(),
      w: this.wall.nowMs(),
      options: this.hiddenOptions(options),
      ...(fixture !== undefined && { fixture: this.hiddenFixture(fixture) }),
      ...(beginning && { beginning }),
      ...(this.parts.withSecrets
        ? { secrets: "included" as const }
        : { secrets: "placeholders" as const, keeps: KEPT_SECRETS }),
    };
    this.parts.write(encodeLine(head));
  }

  /** Writes down the worlds of a simulator that runs, and follows them from here on. */
  begin(
    worlds: WorldsOfProcess,
    { own, origin, earlier }: { own: Credentials; origin: string; earlier: Earlier },
  ) {
    this.own = own;
    const { fixture, ...beginning } = processImageOf(worlds);
    const identity = optionsOf(worlds.starting.world.identity);
    // Settings are part of the worlds; random codes would be drawn again.
    const options = { ...keptOptions(this.parts.options), codes: undefined, ...identity };
    this.writeHead({ options, fixture, beginning });
    const secretsOf = (one: Identity) => this.standIns.of(one, own);
    for (const image of imagesOf(worlds, { secretsOf, earlier })) {
      this.masks.learn(image.state);
      this.line({ t: "world", at: 0, image });
    }
    this.listening(origin);
    for (const world of worlds.all()) this.watch(world);
    this.wall.release();
  }

  /** The secrets that a capsule has in place of those of a world. */
  private readonly masks = new Masks(() => this.parts.options.productionPrefixes);
  readonly standIns = new StandIns(this.masks, () => this.parts.withSecrets);

  /** The options of a start that it writes down. */
  recorded(options: SimulatorOptions): SimulatorOptions {
    return withEdges(options, this);
  }

  /** The simulator is open: time goes on, and its credentials are known. */
  opened(own: Credentials) {
    this.own = own;
    const { seed } = this.parts.options;
    // A start that names a secret is repeated with the one that follows from its seed.
    if (seed !== undefined && !this.parts.withSecrets)
      this.standIns.own(own.clientSecret, seededCredentials(String(seed)).clientSecret);
    this.wall.release();
  }

  /** Writes the last line; what happens later is left out. */
  close(left = 0) {
    if (this.isClosed) return;
    const end: CapsuleEnd = { end: this.lines, requests: this.requests };
    this.parts.write(encodeLine({ ...end, ...(left > 0 && { left }) }));
    this.isClosed = true;
    for (const stop of this.watching.splice(0)) stop();
  }

  readonly send: typeof attemptDelivery = async (attempt) => {
    const answer = await attemptDelivery(attempt);
    this.answered(attempt.body, answer);
    return answer;
  };

  answered(body: Buffer, answer: AttemptAnswer) {
    const event = eventIn(body);
    const w = this.wall.nowMs();
    this.line({ t: "attempt", at: this.next(), w, event, answer: { ...answer } });
  }

  drawn(what: Drawn, draw: () => string) {
    const value = draw();
    // Codes follow from what was drawn for them, and callers send them as they were.
    const kept = what === "codes" ? value : this.standIns.key(value);
    this.line({ t: "drawn", at: this.next(), what, value: kept });
    return value;
  }

  found() {}

  joined() {}

  closing() {}

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
    const { listeners } = world.engine;
    const listener = { changed: (change: Change) => this.noteChange(world.name, change) };
    listeners.add(listener);
    this.watching.push(() => void listeners.delete(listener));
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
    const whole = await answer(request);
    const { brand = OWN } = whole;
    const headers = ownHeaders(request, brand);
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
      url: this.hidden(brand.inward(url)),
      ...shown,
      ...this.bodyOf(entry, brand),
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
    if (digest) this.line({ t: "change", at, world, ...digest });
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

  private bodyOf({ body, proofs }: Entry, brand: Brand) {
    if (!body || body.length === 0) return {};
    return { body: ownBytes(proofs?.body ?? body, brand).toString("base64") };
  }

  private hiddenFacts({ facts }: RecordedProofs): readonly NotedFact[] {
    return JSON.parse(this.hidden(JSON.stringify(facts)));
  }

  /** @param isRead true for a reply of `GET /_sim/…`, of which only the status is compared */
  private replyOf(
    whole: WholeReply,
    { proofs, isRead }: { proofs: RecordedProofs | undefined; isRead: boolean },
  ): CapsuleReply {
    const { status, headers: sent } = whole;
    const text = ownText(whole);
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

  /** Options without passwords of addresses, and without a code that all mails would bring. */
  private hiddenOptions(options: Record<string, unknown>) {
    const { codes, webhookEndpoint } = options;
    if (this.parts.withSecrets) return options;
    const endpoint = typeof webhookEndpoint === "string" ? webhookEndpoint : undefined;
    if (endpoint !== undefined) this.masks.takeJson(JSON.stringify({ webhookEndpoint }));
    return {
      ...options,
      ...(endpoint !== undefined && { webhookEndpoint: this.masks.hidden(endpoint) }),
      ...(isChosenCode(codes) && { codes: this.masks.placeholder(codes) }),
    };
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
