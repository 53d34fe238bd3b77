import { CONTROL_BASE } from "../control/control-surface.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { andThen, type MaybePromise } from "../http/message/maybe-promise.ts";
import type { WholeReply } from "../http/message/reply.ts";
import { tapRequest } from "../http/message/tapped-request.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import type { Change } from "../runtime/change.ts";
import type { AttemptAnswer, IdTokenKeys } from "../runtime/ports.ts";
import type { WorldState } from "../runtime/world-state.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import type { attemptDelivery } from "../webhooks/attempt.ts";
import type { Boundary, DrawnKind } from "./boundary.ts";
import { FactNotes } from "./fact-notes.ts";
import { lastWebhooks } from "./last-webhooks.ts";
import { OwnReports } from "./own-reports.ts";
import type { RunningWorld } from "./running-world.ts";
import { TAPE, type TapedCall, type TapedFork, TapeRoom, WorldTape } from "./world-tape.ts";
import type { WorldsOfProcess } from "./worlds.ts";

const WORLDS = "/_sim/worlds";

/** Calls that read, begin and end recordings are no part of any. */
const READS_RECORDING = /^\/_sim\/worlds\/[^/]+\/recording$/;
const RECORDS = "/_sim/capsule";
const REMOVED = /^\/_sim\/worlds\/([^/]+)$/;

/** Bytes of a record that a beginning may be the last to have. */
const PINNED_BYTES = 1024;

/** A call while it is under way. */
interface Entry {
  at?: number;
  worked?: number;
  w?: number;
  e?: number | undefined;
  id?: string;
  tape?: WorldTape | undefined;
  body?: Buffer;
  notes?: FactNotes;
  /** Its path on the control surface. */
  path: string | undefined;
}

/**
 * Has each world recorded from its birth, beside what other boundary do
 * (decisions/tape-of-each-world.md). It keeps what is there already, and makes no text of it: that
 * waits until a capsule is asked for.
 */
export class TapedBoundary implements Boundary {
  readonly room = new TapeRoom();
  private readonly inner: Boundary;
  private readonly tapes = new WeakMap<object, WorldTape>();
  private worlds: WorldsOfProcess | undefined;
  private moments = 0;
  /** The default world as forks have found it, for as long as it has not changed. */
  private starting: TapedFork | undefined;
  /** States of worlds when beginnings were last made of them. */
  private readonly counted = new WeakMap<RunningWorld, Pick<WorldState, "branch" | "seq">>();
  /** The worlds of the process, once the default one is there. */
  get process() {
    return this.worlds;
  }

  constructor(inner: Boundary) {
    this.inner = inner;
  }

  get wall() {
    return this.inner.wall;
  }

  readonly send: Boundary["send"] = async (...[attempt, from]) => {
    const answer = await this.inner.send(attempt, from);
    const tape = from && this.tapes.get(from);
    if (tape) {
      const { body, bodyDecides } = attempt as Parameters<typeof attemptDelivery>[0];
      const [at, w] = [this.next(), this.wall.nowMs()];
      const kept = bodyDecides ? answer : withoutBody(answer);
      this.room.keep(tape, { kind: "attempt", world: tape.name, at, w, body, answer: kept });
    }
    return answer;
  };

  serve(request: HttpRequest, answer: Answer): MaybePromise<WholeReply> {
    const path = controlPath(request.url);
    if (path === RECORDS) return this.inner.serve(request, answer);
    if (path !== undefined && READS_RECORDING.test(path)) return answer(request);
    const entry: Entry = { path };
    tapRequest(request, {
      find: (of, check) => {
        entry.notes ??= new FactNotes();
        return entry.notes.find(of, check);
      },
      body: (bytes) => {
        entry.body = bytes;
      },
      begin: () => {
        entry.w = this.wall.nowMs();
        entry.at = this.next();
      },
      worked: () => {
        entry.worked = this.next();
      },
      end: (world, { requestId, wallMs }) => {
        entry.id = requestId;
        entry.e = wallMs;
        entry.tape = this.tapes.get(world);
      },
    });
    return andThen(this.inner.serve(request, answer), (whole) => {
      this.note(request, entry, whole);
      return whole;
    });
  }

  async advancing<Report>(span: string, advance: () => Promise<Report>): Promise<Report> {
    const [at, w] = [this.next(), this.wall.nowMs()];
    try {
      return await this.inner.advancing(span, advance);
    } finally {
      const tape = this.worlds && this.tapes.get(this.worlds.starting);
      const [done, e] = [this.next(), this.wall.nowMs()];
      if (tape) this.room.keep(tape, { kind: "advance", world: tape.name, at, done, w, e, span });
    }
  }

  watch(world: Parameters<Boundary["watch"]>[0], origin?: object) {
    this.inner.watch(world, origin);
    // The default world begins once it has been opened.
    if (origin) this.begin(world as RunningWorld, origin as RunningWorld);
  }

  joined(worlds: object) {
    this.inner.joined(worlds);
    this.worlds = worlds as WorldsOfProcess;
    this.begin(this.worlds.starting);
  }

  drawn(what: DrawnKind, draw: () => string, world?: object) {
    const value = this.inner.drawn(what, draw, world);
    const tape = world && this.tapes.get(world);
    if (tape)
      this.room.keep(tape, { kind: "drawn", world: tape.name, at: this.next(), what, value });
    return value;
  }

