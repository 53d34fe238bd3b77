import type { ControlReply } from "../client/control-client.ts";
import type { ReadEvent } from "../client/event-reader.ts";
import { NoAnswer } from "../client/send.ts";
import type { Link } from "./world.ts";

/** Events are batched for this long after a silence, real milliseconds. */
const GATHER_MS = 100;
/** The same under steady load: nobody reads faster. */
const BUSY_GATHER_MS = 1_000;

/** Waits between tries, real milliseconds. */
const BACKOFF_MS = [250, 1000, 2000, 5000] as const;

/** The source of a feed: `ControlClient`, or a browser's own. */
export interface FeedSource {
  /** Reads events until the stream ends; an error's reply resolves it, `NoAnswer` rejects it. */
  follow(
    path: string,
    onEvent: (event: ReadEvent) => void,
    from: { after?: string | undefined; signal: AbortSignal },
  ): Promise<ControlReply | undefined>;
}

/** Callbacks of a link. */
export interface LinkListener {
  received(events: readonly ReadEvent[]): void;
  linked(link: Partial<Link> & Pick<Link, "state">): void;
  /** The simulator answers, but no longer has the world. */
  worldGone(): void;
  /** Told of every other refusal too, by its code, where it is wanted. */
  refused?(code: string): void;
}

const codeOf = (reply: ControlReply) =>
  (reply.body as { error?: { code?: string } } | undefined)?.error?.code;

/** Follows the feed of a simulator until it is closed, and reconnects as often as needed. */
export class FeedLink {
  private readonly client: FeedSource;
  private readonly listener: LinkListener;
  private readonly closing = new AbortController();
  private gathered: ReadEvent[] = [];
  private gathering: ReturnType<typeof setTimeout> | undefined;
  private flushedMs = 0;
  private newestId: string | undefined;
  /** Id of the newest event that the listener has received: another link can continue there. */
  receivedId: string | undefined;
  private tries = 0;
  private endWait: (() => void) | undefined;
  private readonly busyGatherMs: number;
  private readonly path: string;

  /**
   * @param options.busyGatherMs how long events are batched under steady load
   * @param options.after id of the event after which to continue
   * @param options.first asks for the first rows of each list alone
   */
  constructor(
    client: FeedSource,
    listener: LinkListener,
    {
      busyGatherMs = BUSY_GATHER_MS,
      after,
      first = false,
    }: { busyGatherMs?: number; after?: string | undefined; first?: boolean } = {},
  ) {
    this.newestId = after;
    this.receivedId = after;
    this.busyGatherMs = busyGatherMs;
    this.path = `/events?rows=true${first ? "&first=true" : ""}`;
    this.client = client;
    this.listener = listener;
  }

  /** Runs until it is closed. */
  async run() {
    while (!this.closing.signal.aborted) {
      const wasMissing = await this.follow();
      if (this.closing.signal.aborted) return;
      if (wasMissing) continue;
      const waitMs = BACKOFF_MS[Math.min(this.tries, BACKOFF_MS.length - 1)] ?? 0;
      this.tries += 1;
      this.listener.linked({ state: "lost", nextTryMs: Date.now() + waitMs });
      await this.wait(waitMs);
    }
  }

  /** Reconnects without waiting. */
  retry() {
    this.endWait?.();
  }

  close() {
    this.closing.abort();
    this.gathered = [];
    clearTimeout(this.gathering);
    this.endWait?.();
  }

  /**
   * Reads the feed until it ends.
   * @returns whether the simulator cut off a slow reader, who then starts over at once
   */
  private async follow(): Promise<boolean> {
    let isMissing = false;
    const onEvent = (event: ReadEvent) => {
      this.tries = 0;
      isMissing = event.event === "start-over" && event.id === undefined;
      if (event.id !== undefined) this.newestId = event.id;
      if (isMissing) this.newestId = undefined;
      this.gather(event);
    };
    const from = { after: this.newestId, signal: this.closing.signal };
    try {
      const failure = await this.client.follow(this.path, onEvent, from);
      if (failure) this.failed(failure);
      return isMissing && !failure;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return false;
    } finally {
      this.flush();
    }
  }

  private failed(reply: ControlReply) {
    const code = codeOf(reply);
    if (code === "WORLD_NOT_FOUND") return this.listener.worldGone();
    this.listener.linked({ state: "lost" });
    if (code !== undefined) this.listener.refused?.(code);
  }

  private wait(ms: number) {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private gather(event: ReadEvent) {
    this.gathered.push(event);
    if (this.gathering !== undefined) return;
    // Nothing is shown before the snapshot event: it waits for no others.
    if (event.event === "hello") return this.flush();
    const isBusy = performance.now() - this.flushedMs < 2 * this.busyGatherMs;
    this.gathering = setTimeout(() => this.flush(), isBusy ? this.busyGatherMs : GATHER_MS);
  }

  private flush() {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    const events = this.gathered;
    if (events.length === 0 || this.closing.signal.aborted) return;
    this.gathered = [];
    this.receivedId = this.newestId;
    this.flushedMs = performance.now();
    this.listener.received(events);
  }
}
