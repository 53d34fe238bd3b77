import { canonicalText } from "../capsules/canonical-names.ts";
import type {
  AdvanceLine,
  AttemptLine,
  CapsuleLine,
  CapsuleReply,
  ChangeLine,
  OriginLine,
  RequestLine,
  WorldLine,
} from "../capsules/capsule-lines.ts";
import { FACTS_SINCE } from "../capsules/capsule-lines.ts";
import { firstChangeDifference } from "../capsules/change-digests.ts";
import { type ReplyDifference, replyDifference } from "../capsules/difference.ts";
import { answersFrom } from "../capsules/facts.ts";
import { contractDigest } from "../capsules/line-maker.ts";
import { type Capsule, UnreadableCapsule } from "../capsules/read-capsule.ts";
import { headerOf, keptText } from "../capsules/secrets.ts";
import { tapRequest } from "../http/message/tapped-request.ts";
import { hostTime, nextTurn } from "../machine/host-time.ts";
import { recordedOptions } from "../options/simulator-options.ts";
import type { AttemptAnswer } from "../runtime/ports.ts";
import { createSimulator, type LocalSimulator, OptionError, TimersFaked } from "../simulator.ts";
import { withBoundary } from "../worlds/boundary.ts";
import { ReplayBoundary } from "./replay-boundary.ts";

/** The place at which a replay went another way than the recorded run. */
export interface Divergence extends ReplyDifference {
  /** The request's id and its entry of the capsule: `req-1-12 (entry 14)`. */
  request?: string;
  /** Method and path: `POST /quotes`. */
  asks?: string;
  /** Simulated instant of the recorded reply. */
  instant?: string;
  /** True when other requests were under way beside it, whose order may have been another. */
  overlaps?: true;
}

/** The outcome of a replay. */
export interface ReplayReport {
  requests: number;
  divergence?: Divergence;
  /** Set when it stopped before the request that was named. */
  stoppedBefore?: string;
}

/** Turns of the event loop after which the effects of an entry are done. */
const SETTLE_TURNS = 12;
/** Most turns until the simulator begins a webhook attempt whose answer the capsule has. */
const MOST_TURNS_TO_ATTEMPT = 500;
/** Longest wait for one reply, wall milliseconds. */
const REPLY_TIMEOUT_MS = 15_000;

const ADVANCE = /\/_sim\/clock\/advance(\?|$)/;

type ReplayedLine = RequestLine | AdvanceLine | AttemptLine | OriginLine;

const isReplayed = (line: CapsuleLine): line is ReplayedLine =>
  ["request", "control", "advance", "attempt", "origin"].includes(line.t);

const isRequest = (line: CapsuleLine): line is RequestLine =>
  line.t === "request" || line.t === "control";

/** A request that is under way. */
interface Open {
  line: RequestLine;
  reply: Promise<CapsuleReply | undefined>;
}

/** Warns that a capsule was written for another contract than this program's. */
export const contractNote = ({ head }: Capsule): string | undefined =>
  head.contract === contractDigest()
    ? undefined
    : `the capsule was written for another contract (service-sim ${head.program}): replies may differ because of that`;

/**
 * Repeats what a capsule holds. A request's entry is written when its reply is made (`n`), but
 * requests are repeated in the order in which they changed the world (`at`). One may begin long
 * before the entry that holds its reply. `w` and `e` are the system clock as it began and ended.
 */
export class Replay {
  readonly sim: LocalSimulator;
  private readonly capsule: Capsule;
  private readonly boundary: ReplayBoundary;
  private readonly open = new Set<Open>();
  /** Calls of `sim.advance()` that have not ended. */
  private readonly advancing = new Set<{ line: AdvanceLine; done: Promise<"done"> }>();
  private readonly left: ReplayedLine[];
  private requests = 0;

  private constructor(sim: LocalSimulator, capsule: Capsule, boundary: ReplayBoundary) {
    this.sim = sim;
    this.capsule = capsule;
    this.boundary = boundary;
    this.left = capsule.lines.filter(isReplayed).sort((a, b) => a.at - b.at || a.n - b.n);
  }

