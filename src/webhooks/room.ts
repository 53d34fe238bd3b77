/** Limits on attempts under way (spec/webhooks.md#attempt-limits). */
export const ROOM = {
  /** Quick attempts of all worlds of a process. */
  inAll: 256,
  /** Quick attempts of one world. */
  perWorld: 64,
  /** Attempts begun in slow lanes. */
  slow: 64,
  /** Retries of one lane, beside its first attempt. */
  retriesPerLane: 3,
  /**
   * Slow attempts of all worlds under way; past that the world with the most loses its oldest, since
   * sockets are limited.
   */
  slowInAll: 2_000,
  /**
   * Wall milliseconds without an answer that make an attempt and its lane slow
   * (decisions/slow-lanes.md).
   */
  slowAfterMs: 250,
  /** Slow lanes that are remembered. */
  slowLanes: 10_000,
} as const;

/** An attempt under way. */
export interface Flight {
  /** Name in reports: the delivery's id and the number of the attempt. */
  name: string;
  /** The lane of the attempt; a redelivery by hand has none and counts in no limit. */
  lane?: string;
  /** True for an event's first attempt, which the lane's next one waits for. */
  isFirst?: boolean;
  /** Aborts the attempt. */
  cutOff?: () => void;
}

/** A world, as far as it shares the attempts of its process. */
export interface Sharer {
  /** Called when it is its turn. */
  wake(): void;
  /** Slow attempts that it has under way. */
  slowCount(): number;
  /** Aborts its oldest slow attempt. */
  cutOldest(): void;
}

/**
 * Attempts of all worlds of a process. When there is no room, worlds that want some wait in line;
 * each place that comes free is kept for the first of them (spec/webhooks.md#attempt-limits).
 */
export class SharedRoom {
  private count = 0;
  private slow = 0;
  private readonly line = new Set<Sharer>();
  /** Places kept for worlds whose turn it is. */
  private readonly kept = new Map<Sharer, number>();
  private keptCount = 0;
  private readonly sharers = new Set<Sharer>();

  join(sharer: Sharer) {
    this.sharers.add(sharer);
  }

  /** Whether a world may begin another quick attempt; it waits in line from now on if not. */
  hasRoom(sharer: Sharer) {
    if (this.kept.has(sharer)) return true;
    if (this.line.size === 0 && this.isFree()) return true;
    this.line.add(sharer);
    return false;
  }

  /** Counts quick attempts of a world that began or ended. */
  change(by: number, sharer: Sharer) {
    this.count += by;
    if (by > 0) this.unkeep(sharer, 1);
    else this.callNext();
  }

  /** Counts slow attempts; the world with the most loses its oldest when there are too many. */
  changeSlow(by: number) {
    this.slow += by;
    if (this.slow <= ROOM.slowInAll) return;
    let most: Sharer | undefined;
    for (const one of this.sharers) if (!most || one.slowCount() > most.slowCount()) most = one;
    most?.cutOldest();
  }

  /** Gives the places on that were kept for a world and that it did not take. */
  passOn(sharer: Sharer) {
    this.unkeep(sharer, Number.POSITIVE_INFINITY);
    this.callNext();
  }

  /** Takes a world that closes out of the line. */
  leave(sharer: Sharer) {
    this.line.delete(sharer);
    this.passOn(sharer);
  }

  /** Forgets a world for good. */
  part(sharer: Sharer) {
    this.leave(sharer);
    this.sharers.delete(sharer);
  }

  private isFree() {
    return this.count + this.keptCount < ROOM.inAll;
  }

  private unkeep(sharer: Sharer, most: number) {
    const kept = this.kept.get(sharer) ?? 0;
    const by = Math.min(kept, most);
    this.keptCount -= by;
    if (kept > by) this.kept.set(sharer, kept - by);
    else this.kept.delete(sharer);
  }

  private callNext() {
    while (this.isFree()) {
      const [first] = this.line;
      if (!first) return;
      this.line.delete(first);
      this.kept.set(first, (this.kept.get(first) ?? 0) + 1);
      this.keptCount += 1;
      first.wake();
    }
  }
}

type Counted = Flight & { isSlow: boolean };

/**
 * Attempts under way, by delivery. An unanswered attempt uses room of quick ones until it counts as
 * slow; then its lane has only the slow share. So hanging receivers delay healthy lanes only until
 * they are recognized.
 */
