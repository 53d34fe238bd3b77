import type { Change } from "../change.ts";
import type { WorldState } from "../world-state.ts";
import type { PastPoint } from "./restore-points.ts";

/**
 * Applies changes up to a point, a group of the journal whole or not at all. A new beginning brings
 * the clock back, so a point by instant may come again: the last time counts.
 */
export class UntilPoint {
  readonly state: WorldState;
  private readonly point: PastPoint;
  private readonly group: Change[] = [];
  private isPast = false;

  /** @param options.isPast the point was passed before the next change */
  constructor(state: WorldState, point: PastPoint, { isPast = false } = {}) {
    this.state = state;
    this.point = point;
    this.isPast = isPast;
  }

  take(change: Change) {
    if (change.opens && !isAfter(change, this.point)) this.beginAnew();
    if (this.isPast || change.seq <= this.state.seq) return;
    this.group.push(change);
    if (change.upTo !== undefined && change.upTo > change.seq) return;
    this.isPast = isAfter(change, this.point);
    if (this.isPast) return;
    for (const one of this.group.splice(0)) this.state.apply(one);
  }

  /** Continues from a change that drops everything before it. */
  private beginAnew() {
    this.isPast = false;
    this.group.length = 0;
  }
}

/** Whether a change comes after a point. */
export const isAfter = ({ seq, at }: { seq: number; at: number }, point: PastPoint) =>
  "seq" in point ? seq > point.seq : at > point.atMs;
