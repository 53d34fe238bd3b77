/** Limits on attempts under way (spec/webhooks.md#attempt-limits). */
export const ATTEMPT_LIMITS = {
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

/** An attempt in flight. */
export interface AttemptInFlight {
  /** Name in reports: the delivery's id and the number of the attempt. */
  name: string;
  /** The lane of the attempt; a redelivery by hand has none and counts in no limit. */
  lane?: string;
  /** True for an event's first attempt, which the lane's next one waits for. */
  isFirst?: boolean;
  /** Aborts the attempt. */
  cutOff?: () => void;
}

/** A world among those that share the limits of a process. */
export interface Tenant {
  /** Called when a place is reserved for it. */
  wake(): void;
  /** Slow attempts that it has in flight. */
  slowCount(): number;
  /** Aborts its oldest slow attempt. */
  cutOldest(): void;
}

/**
 * Limits the attempts of all worlds of a process. At the limit worlds queue; each place that becomes
 * free is reserved for the first of them (spec/webhooks.md#attempt-limits).
 */
export class ProcessLimiter {
  private quick = 0;
  private slow = 0;
  private readonly queue = new Set<Tenant>();
  /** Places reserved for worlds that were woken. */
  private readonly reserved = new Map<Tenant, number>();
  private reservedCount = 0;
  private readonly tenants = new Set<Tenant>();

  add(tenant: Tenant) {
    this.tenants.add(tenant);
  }

  /** Lets a world begin another quick attempt, or has it queue for a place. */
  mayBegin(tenant: Tenant) {
    if (this.reserved.has(tenant)) return true;
    if (this.queue.size === 0 && this.isFree()) return true;
    this.queue.add(tenant);
    return false;
  }

  /** Counts quick attempts of a world that began or ended. */
  countQuick(by: number, tenant: Tenant) {
    this.quick += by;
    if (by > 0) this.useReserved(tenant, 1);
    else this.wakeNext();
  }

  /** Counts slow attempts; the world with the most loses its oldest when there are too many. */
  countSlow(by: number) {
    this.slow += by;
    if (this.slow <= ATTEMPT_LIMITS.slowInAll) return;
    let most: Tenant | undefined;
    for (const one of this.tenants) if (!most || one.slowCount() > most.slowCount()) most = one;
    most?.cutOldest();
  }

  /** Releases the places that were reserved for a world and that it did not use. */
  release(tenant: Tenant) {
    this.useReserved(tenant, Number.POSITIVE_INFINITY);
    this.wakeNext();
  }

  /** Takes a world that closes out of the queue. */
  leaveQueue(tenant: Tenant) {
    this.queue.delete(tenant);
    this.release(tenant);
  }

  /** Forgets a world for good. */
  remove(tenant: Tenant) {
    this.leaveQueue(tenant);
    this.tenants.delete(tenant);
  }

  private isFree() {
    return this.quick + this.reservedCount < ATTEMPT_LIMITS.inAll;
  }

  private useReserved(tenant: Tenant, most: number) {
    const reserved = this.reserved.get(tenant) ?? 0;
    const by = Math.min(reserved, most);
    this.reservedCount -= by;
    if (reserved > by) this.reserved.set(tenant, reserved - by);
    else this.reserved.delete(tenant);
  }

  private wakeNext() {
    while (this.isFree()) {
      const [first] = this.queue;
      if (!first) return;
      this.queue.delete(first);
      this.reserved.set(first, (this.reserved.get(first) ?? 0) + 1);
      this.reservedCount += 1;
      first.wake();
    }
  }
}

type CountedAttempt = AttemptInFlight & { isSlow: boolean };

/**
 * Limits the attempts of one world, by delivery. An unanswered attempt counts as a quick one until it
 * is slow; then its lane has the slow limit only. So hanging receivers delay healthy lanes only until
 * they are recognized.
 */
export class AttemptLimiter {
  private readonly inFlight = new Map<string, CountedAttempt>();
  private readonly retriesByLane = new Map<string, number>();
  private readonly firsts = new Set<string>();
  private readonly slowLanes = new Set<string>();
  private quick = 0;
  private slow = 0;
  private readonly process: ProcessLimiter;
  private readonly tenant: Tenant;

  /** @param parts.wake called when a place is reserved for this world */
  constructor({ shared, wake }: { shared: ProcessLimiter; wake: () => void }) {
    this.process = shared;
    this.tenant = {
      wake,
      slowCount: () => this.slow,
      cutOldest: () => this.oldestSlow()?.cutOff?.(),
    };
    shared.add(this.tenant);
  }

  has(key: string) {
    return this.inFlight.has(key);
  }

  names(): ReadonlySet<string> {
    return new Set([...this.inFlight.values()].map(({ name }) => name));
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
    return (this.retriesByLane.get(lane) ?? 0) < ATTEMPT_LIMITS.retriesPerLane;
  }

  /** Whether another quick attempt, or another slow one, may begin. */
  mayBegin({ isSlow }: { isSlow: boolean }) {
    if (isSlow) return this.slow < ATTEMPT_LIMITS.slow;
    return this.quick < ATTEMPT_LIMITS.perWorld && this.process.mayBegin(this.tenant);
  }

  /** Releases the places that were reserved for this world and that it does not use. */
  release() {
    this.process.release(this.tenant);
  }

  begin(key: string, flight: AttemptInFlight) {
    const { lane, isFirst } = flight;
    const counted = { ...flight, isSlow: lane !== undefined && this.isSlow(lane) };
    this.inFlight.set(key, counted);
    if (lane === undefined) return;
    if (isFirst) this.firsts.add(lane);
    else this.countRetry(lane, 1);
    this.count(counted, 1);
  }

  /** Counts an unanswered attempt as a slow one. */
  becomeSlow(key: string) {
    const flight = this.inFlight.get(key);
    if (flight?.lane === undefined) return;
    this.rememberSlow(flight.lane);
    if (flight.isSlow) return;
    this.count(flight, -1);
    flight.isSlow = true;
    this.count(flight, 1);
  }

  private oldestSlow(): CountedAttempt | undefined {
    for (const flight of this.inFlight.values()) if (flight.isSlow) return flight;
    return undefined;
  }

  /**
   * Ends an attempt.
   * @param wasQuick the answer came in time, so the lane is no longer slow
   */
  end(key: string, { wasQuick }: { wasQuick: boolean }) {
    const flight = this.inFlight.get(key);
    if (!flight) return;
    this.inFlight.delete(key);
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
    for (const counted of [this.inFlight, this.retriesByLane, this.firsts, this.slowLanes])
      counted.clear();
    this.process.leaveQueue(this.tenant);
    this.process.countQuick(-quick, this.tenant);
    this.process.countSlow(-slow);
  }

  /** Ends all attempts for good. */
  close() {
    this.clear();
    this.process.remove(this.tenant);
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
    if (this.slowLanes.size > ATTEMPT_LIMITS.slowLanes && oldest !== undefined)
      this.slowLanes.delete(oldest);
  }

  private count({ isSlow }: CountedAttempt, by: 1 | -1) {
    if (isSlow) {
      this.slow += by;
      this.process.countSlow(by);
    } else {
      this.quick += by;
      this.process.countQuick(by, this.tenant);
    }
  }
}
