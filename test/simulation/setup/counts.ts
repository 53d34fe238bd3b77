import { OPERATIONS } from "../../../src/contract/operations.ts";
import { CONTROL_ENDPOINTS } from "../../../src/control/control-surface.ts";
import type { Call } from "./call.ts";

/**
 * Operations that no history can end with success: no store of theirs is shared. A recording puts itself in the place of the
 * machine's edges, which a history has taken already; the console's files come from a build.
 */
const NEVER_DONE: ReadonlySet<string> = new Set([
  "recordCapsule",
  "endCapsule",
  "console",
  "consoleFile",
  "cluster",
]);

/** Operations whose effects only later revisions show: histories play the first one. */
const OF_LATER_REVISIONS: ReadonlySet<string> = new Set([
  "setExternalAccountStatus",
  "setLimits",
  "setPendingReason",
]);

/** Every operation of both documents, by the surface that answers it. */
export const ALL_OPERATIONS: readonly string[] = [
  ...OPERATIONS.map(({ operationId }) => `platform ${operationId}`),
  ...CONTROL_ENDPOINTS.filter(({ operationId }) => !OF_LATER_REVISIONS.has(operationId)).map(
    ({ operationId }) => `control ${operationId}`,
  ),
];

const nameOf = ({ surface, operation }: Call) => `${surface} ${operation}`;

/** Names of operations that are shown for a row of the list of gaps. */
const SHOWN = 4;

const add = <Key>(counts: Map<Key, number>, key: Key, times = 1) =>
  counts.set(key, (counts.get(key) ?? 0) + times);

const sum = (counts: Iterable<number>) => [...counts].reduce((all, one) => all + one, 0);

/** Events that many histories must have. */
const MUST_HAPPEN = [
  "kills",
  "power cuts",
  "starts cut off",
  "alarms of storage",
  "answers lost",
  "forks",
  "rewind done",
  "reset done",
  "restoreSnapshot done",
  "concurrent duplicates",
  "retries after a cut-off answer",
  "full outboxes",
  "worlds loaded again",
  "key sets changed",
  "receivers dripping",
  "receivers endless",
  "flipped bits refused",
  "flipped bits told",
  "flipped bits equal",
  "state folders taken away",
];

/** Counts of everything that histories did, by kind. */
export class Counts {
  histories = 0;
  steps = 0;
  turns = 0;
  /** Turns in which several things could have happened next. */
  choices = 0;
  /** Checksum of all answers: the same seeds give the same. */
  trace = 0;
  private readonly calls = new Map<string, Map<number, number>>();
  private readonly notes = new Map<string, number>();
  /** Operations that were under way, by what struck meanwhile. */
  private readonly struck = new Map<string, Map<string, number>>();

  call(call: Call) {
    const name = nameOf(call);
    if (!this.calls.has(name)) this.calls.set(name, new Map());
  }

  answer(call: Call, status: number) {
    const name = nameOf(call);
    const of = this.calls.get(name) ?? new Map<number, number>();
    add(of, status);
    this.calls.set(name, of);
  }

  note(what: string, times = 1) {
    add(this.notes, what, times);
  }

  /** Counts a fault or a crash, and the calls that it has met. */
  strike(what: string, underWay: readonly Call[]) {
    const met = this.struck.get(what) ?? new Map<string, number>();
    this.struck.set(what, met);
    add(met, "");
    for (const name of new Set(underWay.map(nameOf))) add(met, name);
  }

  of(what: string) {
    return this.notes.get(what) ?? 0;
  }

  /** Events of `MUST_HAPPEN` that no history had. */
  neverMet(): string[] {
    return MUST_HAPPEN.filter((what) => this.of(what) === 0);
  }

  /** Operations that were never called. */
  neverCalled(): string[] {
    return ALL_OPERATIONS.filter((name) => !this.calls.has(name));
  }

  /** Operations that had no success, though they can have one. */
  neverDone(): string[] {
    return ALL_OPERATIONS.filter(
      (name) =>
        !NEVER_DONE.has(name.split(" ")[1] ?? "") &&
        ![...(this.calls.get(name) ?? [])].some(([status]) => status < 300),
    );
  }

  /** Totals, for a line that a program reads. */
  totals() {
    const { histories, steps, turns, choices } = this;
    const met = (pattern: RegExp) =>
      sum([...this.struck].filter(([what]) => pattern.test(what)).map(([, at]) => at.get("") ?? 0));
    return {
      histories,
      steps,
      turns,
      interleavings: choices,
      calls: sum([...this.calls.values()].map((statuses) => sum(statuses.values()))),
      operations: this.calls.size,
      crashes: this.of("kills") + this.of("power cuts"),
      crashesAtWrites: met(/^crash at/),
      crashPoints: [...this.struck.keys()].filter((what) => what.startsWith("crash at")).length,
      faults: met(/^(disk|switch)/),
      combinations: sum([...this.struck.values()].map((at) => at.size - 1)),
    };
  }

  /** Everything that was noted so far, in one line. */
  notesLine(): string {
    return JSON.stringify(Object.fromEntries([...this.notes].sort()));
  }

  /** Faults and crash points: how often each struck, whom it met, and some whom it never did. */
  private gaps(): string[] {
    return [...this.struck].sort().map(([what, met]) => {
      const never = ALL_OPERATIONS.filter((name) => !met.has(name));
      const shown = never.slice(0, SHOWN).join(", ");
      const rest = never.length > SHOWN ? `, and ${never.length - SHOWN} more` : "";
      const missed = never.length === 0 ? "" : `; never ${shown}${rest}`;
      return `  ${what}: ${met.get("")} times, ${met.size - 1} operations${missed}`;
    });
  }

  /** Everything counted, one line each; what never came tells something of many histories only. */
  lines({ isOne = false } = {}): string[] {
    const answers = [...this.calls].sort().map(([operation, statuses]) => {
      const all = [...statuses].sort().map(([status, times]) => `${times} × ${status}`);
      return `  ${operation}: ${all.join(", ") || "never answered"}`;
    });
    const notes = [...this.notes].sort().map(([what, times]) => `  ${what}: ${times}`);
    const named = (names: readonly string[]) => (names.length === 0 ? "none" : names.join(", "));
    const missing = () => [
      "faults and crash points, by the operations that were under way:",
      ...this.gaps(),
      `operations never called: ${named(this.neverCalled())}`,
      `operations without a success: ${named(this.neverDone())}`,
    ];
    return [
      `${this.histories} histories, ${this.steps} steps, ${this.turns} turns of the event loop`,
      "calls and their answers:",
      ...answers,
      "what happened:",
      ...notes,
      ...(isOne ? [] : missing()),
      JSON.stringify(this.totals()),
    ];
  }
}