  keysFrom(own: IdTokenKeys): IdTokenKeys {
    return this.inner.keysFrom(own);
  }

  listening(url: string) {
    this.inner.listening(url);
  }

  origin() {
    return this.inner.origin();
  }

  answered(body: Buffer, answer: AttemptAnswer) {
    this.inner.answered(body, answer);
  }

  found(world: OpenWorld) {
    this.inner.found(world);
  }

  closing() {
    this.inner.closing();
  }

  private begin(world: RunningWorld, origin?: RunningWorld) {
    const starting = this.worlds?.starting;
    const isOfStarting = origin === undefined || origin === starting;
    const tape = new WorldTape(birthOf(world), {
      starting: origin && starting && this.startingNow(starting),
      parent: isOfStarting ? undefined : this.tapes.get(origin),
      w: this.wall.nowMs(),
      webhooks: () => lastWebhooks(world.engine.state),
      // One that storage keeps is read from there: it may share nothing with its origin.
      base: this.baseBytes(new Set([world.isKept || !origin ? world : origin, starting ?? world])),
    });
    this.tapes.set(world, tape);
    this.room.add(tape);
    world.engine.listeners.add({ changed: (change) => this.noteChange(tape, change) });
    world.closing.addEventListener("abort", () => tape.end(), { once: true });
  }

  /**
   * Bytes of what a beginning may be the last to have, once the worlds that it was made of have
   * gone on. All beginnings of one branch share what did not change in between.
   */
  private baseBytes(origins: Iterable<RunningWorld>) {
    let records = 0;
    for (const origin of origins) {
      const { state } = origin.engine;
      const before = this.counted.get(origin);
      this.counted.set(origin, { branch: state.branch, seq: state.seq });
      const isSame = before?.branch === state.branch;
      records += isSame ? state.seq - before.seq : state.recordCount();
    }
    return Math.min(TAPE.baseBytes + records * PINNED_BYTES, TAPE.maxBaseBytes);
  }

  private startingNow(world: RunningWorld): TapedFork {
    const { state } = world.engine;
    const known = this.starting;
    if (known?.state.seq === state.seq && known.state.branch === state.branch) return known;
    this.starting = birthOf(world);
    return this.starting;
  }

  private noteChange(tape: WorldTape, change: Change) {
    if (change.clock) tape.clockReadingMs = this.wall.nowMs();
    const at = this.next();
    this.room.keep(tape, { kind: "change", world: tape.name, at, change });
  }

  private note(request: HttpRequest, entry: Entry, whole: WholeReply) {
    const { tape, id, at, worked, w, notes, body, path } = entry;
    if (!tape || id === undefined) return;
    const { method, url, headers } = request;
    const kept = this.tapeOf(tape, { method, path, whole });
    if (!kept) return;
    const ended = entry.e ?? this.wall.nowMs();
    const e = path === undefined ? ended : (tape.clockReadingMs ?? ended);
    tape.clockReadingMs = undefined;
    const { status, headers: sent, text, brand } = whole;
    const call: TapedCall = {
      kind: "call",
      world: tape.name,
      at: at ?? this.next(),
      done: this.next(),
      w: w ?? e,
      ...{ e, id, method, url, headers: [...headers] },
      hasBody: request.body !== null,
      facts: notes?.facts ?? [],
      // The server adds to them for its connection.
      reply: { status, headers: { ...sent } },
    };
    if (worked !== undefined) call.worked = worked;
    if (body !== undefined) call.body = body;
    if (text !== undefined) call.reply.text = text;
    if (brand !== undefined) call.reply.brand = brand;
    this.room.keep(kept, call);
  }

  /**
   * The tape that a call belongs to: that of its world; for one that makes or removes a fork, that
   * of the fork's origin, whose replay has to repeat it.
   */
  private tapeOf(
    tape: WorldTape,
    { method, path, whole }: { method: string; path: string | undefined; whole: WholeReply },
  ): WorldTape | undefined {
    if (path === undefined) return tape;
    if (method === "POST" && path === WORLDS && whole.status === 201) {
      const { name } = JSON.parse(whole.text ?? "{}") as { name?: string };
      return this.room.get(name ?? "")?.parent ?? tape;
    }
    const [, removed = ""] = (method === "DELETE" && REMOVED.exec(path)) || [];
    const removedTape = this.room.get(decoded(removed));
    return removedTape ? removedTape.parent : tape;
  }

  private next() {
    this.moments += 1;
    return this.moments;
  }
}

const withoutBody = ({ body: _unread, ...answer }: AttemptAnswer): AttemptAnswer => answer;

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path of a call of the control surface; nothing for one of the platform. */
const controlPath = (url: string): string | undefined => {
  if (!url.includes(CONTROL_BASE)) return undefined;
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return path.startsWith(`${CONTROL_BASE}/`) ? path : undefined;
};

/** A world as it stands now, at a cost that does not grow with it. */
const birthOf = (world: RunningWorld): TapedFork => ({
  name: world.name,
  state: world.engine.state.fork(),
  identity: world.world.kept.now,
  clientId: world.clientId,
  start: world.world.start,
  requests: world.reports instanceof OwnReports ? world.reports.count : 0,
  latestMs: world.engine.clock.now(),
  counts: world.faults.image(),
});
