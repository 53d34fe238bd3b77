import type { Draft, Moment } from "../core/draft.ts";
import { type Fired, setTimer } from "../core/schedule.ts";
import {
  type OutcomeStep,
  PAYMENT_OUTCOMES,
  type PaymentOutcome,
  type PaymentOutcomeTable,
} from "../outcomes/outcomes.ts";
import type { Course, TransactionRecord } from "../records/records.ts";

/** A step, and the row it stands in. */
export interface PlacedStep {
  row: string;
  step: OutcomeStep;
}

/** How a row of a table is quoted: `quotedPayment.003`. */
export const rowName = (table: PaymentOutcomeTable, match: string) => `${table}.${match}`;

const outcomeOf = (row: string): PaymentOutcome | undefined => {
  const dot = row.indexOf(".");
  const table: Record<string, PaymentOutcome> | undefined =
    PAYMENT_OUTCOMES[row.slice(0, dot) as PaymentOutcomeTable];
  return table?.[row.slice(dot + 1)];
};

/** Everything that will happen along some rows, up to the first that ends the payment. */
export const stepsAlong = (rows: readonly string[]): PlacedStep[] => {
  const placed: PlacedStep[] = [];
  let heldMs = 0;
  for (const row of rows) {
    const outcome = outcomeOf(row);
    for (const step of outcome?.steps ?? []) {
      placed.push({ row, step: heldMs > 0 ? { ...step, afterMs: step.afterMs + heldMs } : step });
      heldMs = 0;
    }
    heldMs += outcome?.holdsMs ?? 0;
    if (outcome?.isEnd) break;
  }
  return placed;
};

/** The next thing in a course. */
export const nextStep = (course: Course | undefined): PlacedStep | undefined =>
  course && stepsAlong(course.rows)[course.step];

/** A step that happens now. */
export interface StepContext {
  step: OutcomeStep;
  moment: Moment;
}

/** One kind of step: the move it makes, if any, and its effect. */
export interface StepRow<T extends TransactionRecord, Trigger extends string> {
  /** Without a move the step fits in every state. */
  on?: Trigger;
  run(draft: Draft, transaction: T, now: StepContext): T;
}

/** What the steps of one type of transaction do. */
export interface StepEffects<T extends TransactionRecord> {
  /** Whether a step can happen to it as it is. */
  fits(transaction: T, step: OutcomeStep): boolean;
  run(draft: Draft, transaction: T, now: StepContext): T;
  /** The state a report tells of. */
  shows(transaction: T, step: OutcomeStep): string;
}

const withStepDone = <T extends TransactionRecord>({ course, ...rest }: T): T =>
  ({ ...rest, ...(course && { course: { ...course, step: course.step + 1 } }) }) as T;

/**
 * Lets a transaction go on: what belongs to this call happens now, what comes after it is
 * scheduled. Stores the transaction as it then is.
 */
export const runSteps = <T extends TransactionRecord>(
  draft: Draft,
  transaction: T,
  { effects, moment }: { effects: StepEffects<T>; moment: Moment },
): T => {
  const next = nextStep(transaction.course);
  if (next?.step.isInCall) {
    draft.decidedBy(next.row);
    const after = withStepDone(effects.run(draft, transaction, { step: next.step, moment }));
    return runSteps(draft, after, { effects, moment });
  }
  draft.put("Transaction", transaction);
  // Where a step went another way than its row says, what the row says next does not happen.
  if (next && effects.fits(transaction, next.step)) {
    const { timer: name, afterMs } = next.step;
    setTimer(draft, { name, subject: transaction.id, dueAtMs: moment.atMs + afterMs }, moment);
  }
  return transaction;
};

/** A timer of a course is due: its step happens, and the one after it is scheduled. */
export const fireStep = <T extends TransactionRecord>(
  draft: Draft,
  transaction: T,
  { effects, moment }: { effects: StepEffects<T>; moment: Moment },
): Fired => {
  const next = nextStep(transaction.course);
  if (!next || !effects.fits(transaction, next.step)) return {};
  const { row, step } = next;
  draft.decidedBy(row);
  const after = withStepDone(effects.run(draft, transaction, { step, moment }));
  runSteps(draft, after, { effects, moment });
  return { from: effects.shows(transaction, step), to: effects.shows(after, step) };
};
