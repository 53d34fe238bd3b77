import { type ControlClient, type ControlReply, NotReachable } from "../control/client.ts";
import type { ReadEvent } from "../control/feed/event-reader.ts";
import type { Link } from "./world.ts";

/** Events are batched for this long after a silence, real milliseconds. */
const GATHER_MS = 100;
/** The same under steady load: nobody reads faster. */
const BUSY_GATHER_MS = 1_000;

/** Waits between tries, real milliseconds. */
const BACKOFF_MS = [250, 1000, 2000, 5000] as const;

/** Callbacks of a link. */
export interface LinkListener {
  heard(events: readonly ReadEvent[]): void;
  linked(link: Partial<Link> & Pick<Link, "state">): void;
  /** The simulator answers, but no longer has the world. */
  worldGone(): void;
}

const isWithoutWorld = (reply: ControlReply | undefined) =>
  (reply?.body as { error?: { code?: string } } | undefined)?.error?.code === "WORLD_NOT_FOUND";

/** Follows the feed of a simulator until it is closed, and reconnects as often as needed. */
export class FeedLink {
  private readonly client: ControlClient;
  private readonly listener: LinkListener;
  private readonly closing = new AbortController();
  private gathered: ReadEvent[] = [];
  private gathering: NodeJS.Timeout | undefined;
  private flushedMs = 0;
  private newestId: string | undefined;
  private tries = 0;
  private endWait: (() => void) | undefined;

  constructor(client: ControlClient, listener: LinkListener) {
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
      const failure = await this.client.follow("/events?rows=true", onEvent, from);
      if (isWithoutWorld(failure)) this.listener.worldGone();
      else if (failure) this.listener.linked({ state: "lost" });
      return isMissing && !failure;
    } catch (error) {
      if (!(error instanceof NotReachable)) throw error;
      return false;
    } finally {
      this.flush();
    }
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
    const isBusy = performance.now() - this.flushedMs < 2 * BUSY_GATHER_MS;
    this.gathering = setTimeout(() => this.flush(), isBusy ? BUSY_GATHER_MS : GATHER_MS);
  }

  private flush() {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    const events = this.gathered;
    if (events.length === 0 || this.closing.signal.aborted) return;
    this.gathered = [];
    this.flushedMs = performance.now();
    this.listener.heard(events);
  }
}
