import type { Change } from "../../../src/runtime/change.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import type { Parsed } from "./call.ts";
import type { WatchedWorld } from "./simulated-process.ts";

type Moves = Readonly<Record<string, readonly string[]>>;

/** Moves that a status may make, from the tables of the specification; a birth comes from "". */
const MOVES: Readonly<Record<string, Moves>> = {
  OUTGOING: {
    "": ["PENDING"],
    PENDING: ["PROCESSING", "FAILED", "EXPIRED"],
    PROCESSING: ["COMPLETED", "FAILED"],
    COMPLETED: ["FAILED"],
  },
  INCOMING: {
    "": ["PENDING"],
    PENDING: ["PROCESSING", "REJECTED", "FAILED"],
    PROCESSING: ["COMPLETED", "FAILED"],
    COMPLETED: ["REFUNDED"],
  },
  Quote: {
    "": ["PENDING"],
    PENDING: ["PROCESSING", "EXPIRED"],
    PROCESSING: ["COMPLETED", "FAILED"],
    COMPLETED: ["FAILED"],
  },
  Card: {
    "": ["PENDING_ISSUE"],
    PENDING_ISSUE: ["ACTIVE", "CLOSED"],
    ACTIVE: ["FROZEN", "CLOSED"],
    FROZEN: ["ACTIVE", "CLOSED"],
  },
  AgentAction: {
    "": ["PENDING_APPROVAL", "APPROVED"],
    PENDING_APPROVAL: ["APPROVED", "REJECTED", "FAILED"],
    APPROVED: ["FAILED"],
  },
  Delivery: {
    "": ["WAITING", "UNDELIVERABLE", "RETRYING", "HELD", "ACCEPTED", "GIVEN_UP", "DROPPED"],
    WAITING: ["RETRYING", "ACCEPTED", "GIVEN_UP", "FORKED", "DROPPED", "HELD", "WAITING"],
    RETRYING: ["ACCEPTED", "GIVEN_UP", "FORKED", "RETRYING", "WAITING"],
    HELD: ["WAITING", "RETRYING", "FORKED", "GIVEN_UP", "ACCEPTED"],
    // A client has taken it to the receiver by itself.
    FORKED: ["ACCEPTED"],
    GIVEN_UP: ["ACCEPTED"],
    UNDELIVERABLE: ["ACCEPTED"],
  },
};

/** The event that an arrival at a status sends once. */
const SENDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OUTGOING: {
    PENDING: "OUTGOING_PAYMENT.PENDING",
    PROCESSING: "OUTGOING_PAYMENT.PROCESSING",
    COMPLETED: "OUTGOING_PAYMENT.COMPLETED",
    FAILED: "OUTGOING_PAYMENT.FAILED",
    EXPIRED: "OUTGOING_PAYMENT.EXPIRED",
  },
  INCOMING: {
    COMPLETED: "INCOMING_PAYMENT.COMPLETED",
    FAILED: "INCOMING_PAYMENT.FAILED",
    REJECTED: "INCOMING_PAYMENT.FAILED",
  },
};

const OPEN: ReadonlySet<string> = new Set(["WAITING", "RETRYING", "HELD"]);

const REFUND: Moves = { "": ["PENDING"], PENDING: ["COMPLETED", "FAILED"] };

interface Known {
  status: string;
  refund: string | undefined;
}

/** All ways from one status to another; a change may make several moves. */
const waysTo = (
  moves: Moves,
  { from, to }: { from: string; to: string },
  via: readonly string[] = [],
): string[][] => {
  if (from === to) return [[...via]];
  const next = (moves[from] ?? []).filter((one) => !via.includes(one) && one !== from);
  return next.flatMap((one) => waysTo(moves, { from: one, to }, [...via, one]));
};

const IS_PAYMENT = /^(OUTGOING|INCOMING)_PAYMENT/;

/** Events of one payment in a change, the request for an approval excepted. */
const paymentEventsOf = ({ emit = [] }: Change, id: string) =>
  emit
    .filter(({ type, about, lab }) => !lab && about === id && IS_PAYMENT.test(type))
    .map(({ type }): string => type)
    .filter((type) => type !== "INCOMING_PAYMENT.PENDING");

const WATCHED = ["Transaction", "Quote", "Card", "AgentAction", "Delivery"] as const;

const knownOf = (record: Parsed): Known => ({
  status: record.status ?? record.state,
  refund: record.refund?.status,
});

const tableOf = (kind: string, record: Parsed) => (kind === "Transaction" ? record.type : kind);

/** Watches each change of each world: moves of statuses, events and their causes, postings. */
export class WatchedChanges {
  /** Rules that a change has broken. */
  readonly broken: string[] = [];
  /** Most deliveries that may be open. */
  private readonly open: number;
  private readonly known = new Map<WatchedWorld, Map<string, Known>>();