  /**
   * Opens the simulator that the capsule describes.
   * @throws UnreadableCapsule when its worlds cannot be opened, OptionError
   */
  static async open(capsule: Capsule): Promise<Replay> {
    const { head, lines } = capsule;
    const boundary = new ReplayBoundary(capsule);
    const { fixture } = head;
    const first = lines.find((line): line is WorldLine => line.t === "world");
    const options = {
      // The file may be a stranger's: options that name folders, addresses or files are left out.
      ...recordedOptions(head.options),
      ...(fixture !== undefined && { fixture }),
      ...(first && { clientSecret: first.image.clientSecret }),
    };
    const sim = await createSimulator(withBoundary(options as object, boundary)).catch((error) => {
      if (error instanceof OptionError || error instanceof TimersFaked) throw error;
      // The engine's own errors mean a malformed file, and say nothing to a person.
      const isReadable =
        error instanceof Error && !/^(Type|Range|Reference|Syntax)Error$/.test(error.name);
      const reason = isReadable ? error.message : "its members do not match";
      throw new UnreadableCapsule(`the worlds of the capsule cannot be opened: ${reason}`);
    });
    return new Replay(sim, capsule, boundary);
  }

  /**
   * Repeats the lines up to the first difference.
   * @param until number or id of a request; the replay stops before it
   */
  async run(until?: string): Promise<ReplayReport> {
    for (let line = this.left.shift(); line; line = this.left.shift()) {
      if (until !== undefined && isNamed(line, until)) {
        this.boundary.goLive();
        return { requests: this.requests, stoppedBefore: until };
      }
      const divergence = (await this.feed(line)) ?? (await this.compareRepliesDue(line));
      if (divergence) return { requests: this.requests, divergence };
    }
    const divergence = this.changeDifference();
    return { requests: this.requests, ...(divergence && { divergence }) };
  }

  private async feed(line: ReplayedLine): Promise<Divergence | undefined> {
    if (line.t === "origin") this.boundary.standAt(line.url);
    else if (line.t === "attempt") return this.answerAttempt(line);
    else if (line.t === "advance") await this.advance(line);
    else await this.ask(line);
    return undefined;
  }

  private async advance(line: AdvanceLine) {
    this.boundary.wall.stand(line.w);
    // A refused span, and a clock that stopped, were so when it was recorded too.
    const done = this.sim.advance(line.span).then(
      () => "done" as const,
      () => "done" as const,
    );
    this.advancing.add({ line, done });
    await settled();
  }

  private async ask(line: RequestLine) {
    this.requests += 1;
    this.boundary.wall.stand(line.w);
    const { unread, caller } = line;
    const own = { clientSecret: this.sim.clientSecret, controlToken: this.sim.controlToken };
    const headers = headersIn(line);
    if (caller) headers.set("authorization", headerOf(caller, own));
    // The simulator reads none of a body that is announced to be too long.
    if (unread !== undefined) headers.set("content-length", String(unread));
    const request = requestOf(line, headers);
    tapRequest(request, {
      ...(line.id !== undefined && { id: line.id }),
      ...(this.hasCheckResults && { find: answersFrom(line.facts ?? []) }),
      begin: () => void hostTime.setImmediate(() => this.boundary.wall.stand(line.e)),
    });
    this.open.add({ line, reply: this.replyOf(request) });
    await settled();
  }

  /**
   * True when entries hold the results of signature and credential checks, as the secrets were left
   * out; otherwise the checks run again.
   */
  private get hasCheckResults() {
    const { capsule, secrets } = this.capsule.head;
    return capsule >= FACTS_SINCE && secrets === "placeholders";
  }

  private async replyOf(request: Request): Promise<CapsuleReply | undefined> {
    // Where a fault switch drops the reply, `fetch` throws; the boundary has kept it before.
    await this.sim.fetch(request).catch(() => undefined);
    const reply = this.boundary.replyTo(request);
    if (!reply) return undefined;
    const { status, headers } = reply;
    const text = canonicalText(reply);
    if (text === undefined || !/json|text\/plain/.test(headers["content-type"] ?? "")) {
      await reply.stream?.cancel();
      return { status, headers };
    }
    const withSecrets = this.capsule.head.secrets === "included";
    return { status, headers, ...keptText(text, { withSecrets }) };
  }

