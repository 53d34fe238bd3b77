import type { Draft, Moment } from "../core/draft.ts";
import { setTimer, type TimerEffect } from "../core/schedule.ts";
import { LATER_OUTCOMES } from "../outcomes/later-outcomes.ts";
import {
  type OutcomeStep,
  PAYMENT_OUTCOMES,
  type PaymentOutcome,
  type PaymentOutcomeTable,
} from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { Course, TransactionRecord } from "../records/records.ts";

/** A step, and the row it stands in. */
export interface PlacedStep {
  row: string;
  step: OutcomeStep;
}

/** The name of a row of a table: `quotedPayment.003`. */
export const rowName = (table: PaymentOutcomeTable, match: string) => ruleName(table, match);

const TABLES: Readonly<Record<string, Record<string, PaymentOutcome> | undefined>> = {
  ...PAYMENT_OUTCOMES,
  ...LATER_OUTCOMES,
};

const outcomeOf = (row: string): PaymentOutcome | undefined => {
  const dot = row.indexOf(".");
  return TABLES[row.slice(0, dot)]?.[row.slice(dot + 1)];
};

const ruleOf = (row: string) => outcomeOf(row)?.rule ?? row;

/** All steps of some rows, up to the first row that ends the payment. */
export const stepsAlong = (rows: readonly string[]): PlacedStep[] => {
  const placed: PlacedStep[] = [];
  let heldMs = 0;
  for (const row of rows) {
    const outcome = outcomeOf(row);
    for (const step of outcome?.steps ?? []) {
      placed.push({
        row: ruleOf(row),
        step: heldMs > 0 ? { ...step, afterMs: step.afterMs + heldMs } : step,
      });
      heldMs = 0;
    }
    heldMs += outcome?.holdsMs ?? 0;
    if (outcome?.isEnd) break;
  }
  return placed;
};

/** The rows that apply to a payment, by their rules: those after one that ends it do not. */
export const rowsThatApply = (rows: readonly string[]): readonly string[] => {
  const end = rows.findIndex((row) => outcomeOf(row)?.isEnd);
  return (end < 0 ? rows : rows.slice(0, end + 1)).map(ruleOf);
};

/**
 * The reason of a failure in revisions with `failureReasons`, by the step that failed the payment
 * (spec/later-payments.md#failure-reasons).
 */
export const laterReasonOf = ({ failureReason, course }: TransactionRecord) => {
  if (failureReason === undefined || !course) return failureReason;
  const failed = stepsAlong(course.rows)
    .slice(0, course.step + 1)
    .find(({ step }) => step.laterReason !== undefined);
  return failed?.step.laterReason ?? failureReason;
};

/** The next step of a payment. */
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

/** The steps of one type of transaction. */
export interface StepEffects<T extends TransactionRecord> {
  /** Whether a step can happen in the transaction's present state. */
  fits(transaction: T, step: OutcomeStep): boolean;
  run(draft: Draft, transaction: T, now: StepContext): T;
  /** The state that a report names. */
  shows(transaction: T, step: OutcomeStep): string;
}

/** Copied with all members: V8 gives an object of more than twenty others a shape of its own. */
const withStepDone = <T extends TransactionRecord>(transaction: T): T => {
  const { course } = transaction;
  return course ? { ...transaction, course: { ...course, step: course.step + 1 } } : transaction;
};

/** Runs the steps that belong to this call, schedules the next one and stores the transaction. */
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
  // After a step that took another way than its row, the next step of the row may not fit.
  if (next && effects.fits(transaction, next.step)) {
    const { timer: name, afterMs } = next.step;
    setTimer(draft, { name, subject: transaction.id, dueAtMs: moment.atMs + afterMs }, moment);
  }
  return transaction;
};

/** Runs the step whose timer is due, and schedules the one after it. */
export const fireStep = <T extends TransactionRecord>(
  draft: Draft,
  transaction: T,
  { effects, moment }: { effects: StepEffects<T>; moment: Moment },
): TimerEffect => {
  const next = nextStep(transaction.course);
  if (!next || !effects.fits(transaction, next.step)) return {};
  const { row, step } = next;
  draft.decidedBy(row);
  const after = withStepDone(effects.run(draft, transaction, { step, moment }));
  runSteps(draft, after, { effects, moment });
  return { from: effects.shows(transaction, step), to: effects.shows(after, step) };
};
