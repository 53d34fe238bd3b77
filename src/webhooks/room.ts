/** Limits on the attempts under way at once in one world. */
export const ROOM = {
  /** Quick attempts to one host. */
  perHost: 64,
  /** Attempts begun in lanes that are known to be slow. */
  slow: 64,
  /** Retries of one lane, beside its one first attempt. */
  retriesPerLane: 3,
  /** Slow attempts under way; beyond, the oldest is cut off: sockets are not endless. */
  slowInAll: 2_000,
  /** An attempt without an answer after so much wall time is slow, and so is its lane. */
  slowAfterMs: 250,
  /** Lanes remembered as slow. */
  slowLanes: 10_000,
} as const;

/** An attempt under way. */
export interface Flight {
  /** Name in reports: the delivery's id and the number of the attempt. */
  name: string;
  host: string;
  /** The lane it counts in; a redelivery by hand has none and counts nowhere. */
  lane?: string;
  /** The first attempt of its event: the lane's next one waits for it. */
  isFirst?: boolean;
  /** Ends the attempt without an answer. */
  cutOff?: () => void;
}

type Counted = Flight & { isSlow: boolean };

/**
 * The attempts under way, by delivery. A receiver that does not answer holds room of quick ones only
 * until its attempt counts as slow; from then on its lane begins attempts within the slow share. So
 * healthy lanes wait for hanging ones no longer than it takes to tell them apart.
 */
export class Room {
  private readonly flights = new Map<string, Counted>();
  private readonly retriesByLane = new Map<string, number>();
  private readonly quickByHost = new Map<string, number>();
  private readonly firsts = new Set<string>();
  private readonly slowLanes = new Set<string>();
  private slow = 0;

  has(key: string) {
    return this.flights.has(key);
  }

  names(): ReadonlySet<string> {
    return new Set([...this.flights.values()].map(({ name }) => name));
  }

  /** Whether the first attempt of an event of a lane is under way. */
  isFirstUnderWay(lane: string) {
    return this.firsts.has(lane);
  }

  isSlow(lane: string) {
    return this.slowLanes.has(lane);
  }

  /** Whether a lane may begin one more retry. */
  mayRetryIn(lane: string) {
    return (this.retriesByLane.get(lane) ?? 0) < ROOM.retriesPerLane;
  }

  /** Whether another quick attempt to a host may begin, or another slow one. */
  hasRoomFor({ host, isSlow }: { host: string; isSlow: boolean }) {
    return isSlow ? this.slow < ROOM.slow : (this.quickByHost.get(host) ?? 0) < ROOM.perHost;
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

  /** Takes an attempt that is still without an answer to the slow share. */
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

  /** @param wasQuick it was answered in time, so its lane is slow no longer */
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
    const quick = (this.quickByHost.get(host) ?? 0) + by;
    if (quick > 0) this.quickByHost.set(host, quick);
    else this.quickByHost.delete(host);
  }
}
