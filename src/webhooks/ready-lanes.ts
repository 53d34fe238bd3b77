import type { DeliveryRecord } from "../domain/records/records.ts";
import { isRetryDue } from "../domain/webhooks/deliveries.ts";

type LaneDelivery = Pick<DeliveryRecord, "id" | "lane" | "state" | "nextAttemptAtMs">;

const NONE: ReadonlySet<string> = new Set();

/**
 * Lanes that may have something to send, in the order of their turns. Slow ones are kept apart,
 * since they have their own share of attempts. A lane without anything to send loses its turn.
 */
export class ReadyLanes {
  private readonly quick = new Set<string>();
  private readonly slow = new Set<string>();
  private readonly retries = new Map<string, Set<string>>();

  has(lane: string) {
    return this.quick.has(lane) || this.slow.has(lane);
  }

  /** Gives a delivery's lane a turn, and remembers the delivery when its retry is due. */
  add(delivery: LaneDelivery, { isSlow }: { isSlow: boolean }) {
    const { id, lane } = delivery;
    if (isRetryDue(delivery)) {
      const due = this.retries.get(lane);
      if (due) due.add(id);
      else this.retries.set(lane, new Set([id]));
    }
    this.addLane(lane, { isSlow });
  }

  addLane(lane: string, { isSlow }: { isSlow: boolean }) {
    (isSlow ? this.slow : this.quick).add(lane);
    (isSlow ? this.quick : this.slow).delete(lane);
  }

  /** Ends a lane's turn until something in the lane changes. */
  endTurn(lane: string) {
    this.quick.delete(lane);
    this.slow.delete(lane);
  }

  /** Lanes in the order of their turns; a lane's turn may end during the iteration. */
  lanes({ isSlow }: { isSlow: boolean }): Iterable<string> {
    return isSlow ? this.slow : this.quick;
  }

  /** Deliveries of a lane whose retries are due. */
  retriesOf(lane: string): ReadonlySet<string> {
    return this.retries.get(lane) ?? NONE;
  }

  /** Forgets a retry that is under way or no longer due. */
  forgetRetry(lane: string, id: string) {
    const due = this.retries.get(lane);
    due?.delete(id);
    if (due?.size === 0) this.retries.delete(lane);
  }

  clear() {
    this.quick.clear();
    this.slow.clear();
    this.retries.clear();
  }
}