export class Room {
  private readonly flights = new Map<string, Counted>();
  private readonly retriesByLane = new Map<string, number>();
  private readonly firsts = new Set<string>();
  private readonly slowLanes = new Set<string>();
  private quick = 0;
  private slow = 0;
  private readonly shared: SharedRoom;
  private readonly sharer: Sharer;

  /** @param parts.wake called when other worlds have made room */
  constructor({ shared, wake }: { shared: SharedRoom; wake: () => void }) {
    this.shared = shared;
    this.sharer = {
      wake,
      slowCount: () => this.slow,
      cutOldest: () => this.oldestSlow()?.cutOff?.(),
    };
    shared.join(this.sharer);
  }

  has(key: string) {
    return this.flights.has(key);
  }

  names(): ReadonlySet<string> {
    return new Set([...this.flights.values()].map(({ name }) => name));
  }

  /** Whether a first attempt of a lane is under way. */
  isFirstUnderWay(lane: string) {
    return this.firsts.has(lane);
  }

  isSlow(lane: string) {
    return this.slowLanes.has(lane);
  }

  /** Whether a lane may begin another retry. */
  mayRetryIn(lane: string) {
    return (this.retriesByLane.get(lane) ?? 0) < ROOM.retriesPerLane;
  }

  /** Whether another quick attempt, or another slow one, may begin. */
  hasRoomFor({ isSlow }: { isSlow: boolean }) {
    if (isSlow) return this.slow < ROOM.slow;
    return this.quick < ROOM.perWorld && this.shared.hasRoom(this.sharer);
  }

  /** Lets other worlds have the room that this one leaves. */
  passOn() {
    this.shared.passOn(this.sharer);
  }

  begin(key: string, flight: Flight) {
    const { lane, isFirst } = flight;
    const counted = { ...flight, isSlow: lane !== undefined && this.isSlow(lane) };
    this.flights.set(key, counted);
    if (lane === undefined) return;
    if (isFirst) this.firsts.add(lane);
    else this.countRetry(lane, 1);
    this.count(counted, 1);
  }

  /** Moves an unanswered attempt to the slow share. */
  becomeSlow(key: string) {
    const flight = this.flights.get(key);
    if (flight?.lane === undefined) return;
    this.rememberSlow(flight.lane);
    if (flight.isSlow) return;
    this.count(flight, -1);
    flight.isSlow = true;
    this.count(flight, 1);
  }

  private oldestSlow(): Counted | undefined {
    for (const flight of this.flights.values()) if (flight.isSlow) return flight;
    return undefined;
  }

  /**
   * Ends an attempt.
   * @param wasQuick the answer came in time, so the lane is no longer slow
   */
  end(key: string, { wasQuick }: { wasQuick: boolean }) {
    const flight = this.flights.get(key);
    if (!flight) return;
    this.flights.delete(key);
    const { lane, isFirst } = flight;
    if (lane === undefined) return;
    this.count(flight, -1);
    if (isFirst) this.firsts.delete(lane);
    else this.countRetry(lane, -1);
    if (wasQuick) this.slowLanes.delete(lane);
  }

  clear() {
    const { quick, slow } = this;
    this.quick = 0;
    this.slow = 0;
    for (const counted of [this.flights, this.retriesByLane, this.firsts, this.slowLanes])
      counted.clear();
    this.shared.leave(this.sharer);
    this.shared.change(-quick, this.sharer);
    this.shared.changeSlow(-slow);
  }

  /** Gives up all room for good. */
  close() {
    this.clear();
    this.shared.part(this.sharer);
  }

  private countRetry(lane: string, by: 1 | -1) {
    const retries = (this.retriesByLane.get(lane) ?? 0) + by;
    if (retries > 0) this.retriesByLane.set(lane, retries);
    else this.retriesByLane.delete(lane);
  }

  private rememberSlow(lane: string) {
    this.slowLanes.delete(lane);
    this.slowLanes.add(lane);
    const [oldest] = this.slowLanes;
    if (this.slowLanes.size > ROOM.slowLanes && oldest !== undefined) this.slowLanes.delete(oldest);
  }

  private count({ isSlow }: Counted, by: 1 | -1) {
    if (isSlow) {
      this.slow += by;
      this.shared.changeSlow(by);
    } else {
      this.quick += by;
      this.shared.change(by, this.sharer);
    }
  }
}
