import type { Change } from "../change.ts";
import type { WorldState } from "../world-state.ts";
import { upgradedChange } from "./format-upgrade.ts";
import type { PastPoint } from "./kept-points.ts";

/** Applies changes up to a point, a group of the journal whole or not at all. */
export class UntilPoint {
  readonly state: WorldState;
  private readonly point: PastPoint;
  private readonly group: Change[] = [];
  private isPast = false;

  constructor(state: WorldState, point: PastPoint) {
    this.state = state;
    this.point = point;
  }

  take(change: Change) {
    if (this.isPast || change.seq <= this.state.seq) return;
    this.group.push(change);
    if (change.upTo !== undefined && change.upTo > change.seq) return;
    this.isPast = isAfter(change, this.point);
    if (this.isPast) return;
    for (const one of this.group.splice(0)) this.state.apply(upgradedChange(one));
  }
}

/** Whether a change comes after a point. */
export const isAfter = ({ seq, at }: { seq: number; at: number }, point: PastPoint) =>
  "seq" in point ? seq > point.seq : at > point.atMs;