  private async answerAttempt(line: AttemptLine): Promise<Divergence | undefined> {
    const advancing = [...this.open].find(({ line: one }) => ADVANCE.test(pathOf(one)));
    this.boundary.wall.stand(advancing?.line.e ?? line.w);
    const answer = line.answer as unknown as AttemptAnswer;
    for (let turns = 0; turns < MOST_TURNS_TO_ATTEMPT; turns += 1) {
      this.boundary.wake();
      if (this.boundary.answer(line.event, answer)) {
        await settled();
        return undefined;
      }
      await nextTurn();
    }
    const recorded = `an attempt of ${line.event}`;
    return { where: "webhook", recorded, found: "none", ...this.placeOf(this.newest()) };
  }

  /** Compares the replies of all requests that were answered before the next entry. */
  private async compareRepliesDue(last: ReplayedLine): Promise<Divergence | undefined> {
    const next = Math.min(...this.left.map(({ n }) => n));
    const ended = [...this.open].filter(({ line }) => line.n < next);
    for (const advance of this.advancing)
      if (advance.line.n < next) {
        await withinTime(advance.done);
        this.advancing.delete(advance);
        await settled();
      }
    for (const call of ended.sort((a, b) => a.line.n - b.line.n)) {
      const reply = await withinTime(call.reply);
      this.open.delete(call);
      const divergence = this.compared(call.line, reply);
      if (divergence)
        return { ...divergence, ...(call.line.n !== last.n && { overlaps: true as const }) };
      await settled();
    }
    return undefined;
  }

  private compared(line: RequestLine, reply: CapsuleReply | undefined): Divergence | undefined {
    if (!reply)
      return { where: "reply", recorded: "a reply", found: "none", ...this.placeOf(line) };
    const isControl = line.t === "control";
    const difference = replyDifference(line.reply, reply, {
      withDate: !isControl,
      withBody: !isControl || line.method !== "GET",
    });
    return difference && { ...difference, ...this.placeOf(line) };
  }

  private changeDifference(): Divergence | undefined {
    const lines = this.capsule.lines.filter((line): line is ChangeLine => line.t === "change");
    const { changes } = this.boundary;
    const { cutAfter, left } = this.capsule;
    const isCut = cutAfter !== undefined || left !== undefined;
    return firstChangeDifference(lines, changes, { isCut });
  }

  private newest() {
    return [...this.open].at(-1)?.line;
  }

  private placeOf(line: RequestLine | undefined) {
    if (!line) return {};
    const { date } = line.reply.headers;
    return {
      request: line.id === undefined ? `entry ${line.n}` : `${line.id} (entry ${line.n})`,
      asks: `${line.method} ${pathOf(line)}`,
      ...(date !== undefined && { instant: new Date(date).toISOString() }),
    };
  }
}

/** Makes something of an entry; the recorder writes none of which this fails. */
const usable = <Value>({ n }: RequestLine, make: () => Value): Value => {
  try {
    return make();
  } catch (error) {
    const { message } = error as Error;
    throw new UnreadableCapsule(`the capsule has no repeatable call in line ${n + 1}: ${message}`);
  }
};

const headersIn = (line: RequestLine) => usable(line, () => new Headers(line.headers));

const requestOf = (line: RequestLine, headers: Headers) => {
  const { method, url, body } = line;
  const bytes = body === undefined ? undefined : Buffer.from(body, "base64");
  return usable(
    line,
    () => new Request(url, { method, headers, ...(bytes && { body: new Uint8Array(bytes) }) }),
  );
};

const pathOf = ({ url }: RequestLine) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const isNamed = (line: ReplayedLine, until: string) =>
  isRequest(line) && (line.id === until || String(line.n) === until);

/** Waits for all effects but those that wait for a timer or an answer. */
const settled = async () => {
  for (let turns = 0; turns < SETTLE_TURNS; turns += 1) await nextTurn();
};

const withinTime = <Value>(value: Promise<Value>): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = hostTime.setTimeout(() => resolve(undefined), REPLY_TIMEOUT_MS);
  });
  return Promise.race([value, late]).finally(() => hostTime.clearTimeout(timer));
};
