import { defined } from "../../contract/core/defined.ts";
import type {
  ApproveInput,
  IncomingTransaction,
  RejectInput,
} from "../../contract/payments/transactions.ts";
import type { Draft, Moment, Rule, View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import { clearTimer, setTimer, type TimerEffect } from "../core/schedule.ts";
import { incomingPaymentLifecycle } from "../lifecycles/incoming-payment.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import {
  APPROVAL_ANSWERS,
  type ApprovalAnswer,
  type ApprovalRow,
  approvalRow,
  approvalRowName,
} from "../outcomes/approval-answers.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import type { AttemptResult } from "../records/attempt-result.ts";
import type { IncomingRecord } from "../records/records.ts";
import { INCOMING_EFFECTS, moveIncoming } from "./incoming-payments.ts";
import { rowsThatApply, runSteps } from "./outcome-steps.ts";
import { showIncoming, transactionByPath } from "./transactions.ts";
import { approvedRows, depositOf } from "./uma-deposits.ts";

/** A transfer in needs no approval: it starts by itself. */
const isFromUma = ({ source }: IncomingRecord) => source.sourceType === "UMA_ADDRESS";

const waitsForApproval = (transaction: IncomingRecord) =>
  isFromUma(transaction) &&
  findMove(incomingPaymentLifecycle, transaction.status, "approve") !== undefined;

/** The payment an approval request tells of, while nothing is decided about it. */
const waitingPayment = (view: View, id: string | undefined): IncomingRecord | undefined => {
  const transaction = id === undefined ? undefined : view.get("Transaction", id);
  const waits = transaction?.type === "INCOMING" && waitsForApproval(transaction);
  return waits ? transaction : undefined;
};

/**
 * Approves a payment: PROCESSING, with its deposit chosen (spec/uma-payments.md#approved-payment).
 */
const approve = (draft: Draft, transaction: IncomingRecord, moment: Moment): IncomingRecord => {
  const deposit = depositOf(draft, transaction);
  const { creditsAccountId: primary, course: _course, ...rest } = transaction;
  const going: IncomingRecord = {
    ...rest,
    ...(!deposit && primary !== undefined && { creditsAccountId: primary }),
    course: { rows: approvedRows(draft, transaction, deposit), step: 0 },
  };
  const approved = moveIncoming(draft, going, { on: "approve", moment });
  return runSteps(draft, approved, { effects: INCOMING_EFFECTS, moment });
};

interface Decision {
  answer: ApprovalAnswer;
  moment: Moment;
}

const VERDICTS: Record<
  ApprovalAnswer["does"],
  (draft: Draft, transaction: IncomingRecord, decision: Decision) => IncomingRecord
> = {
  approve: (draft, transaction, { moment }) => approve(draft, transaction, moment),
  reject: (draft, transaction, { moment }) =>
    moveIncoming(draft, transaction, { on: "reject", moment }),
  refuse: (draft, transaction, { answer: { failureReason }, moment }) =>
    moveIncoming(draft, transaction, {
      on: "refuse",
      moment,
      set: defined({ failureReason }),
    }),
  wait: (draft, transaction, { moment }) => {
    const dueAtMs = moment.atMs + DURATIONS.approvalLapseMs;
    setTimer(draft, { name: "incoming.lapse", subject: transaction.id, dueAtMs }, moment);
    // It stays as it is, but that it waits is part of its story.
    draft.put("Transaction", transaction);
    return transaction;
  },
};

const decideBy = (
  draft: Draft,
  transaction: IncomingRecord,
  {
    row,
    moment,
    answer = APPROVAL_ANSWERS[row],
  }: Pick<Decision, "moment"> & Partial<Decision> & { row: ApprovalRow },
): IncomingRecord => {
  draft.decidedBy(approvalRowName(row));
  return VERDICTS[answer.does](draft, transaction, { answer, moment });
};

type CustomerInfo = Readonly<Record<string, unknown>>;

const isGiven = (info: CustomerInfo, name: string) =>
  Object.hasOwn(info, name) && info[name] !== null && info[name] !== "";

/**
 * The requested fields that are not given; all are mandatory
 * (spec/uma-payments.md#requested-fields).
 */
const missingIn = (info: CustomerInfo, { requestedFields = [] }: IncomingRecord) =>
  requestedFields.filter((name) => !isGiven(info, name));

