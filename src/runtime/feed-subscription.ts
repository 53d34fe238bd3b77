/** Kinds of feed events: `hello` comes first, `start-over` says that events were missed. */
export type FeedEvent =
  | "change"
  | "clock"
  | "delivery"
  | "hello"
  | "request"
  | "reset"
  | "rows"
  | "start-over"
  | "stopped"
  | "timer";

/** One event of the feed, as subscribers receive it. */
export interface FeedItem {
  /**
   * Absent for `start-over`, for calls of the control surface, and for `rows` where another event
   * of the same change carries it.
   */
  id?: string;
  event: FeedEvent;
  data: object;
}

/** Options of a subscription. */
export interface SubscribeOptions {
  /** Id of the last event seen. */
  after?: string | undefined;
  /** Sends rows too: all of them in the snapshot event, then each that changes. */
  rows?: boolean | undefined;
  /** Sends the first rows of each list alone in the snapshot event. */
  first?: boolean | undefined;
  /** Sends calls of the control surface too. */
  control?: boolean | undefined;
}

/** Items that may wait for one subscriber; a slower one is ended, and must start over. */
const MAX_WAITING = 1000;

/** Tells a subscriber that it has missed something. */
export const startOver = (why: string): FeedItem => ({
  event: "start-over",
  data: { why, from: "/_sim/status" },
});

/** A subscriber of the feed, with the items that wait for it. */
export class Subscription {
  private waiting: FeedItem[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  /** Whether the feed has ended for this subscriber. */
  get hasEnded() {
    return this.ended;
  }

  /** Whether the subscriber wants rows. */
  readonly wantsRows: boolean;
  /** Whether the subscriber wants calls of the control surface. */
  readonly wantsControl: boolean;
  private readonly onEnd: (subscription: Subscription) => void;

  constructor(onEnd: (subscription: Subscription) => void, { rows, control }: SubscribeOptions) {
    this.onEnd = onEnd;
    this.wantsRows = rows === true;
    this.wantsControl = control === true;
  }

  /** The next item once there is one; nothing when the feed has ended. */
  async next(): Promise<FeedItem | undefined> {
    while (this.waiting.length === 0 && !this.ended)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    return this.waiting.shift();
  }

  give(item: FeedItem) {
    if (this.ended) return;
    this.waiting.push(item);
    if (this.waiting.length > MAX_WAITING) {
      this.waiting = [startOver(`over ${MAX_WAITING} events were waiting to be read`)];
      this.end();
    }
    this.wake?.();
  }

  /** Ends the subscription; waiting items can still be read. */
  end() {
    this.ended = true;
    this.onEnd(this);
    this.wake?.();
  }

  /** Drops the subscription: its subscriber is gone. */
  cancel() {
    this.waiting = [];
    this.end();
  }
}
