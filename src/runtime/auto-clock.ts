import { hostTime } from "../machine/host-time.ts";
import type { Advance } from "./advance.ts";
import type { Change } from "./change.ts";
import type { Engine } from "./engine.ts";
import { nextActingInstant, nextInstant } from "./next-instant.ts";
import type { Deliveries } from "./ports.ts";

/** Wall milliseconds in which attempts under way may end before a skip. */
const SETTLE_MS = 250;
/** Wall milliseconds that a skip waits for receivers at most. */
const BUDGET_MS = 5_000;
/** Wall milliseconds between two looks of a client that waits while nothing is due. */
const LOOK_MS = 20;
/** Reads that are remembered; past that all are forgotten, and each has to be asked twice again. */
const MAX_ASKED = 10_000;

/** Kinds whose changes no read of the platform shows. */
const UNSEEN: ReadonlySet<string> = new Set(["Delivery", "DeliveryEnd", "Event", "Timer"]);

/** Whether a read may have another answer after a change. */
const isTelling = ({ put = [], del = [], post = [], opens }: Change) =>
  opens !== undefined ||
  post.length > 0 ||
  put.some(([kind]) => !UNSEEN.has(kind)) ||
  del.some(([kind]) => !UNSEEN.has(kind));

interface Parts {
  engine: Engine;
  advance: Advance;
  deliveries: Deliveries;
}

/**
 * Moves a clock of mode `auto` to the next timer while a client waits (spec/clock.md#automatic). A
 * client waits that asks for what it was told already, or that waits for webhooks or mail.
 */
export class AutoClock {
  private readonly parts: Parts;
  /** Reads that were answered since the world last changed. */
  private readonly answeredReads = new Set<string>();

  constructor(parts: Parts) {
    this.parts = parts;
    parts.engine.listeners.add({
      // Nobody was told anything of another state.
      loaded: () => this.answeredReads.clear(),
      changed: (change) => {
        if (this.answeredReads.size > 0 && isTelling(change)) this.answeredReads.clear();
      },
    });
  }

  /** Forgets what clients were told: each read has to be asked twice again. */
  forget() {
    this.answeredReads.clear();
  }

  get isOn() {
    return this.parts.engine.clock.mode === "auto";
  }

  /**
   * Skips to the next timer before a read that would get the same answer again.
   * @param read caller, path and query
   */
  async beforeRead(read: string): Promise<void> {
    if (this.answeredReads.has(read) && (await this.settle()) && this.answeredReads.has(read))
      await this.moveTo(nextActingInstant(this.parts.engine.state));
    if (this.answeredReads.size >= MAX_ASKED) this.answeredReads.clear();
    this.answeredReads.add(read);
  }

  /** Skips to an instant that a client waits for; nothing happens when it has passed. */
  async skipTo(atMs: number): Promise<void> {
    if (atMs > this.parts.engine.clock.now() && (await this.settle())) await this.moveTo(atMs);
  }

  /** Skips from timer to timer, retries of webhooks included, while a client waits. */
  async whileWaiting(waits: () => boolean): Promise<void> {
    while (waits()) {
      const isMoved =
        this.isOn &&
        (await this.settle()) &&
        waits() &&
        (await this.moveTo(nextInstant(this.parts.engine.state)));
      if (!isMoved && waits())
        await new Promise<void>((resolve) => hostTime.setTimeout(resolve, LOOK_MS).unref());
    }
  }

  /** Sends what may be sent now; false while something else is under way. */
  private async settle(): Promise<boolean> {
    const { advance, deliveries, engine } = this.parts;
    if (advance.isUnderWay || !(await this.areAnswered())) return false;
    if (advance.isUnderWay) return false;
    if (deliveries.unsentCount() === 0) return true;
    const target = { toMs: engine.clock.now() };
    return (await advance.to({ target, budgetMs: BUDGET_MS })).complete;
  }

  /** Whether no attempt is under way, or all end soon: a receiver may be the one who asks. */
  private async areAnswered() {
    const { deliveries } = this.parts;
    const untilMs = hostTime.monotonicMs() + SETTLE_MS;
    while (deliveries.inFlight().size > 0) {
      const leftMs = untilMs - hostTime.monotonicMs();
      if (leftMs <= 0) return false;
      await new Promise<void>((resolve) => {
        const timeout = hostTime.setTimeout(resolve, leftMs).unref();
        void deliveries.nextEnd().then(() => {
          hostTime.clearTimeout(timeout);
          resolve();
        });
      });
    }
    return true;
  }

  /**
   * Moves the clock to an instant and waits for the webhooks caused there.
   * @returns false when it did not get there, as when storage fails: then nobody may try at once
   */
  private async moveTo(toMs: number | undefined): Promise<boolean> {
    const { advance } = this.parts;
    if (toMs === undefined || advance.isUnderWay) return false;
    const target = { toMs };
    return (await advance.to({ target, budgetMs: BUDGET_MS, called: "clock auto" })).complete;
  }
}
