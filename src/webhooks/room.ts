/** Limits on attempts under way (spec/webhooks.md#attempt-limits). */
export const ROOM = {
  /** Quick attempts of all worlds of a process. */
  inAll: 256,
  /** Quick attempts of one world to one host. */
  perHost: 64,
  /** Attempts begun in slow lanes. */
  slow: 64,
  /** Retries of one lane, beside its first attempt. */
  retriesPerLane: 3,
  /** Slow attempts under way in all; past that the oldest is cut off, since sockets are limited. */
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
  host: string;
  /** The lane of the attempt; a redelivery by hand has none and counts in no limit. */
  lane?: string;
  /** True for an event's first attempt, which the lane's next one waits for. */
  isFirst?: boolean;
  /** Aborts the attempt. */
  cutOff?: () => void;
}

/**
 * Quick attempts of all worlds of a process. When there is no room, worlds that want some wait in
 * line; each place that comes free wakes the first.
 */
export class SharedRoom {
  private count = 0;
  private readonly line = new Set<() => void>();

  /** @param wake called when there may be room again, if there is none now */
  hasRoom(wake: () => void) {
    if (this.count < ROOM.inAll) return true;
    this.line.add(wake);
    return false;
  }

  change(by: number) {
    this.count += by;
    for (let free = -by; free > 0; free -= 1) this.wakeFirst();
  }

  /** Wakes the next in line while there is room: a world that was woken may not have taken it. */
  passOn() {
    if (this.count < ROOM.inAll) this.wakeFirst();
  }

  /** Takes a world that closes out of the line. */
  leave(wake: () => void) {
    this.line.delete(wake);
  }

  private wakeFirst() {
    const [first] = this.line;
    if (!first) return;
    this.line.delete(first);
    first();
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
  private readonly quickByHost = new Map<string, number>();
  private readonly firsts = new Set<string>();
  private readonly slowLanes = new Set<string>();
  private slow = 0;
  private readonly shared: SharedRoom;
  private readonly wake: () => void;

  /** @param parts.wake called when other worlds have made room */
  constructor({ shared, wake }: { shared: SharedRoom; wake: () => void }) {
    this.shared = shared;
    this.wake = wake;
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

  /** Whether another quick attempt to a host, or another slow one, may begin. */
  hasRoomFor({ host, isSlow }: { host: string; isSlow: boolean }) {
    if (isSlow) return this.slow < ROOM.slow;
    return (this.quickByHost.get(host) ?? 0) < ROOM.perHost && this.shared.hasRoom(this.wake);
  }

  /** Lets other worlds have the room that this one leaves. */
  passOn() {
    this.shared.passOn();
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
    if (this.slow > ROOM.slowInAll) this.oldestSlow()?.cutOff?.();
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
    let quick = 0;
    for (const count of this.quickByHost.values()) quick += count;
    this.shared.leave(this.wake);
    this.shared.change(-quick);
    this.shared.passOn();
    for (const counted of [
      this.flights,
      this.retriesByLane,
      this.quickByHost,
      this.firsts,
      this.slowLanes,
    ])
      counted.clear();
    this.slow = 0;
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

  private count({ host, isSlow }: Counted, by: 1 | -1) {
    if (isSlow) {
      this.slow += by;
      return;
    }
    this.shared.change(by);
    const quick = (this.quickByHost.get(host) ?? 0) + by;
    if (quick > 0) this.quickByHost.set(host, quick);
    else this.quickByHost.delete(host);
  }
}