const isMap = (value: unknown): value is CustomerInfo =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The `receiverCustomerInfo` of an answer's body; a body that is none of ours holds nothing. */
const infoIn = (body: string | undefined): CustomerInfo => {
  try {
    const parsed: unknown = JSON.parse(body ?? "");
    const info = isMap(parsed) ? parsed.receiverCustomerInfo : undefined;
    return isMap(info) ? info : {};
  } catch {
    return {};
  }
};

/** A silence that was set begins like a 202: only the call that would follow does not come. */
const SILENT: ApprovalAnswer = { ...APPROVAL_ANSWERS.silence, does: "wait" };

/**
 * Decides by the receiver's answer, unless a call did before
 * (spec/uma-payments.md#approval-answers).
 */
export const decideByAnswer = (
  draft: Draft,
  { about, result }: { about: string | undefined; result: AttemptResult },
  moment: Moment,
) => {
  const transaction = waitingPayment(draft, about);
  if (!transaction) return;
  const isComplete = missingIn(infoIn(result.body), transaction).length === 0;
  const { customerId, creditsAccountId } = transaction;
  const row = takeRow(draft, {
    table: "approval",
    row: approvalRow(result, isComplete),
    about: [customerId, creditsAccountId],
  }) as ApprovalRow;
  decideBy(draft, transaction, { row, moment, ...(row === "silence" && { answer: SILENT }) });
};

/**
 * The receiver could not even be asked. That may happen within somebody else's change, so that
 * this row is not noted as the one that decided it.
 */
export const failUnasked = (draft: Draft, about: string | undefined, moment: Moment) => {
  const transaction = waitingPayment(draft, about);
  const answer = APPROVAL_ANSWERS.otherwise;
  if (transaction) VERDICTS[answer.does](draft, transaction, { answer, moment });
};

/** Timer `incoming.lapse`: the call that a 202 promised did not come. */
export const lapseApproval = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const transaction = waitingPayment(draft, subject);
  if (!transaction) return {};
  const { status } = decideBy(draft, transaction, { row: "silence", moment });
  return { from: transaction.status, to: status };
};

interface ByPath {
  params: { transactionId: string };
}

/** The payment that a path names and a caller may decide about; refuses any other. */
const decidable = (view: View, input: ByPath, moment: Moment): IncomingRecord => {
  const transaction = transactionByPath(view, input, moment);
  const { id, status } = transaction;
  if (transaction.type !== "INCOMING")
    return refuse(
      "INVALID_INPUT",
      { field: "transactionId", value: id },
      `Only an incoming payment can be approved or rejected; ${id} is ${transaction.type}`,
    );
  if (!waitsForApproval(transaction))
    refuse(
      "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
      { id, transactionStatus: status },
      isFromUma(transaction) ? undefined : `${id} is a transfer in, which needs no approval`,
    );
  return transaction;
};

/**
 * POST /transactions/{transactionId}/approve. After a call that comes before the webhook's answer,
 * the answer changes nothing (spec/uma-payments.md#approval-by-call).
 */
export const approvePayment: Rule<ByPath & { body: ApproveInput }, IncomingTransaction> = (
  draft,
  { params, body },
  moment,
) => {
  const transaction = decidable(draft, { params }, moment);
  const [missing] = missingIn(body?.receiverCustomerInfo ?? {}, transaction);
  if (missing !== undefined)
    refuse(
      "MISSING_MANDATORY_USER_INFO",
      { field: `receiverCustomerInfo.${missing}` },
      `The sender's institution asked for the customer's ${missing}`,
    );
  clearTimer(draft, "incoming.lapse", transaction.id);
  const approved = approve(draft, transaction, moment);
  const [row, ...further] = rowsThatApply(approved.course?.rows ?? []);
  if (row !== undefined) draft.decidedBy(row, ...further);
  return showIncoming(draft, approved);
};

/** POST /transactions/{transactionId}/reject; the reason is not shown anywhere. */
export const rejectPayment: Rule<ByPath & { body: RejectInput }, IncomingTransaction> = (
  draft,
  { params },
  moment,
) => {
  const transaction = decidable(draft, { params }, moment);
  clearTimer(draft, "incoming.lapse", transaction.id);
  return showIncoming(draft, moveIncoming(draft, transaction, { on: "reject", moment }));
};
