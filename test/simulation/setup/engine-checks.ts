import type { Kind } from "../../../src/domain/records/records.ts";
import { isOpen, KINDS, TABLES } from "../../../src/domain/records/tables.ts";
import { stateProblem } from "../../../src/domain/state-invariants.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import { must } from "./breach.ts";
import type { WatchedWorld } from "./simulated-process.ts";

const isLedgerAccount = (account: string) => account.startsWith("Ledger:");

/** The ledger sums to zero, equals the balances, and no account of a customer is below zero. */
const checkLedger = (state: WorldState) => {
  const sums = new Map<string, bigint>();
  const booked = new Map<string, bigint>();
  for (const { account, currency, amountMinor } of state.postings.slice()) {
    const name = `${account} ${currency}`;
    booked.set(name, (booked.get(name) ?? 0n) + amountMinor);
  }
  for (const { account, currency, minor } of state.allBalances()) {
    sums.set(currency, (sums.get(currency) ?? 0n) + minor);
    must(minor >= 0n || isLedgerAccount(account), () => `${account} holds ${minor} ${currency}`);
    const name = `${account} ${currency}`;
    must(
      booked.get(name) === minor,
      () => `${name} is ${minor}, and its postings ${booked.get(name)}`,
    );
  }
  for (const [currency, sum] of sums)
    must(sum === 0n, () => `the ledger has ${sum} ${currency} from nowhere`);
};

/** Every open delivery has a next step, and a lane sends its oldest event first. */
const checkDeliveries = (
  { engine, deliveries }: WatchedWorld,
  bounds: { open: number; ended: number },
) => {
  const { state } = engine;
  const stranded = deliveries.stranded();
  must(stranded.length === 0, () => `nothing would send ${stranded.join(", ")}`);
  for (const name of deliveries.inFlight()) {
    const delivery = state.get("Delivery", name.split(" ")[0] ?? "");
    if (delivery?.state !== "WAITING") continue;
    const [head] = state.ids("Delivery", "byLane", delivery.lane);
    must(head === delivery.id, () => `${delivery.id} is sent before ${head}`);
  }
  const open = state.ids("Delivery", "byProgress", "open").length;
  must(open <= bounds.open, () => `${open} deliveries are open where ${bounds.open} may be`);
};

/** Each index lists the records that belong there, and no others. */
export const checkIndexes = (state: WorldState) => {
  for (const kind of KINDS) {
    const wanted = new Map<string, Set<string>>();
    const indexes = TABLES[kind].indexes as Record<string, (record: never) => readonly string[]>;
    let count = 0;
    for (const record of state.each(kind)) {
      count += 1;
      for (const [index, keysOf] of Object.entries(indexes))
        for (const key of keysOf(record as never)) {
          const name = JSON.stringify([index, key]);
          const ids = wanted.get(name) ?? new Set();
          wanted.set(name, ids.add(record.id));
        }
    }
    checkList(state, { kind, index: "all", key: "" }, count);
    for (const [name, ids] of wanted) {
      const [index, key] = JSON.parse(name) as [string, string];
      checkList(state, { kind, index, key }, ids.size);
      for (const id of state.ids(kind, index, key))
        must(
          ids.has(id),
          () => `the index ${index} ${key} of ${kind} has ${id}, which is not of it`,
        );
    }
  }
};

const checkList = (
  state: WorldState,
  { kind, index, key }: { kind: Kind; index: string; key: string },
  wanted: number,
) => {
  const found = state.ids(kind, index, key).length;
  must(
    found === wanted,
    () => `the index ${index} ${key} of ${kind} has ${found} of ${wanted} ids`,
  );
};

/** Nothing that is due has been left behind. */
const checkTimers = ({ engine }: WatchedWorld) => {
  if (!engine.isWritable || engine.clock.isStepping) return;
  const next = engine.nextTimer();
  const nowMs = engine.clock.now();
  must(!next || next.dueAtMs > nowMs, () => `${next?.id} has been due since ${next?.dueAtMs}`);
  for (const timer of engine.state.each("Timer"))
    must(
      (next?.dueAtMs ?? Number.POSITIVE_INFINITY) <= timer.dueAtMs ||
        timer.canceledAtMs !== undefined ||
        timer.poisoned !== undefined,
      () => `${timer.id} is due at ${timer.dueAtMs}, before the next timer ${next?.id}`,
    );
};

/** Checks what holds in each world when nothing of it continues. */
export const checkEngine = (world: WatchedWorld, bounds: { open: number; ended: number }) => {
  checkLedger(world.engine.state);
  checkTimers(world);
  if (world.engine.isWritable) checkDeliveries(world, bounds);
};

/**
 * The first invariant of a state that does not hold when it was read from storage
 * (spec/snapshots.md#invariants); a copy is checked, so that what is read later still is.
 */
export const invariantProblem = (state: WorldState): string | undefined =>
  state.seq === 0 ? undefined : stateProblem(state.fork());

/** Number of deliveries that are not ended. */
export const openCount = (state: WorldState) => [...state.each("Delivery")].filter(isOpen).length;