  constructor(open: number) {
    this.open = open;
  }

  watch(world: WatchedWorld) {
    const { engine } = world;
    this.known.set(world, statusesIn(engine.state));
    engine.listeners.add({
      changed: (change) => this.look(world, change),
      loaded: () => void this.known.set(world, statusesIn(engine.state)),
    });
  }

  private look(world: WatchedWorld, change: Change) {
    if (change.opens) this.known.set(world, new Map());
    const known = this.known.get(world) as Map<string, Known>;
    for (const [kind, record] of change.put ?? [])
      if ((WATCHED as readonly string[]).includes(kind)) {
        this.move(kind, record, { change, before: known.get(record.id) });
        known.set(record.id, knownOf(record));
      }
    for (const { id, deliverable, lab, trouble } of change.emit ?? []) {
      const state = lab?.state ?? trouble?.state ?? (deliverable ? "WAITING" : "UNDELIVERABLE");
      if (!known.has(id)) known.set(id, { status: state, refund: undefined });
    }
    this.checkTimer(change, known);
    for (const [kind, id] of change.del ?? []) this.remove(kind, id, { change, known });
    this.findCauses(change);
    this.sumUp(change);
  }

  /** A delivery is forgotten when it has ended. */
  private remove(
    kind: string,
    id: string,
    { change, known }: { change: Change; known: Map<string, Known> },
  ) {
    const status = known.get(id)?.status ?? "";
    // In a full outbox the oldest is given up, and may be forgotten at once.
    const isFull = () =>
      [...known.values()].filter((one) => OPEN.has(one.status)).length > this.open;
    if (kind === "Delivery" && OPEN.has(status) && !isFull())
      this.broken.push(`${change.by} removed ${id}, which is ${status}`);
    if (kind !== "Event") known.delete(id);
  }

  /** A timer that has fired is gone, or was set again with an order of its own. */
  private checkTimer({ cause, by, put = [], del = [] }: Change, known: Map<string, Known>) {
    if (cause?.startsWith(`${by} `)) {
      const isGone = del.some(([kind, id]) => kind === "Timer" && id === cause);
      const set = put.find(([kind, { id }]) => kind === "Timer" && id === cause)?.[1] as Parsed;
      const isNew = set !== undefined && known.get(cause)?.status !== `${set.order}`;
      if (isGone === isNew) this.broken.push(`${cause} has fired and stays`);
    }
    for (const [kind, record] of put)
      if (kind === "Timer")
        known.set(record.id, { status: `${(record as Parsed).order}`, refund: undefined });
  }

  /** A record goes a way that its table allows, and sends the events of that way, each once. */
  private move(
    kind: string,
    record: Parsed,
    { change, before }: { change: Change; before: Known | undefined },
  ) {
    const table = tableOf(kind, record);
    const { status, refund } = knownOf(record);
    const ways = waysTo(MOVES[table] ?? {}, { from: before?.status ?? "", to: status });
    const steps = `${record.id} from ${before?.status ?? "nothing"} to ${status}`;
    if (ways.length === 0) this.broken.push(`${change.by} moved ${steps}`);
    const sends = SENDS[table];
    if (!sends) return;
    const refunds = waysTo(REFUND, { from: before?.refund ?? "", to: refund ?? "" });
    if (refunds.length === 0) this.broken.push(`${change.by} moved the refund of ${steps}`);
    const found = paymentEventsOf(change, record.id);
    const wanted = ways.flatMap((way) =>
      refunds.map((course) => [
        ...way.flatMap((one) => sends[one] ?? []),
        ...course.map((one) => `OUTGOING_PAYMENT.REFUND_${one}`),
      ]),
    );
    const text = [...found].sort().join(", ");
    if (!wanted.some((one) => one.sort().join(", ") === text))
      this.broken.push(`${change.by} moved ${steps} and sent ${text || "nothing"}`);
  }

  /** No event of a payment is sent without a change of that payment. */
  private findCauses({ emit = [], put = [], by }: Change) {
    const changed = new Set(put.map(([, { id }]) => id));
    for (const { type, about = "", lab } of emit)
      if (!lab && IS_PAYMENT.test(type) && !changed.has(about))
        this.broken.push(`${by} sent ${type} of ${about}, which did not change`);
  }

  private sumUp({ post = [], by }: Change) {
    const sums = new Map<string, bigint>();
    for (const [, currency, minor] of post)
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
    for (const [currency, sum] of sums)
      if (sum !== 0n) this.broken.push(`${by} posted ${sum} ${currency} from nowhere`);
  }
}

const statusesIn = (state: WorldState): Map<string, Known> => {
  const known = new Map<string, Known>();
  for (const kind of WATCHED)
    for (const record of state.each(kind)) known.set(record.id, knownOf(record));
  for (const { id, order } of state.each("Timer"))
    known.set(id, { status: `${order}`, refund: undefined });
  return known;
};
