import type { RefusedCall } from "../contract/control/recordings.ts";
import { OWN } from "../contract/core/brand-words.ts";
import { seededCredentials } from "../crypto/seeded-credentials.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import type { WholeReply } from "../http/message/reply.ts";
import { tapRequest } from "../http/message/tapped-request.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import { recordedOptions, type SimulatorOptions } from "../options/simulator-options.ts";
import { optionsOf } from "../options/world-options.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import type { AttemptAnswer, IdTokenKeys } from "../runtime/ports.ts";
import type { Identity } from "../storage/world/identity.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";
import { type Boundary, type DrawnKind, withBoundary } from "../worlds/boundary.ts";
import { SteadyWall } from "../worlds/steady-wall.ts";
import { type EarlierImage, imagesOf, processImageOf } from "../worlds/world-image.ts";
import type { WorldsOfProcess } from "../worlds/worlds.ts";
import { eventIn } from "./attempted-event.ts";
import { canonicalText } from "./canonical-names.ts";
import { type CapsuleEnd, type CapsuleHead, encodeLine } from "./capsule-lines.ts";
import { type CapsuleEntry, isControlUrl, LineMaker } from "./line-maker.ts";
import { RecordedProofs } from "./recorded-proofs.ts";
import { skippedCall } from "./refused-calls.ts";
import type { Credentials } from "./secrets.ts";

type RecordingStart = Pick<CapsuleHead, "options" | "fixture" | "beginning">;

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

/** Refused calls that are told of. */
const MOST_REFUSED = 100;

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
export class Recorder implements Boundary {
  readonly wall = new SteadyWall({ isHeld: true, isSteady: true });
  private readonly parts: RecorderParts;
  private readonly maker: LineMaker;
  /** Counts what the order of a replay depends on: beginnings, changes and answers. */
  private moments = 0;
  private lines = 0;
  /** Requests that were written down. */
  requests = 0;
  /** The newest calls that were refused, and the number of all. */
  refused: readonly RefusedCall[] = [];
  refusedCount = 0;
  private isClosed = false;
  /** Ends following the worlds. */
  private readonly watching: (() => void)[] = [];
  /** Moments of the first changes of requests under way, by world and id. */
  private readonly firstChanges = new Map<string, number>();
  /** Readings of the clock behind changes of clocks, by world. */
  private readonly clockReadings = new Map<string, number>();

  constructor(parts: RecorderParts) {
    this.parts = parts;
    this.maker = new LineMaker(parts);
    const { options, fixture, joins } = parts;
    if (!joins) this.writeHead({ options: recordedOptions(options), fixture });
  }

  private writeHead(beginning: RecordingStart) {
    this.parts.write(encodeLine(this.maker.head({ ...beginning, w: this.wall.nowMs() })));
  }

  /** Writes down the worlds of a simulator that runs, and follows them from here on. */
  begin(
    worlds: WorldsOfProcess,
    { own, origin, earlier }: { own: Credentials; origin: string; earlier: Earlier },
  ) {
    this.maker.own = own;
    const { fixture, ...beginning } = processImageOf(worlds);
    const identity = optionsOf(worlds.starting.world.identity);
    // Settings are part of the worlds; random codes would be drawn again.
    const options = { ...recordedOptions(this.parts.options), codes: undefined, ...identity };
    this.writeHead({ options, fixture, beginning });
    const secretsOf = (one: Identity) => this.placeholders.of(one, own);
    for (const image of imagesOf(worlds, { secretsOf, earlier })) {
      this.redactions.learn(image.state);
      this.line({ t: "world", at: 0, image });
    }
    this.listening(origin);
    for (const world of worlds.all()) this.watch(world);
    this.wall.release();
  }

  /** The secrets that a capsule has in place of those of a world. */
  get placeholders() {
    return this.maker.placeholders;
  }

  private get redactions() {
    return this.maker.redactions;
  }

  /** The options of a start that it writes down. */
  recorded(options: SimulatorOptions): SimulatorOptions {
    return withBoundary(options, this);
  }

  /** The simulator is open: time continues, and its credentials are known. */
  opened(own: Credentials) {
    this.maker.own = own;
    const { seed } = this.parts.options;
    // A start that names a secret is repeated with the one that follows from its seed.
    if (seed !== undefined && !this.parts.withSecrets)
      this.placeholders.own(own.clientSecret, seededCredentials(String(seed)).clientSecret);
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

  drawn(what: DrawnKind, draw: () => string) {
    const value = draw();
    const kept = this.maker.drawn(what, value);
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
        const issuerKeys = await own.keysFor(issuer, isStrict);
        const configured = own.isConfigured(issuer);
        this.line({ t: "keys", at: this.next(), issuer, configured, found: issuerKeys });
        return issuerKeys;
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
    const calledUrl = new URL(request.url);
    const isControl = isControlUrl(request.url);
    this.redactions.takeUrl(calledUrl);
    if (!this.parts.withSecrets) entry.proofs = new RecordedProofs(request, this.redactions);
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
    const { method, url, headers } = request;
    const whole = await answer(request);
    const e = entry.e ?? this.wall.nowMs();
    const made = this.maker.call({
      ...entry,
      ...{ at: entry.at ?? this.next(), w: entry.w ?? e, e, method, url },
      headers: [...headers],
      hasBody: request.body !== null,
      facts: proofs?.facts ?? [],
      reply: whole,
    });
    this.requests += 1;
    if (whole.status >= 400) this.noteRefused({ id: entry.id, method, url }, whole);
    this.line(made);
    return whole;
  }

  private noteRefused(
    { id, method, url }: { id: string | undefined; method: string; url: string },
    reply: WholeReply,
  ) {
    const { brand = OWN } = reply;
    const call = { ...(id !== undefined && { id }), method, url: brand.inward(url) };
    const { status } = reply;
    const refused = skippedCall(call, { status, text: canonicalText(reply) });
    this.refused = [...this.refused.slice(1 - MOST_REFUSED), refused];
    this.refusedCount += 1;
  }

  private noteChange(world: string, change: Change) {
    if (change.clock) this.clockReadings.set(world, this.wall.nowMs());
    const key = `${world} ${change.cause}`;
    const at = this.next();
    if (change.cause.startsWith("req-") && !this.firstChanges.has(key))
      this.firstChanges.set(key, at);
    const digest = this.maker.change(change);
    if (digest) this.line({ t: "change", at, world, ...digest });
  }

  private next() {
    this.moments += 1;
    return this.moments;
  }

  private line(line: CapsuleEntry) {
    if (this.isClosed) return;
    this.lines += 1;
    this.parts.write(encodeLine({ n: this.lines, ...line }));
  }
}
