import { OPERATIONS } from "../../../src/contract/operations.ts";
import type { Call } from "./call.ts";

/** Counts of everything that histories did, by kind. */
export class Counts {
  histories = 0;
  steps = 0;
  turns = 0;
  /** Checksum of all answers: the same seeds give the same. */
  trace = 0;
  private readonly calls = new Map<string, Map<number, number>>();
  private readonly notes = new Map<string, number>();

  call({ operation }: Call) {
    if (!this.calls.has(operation)) this.calls.set(operation, new Map());
  }

  answer({ operation }: Call, status: number) {
    const of = this.calls.get(operation) ?? new Map<number, number>();
    of.set(status, (of.get(status) ?? 0) + 1);
    this.calls.set(operation, of);
  }

  note(what: string, times = 1) {
    this.notes.set(what, (this.notes.get(what) ?? 0) + times);
  }

  of(what: string) {
    return this.notes.get(what) ?? 0;
  }

  /** Operations of the platform that had no success. */
  neverDone(): string[] {
    return OPERATIONS.map(({ operationId }) => operationId).filter(
      (id) => ![...(this.calls.get(id) ?? [])].some(([status]) => status < 300),
    );
  }

  /** Everything counted, one line each. */
  lines(): string[] {
    const answers = [...this.calls].sort().map(([operation, statuses]) => {
      const all = [...statuses].sort().map(([status, times]) => `${times} × ${status}`);
      return `  ${operation}: ${all.join(", ") || "never answered"}`;
    });
    const notes = [...this.notes].sort().map(([what, times]) => `  ${what}: ${times}`);
    const never = this.neverDone();
    return [
      `${this.histories} histories, ${this.steps} steps, ${this.turns} turns of the event loop`,
      "calls and their answers:",
      ...answers,
      "what happened:",
      ...notes,
      `operations without a success: ${never.length === 0 ? "none" : never.join(", ")}`,
    ];
  }
}
