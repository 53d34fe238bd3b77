import { defined } from "../../contract/core/defined.ts";
import type {
  BulkError,
  BulkJob,
  BulkJobStatus,
  BulkRow,
  StartedBulkJob,
} from "../../contract/customers/bulk-customers.ts";
import type { NewCustomer } from "../../contract/customers/customers.ts";
import {
  type Draft,
  find,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { errorBody, Refusal, refuse } from "../core/refusal.ts";
import { setTimer, type TimerEffect } from "../core/schedule.ts";
import type { JobRecord, PendingRow, RowName } from "../records/upload-records.ts";
import { createCustomer } from "./customers.ts";

/**
 * Rows that one firing of the timer imports (spec/bulk-customers.md#import-timing). More rows slow
 * down the search in the draft; fewer write more changes to the journal.
 */
export const ROWS_AT_ONCE = 25;

/** The result of reading a bulk file: its rows, or the problem with the file. */
export type ReadCsv = { rows: readonly PendingRow[] } | { problem: BulkError };

/** Shows a documented error as the error of its row (spec/bulk-customers.md#row-errors). */
export const bulkError = (refusal: Refusal, { correlationId, rowNumber }: RowName): BulkError => {
  const { code, message, details } = errorBody(refusal);
  return { correlationId, code, message, details: { ...details, rowNumber } };
};

const partsOf = (rows: readonly PendingRow[]) =>
  Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  );

/**
 * POST /customers/bulk/csv: stores the rows and answers (spec/bulk-customers.md#upload). The import
 * begins right after the reply, at the same instant.
 */
export const startBulkImport: Rule<ReadCsv, StartedBulkJob> = (draft, read, moment) => {
  const rows = "rows" in read ? read.rows : [];
  const job: JobRecord = {
    id: moment.newId("Job"),
    status: "PENDING",
    totalCount: rows.length,
    successfulCount: 0,
    failedCount: 0,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Job", job);
  for (const part of partsOf(rows))
    draft.put("BulkRows", { id: moment.newId("BulkRows"), jobId: job.id, rows: part });
  if ("problem" in read) keepErrors(draft, { jobId: job.id, errors: [read.problem] }, moment);
  setTimer(draft, { name: "bulk.import", subject: job.id, dueAtMs: moment.atMs }, moment);
  return { jobId: job.id, status: job.status };
};

const keepErrors = (
  draft: Draft,
  { jobId, errors }: { jobId: string; errors: readonly BulkError[] },
  moment: Moment,
) => {
  if (errors.length > 0) draft.put("BulkErrors", { id: moment.newId("BulkErrors"), jobId, errors });
};

/** A row as the body of POST /customers. */
const customerOf = (row: BulkRow): NewCustomer => {
  const { umaAddress, platformCustomerId, addressLine1, addressLine2 } = row;
  const { city, state, postalCode, country } = row;
  const shared = {
    umaAddress,
    platformCustomerId,
    address: {
      line1: addressLine1,
      ...defined({ line2: addressLine2 }),
      city,
      state,
      postalCode,
      country,
    },
  };
  if (row.customerType === "INDIVIDUAL") {
    const { customerType, fullName, birthDate, email } = row;
    return { customerType, ...shared, fullName, birthDate, email };
  }
  const { customerType, businessLegalName, businessRegistrationNumber, businessTaxId } = row;
  const businessInfo = {
    legalName: businessLegalName,
    ...defined({ registrationNumber: businessRegistrationNumber, taxId: businessTaxId }),
  };
  return { customerType, ...shared, businessInfo };
};

/**
 * Creates the customer of one row by the rule of POST /customers
 * (spec/bulk-customers.md#row-import).
 * @returns the refusal, if the row is refused
 */
const importRow = (draft: Draft, pending: PendingRow, moment: Moment): BulkError | undefined => {
  if ("error" in pending) return pending.error;
  try {
    draft.attempt(() => createCustomer(draft, { body: customerOf(pending.row) }, moment));
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return bulkError(error, pending);
  }
};

/**
 * Imports the next rows of a job, and sets the timer again while rows remain. A job with errors and
 * no customer ends FAILED (spec/bulk-customers.md#job-lifecycle).
 */
export const importNextRows = (draft: Draft, jobId: string, moment: Moment): TimerEffect => {
  const job = draft.get("Job", jobId);
  if (!job || job.completedAtMs !== undefined) return {};
  const [partId, nextId] = draft.ids("BulkRows", "byJob", jobId);
  const rows = (partId === undefined ? undefined : draft.get("BulkRows", partId)?.rows) ?? [];
  const errors = rows.flatMap((row) => importRow(draft, row, moment) ?? []);
  keepErrors(draft, { jobId, errors }, moment);
  if (partId !== undefined) draft.del("BulkRows", partId);
  const imported: JobRecord = {
    ...job,
    status: "PROCESSING",
    successfulCount: job.successfulCount + rows.length - errors.length,
    failedCount: job.failedCount + errors.length,
    updatedAtMs: moment.atMs,
  };
  if (nextId === undefined) return { from: job.status, to: finish(draft, imported, moment) };
  draft.put("Job", imported);
  setTimer(draft, { name: "bulk.import", subject: jobId, dueAtMs: moment.atMs }, moment);
  return { from: job.status, to: imported.status };
};

const endOf = (draft: Draft, { id, successfulCount }: JobRecord): BulkJobStatus =>
  successfulCount === 0 && draft.ids("BulkErrors", "byJob", id).length > 0 ? "FAILED" : "COMPLETED";

/** Ends a job and sends its event. */
const finish = (draft: Draft, job: JobRecord, moment: Moment): BulkJobStatus => {
  const status = endOf(draft, job);
  const ended: JobRecord = { ...job, status, completedAtMs: moment.atMs };
  draft.put("Job", ended);
  const type = status === "FAILED" ? "BULK_UPLOAD.FAILED" : "BULK_UPLOAD.COMPLETED";
  emit(draft, moment, { type, data: showBulkJob(draft, ended) });
  return status;
};

/**
 * Shows a job; `errors` is present only when there are some (spec/bulk-customers.md#job-fields).
 */
const showBulkJob = (view: View, job: JobRecord): BulkJob => {
  const { id, status, totalCount, successfulCount, failedCount, completedAtMs } = job;
  const errors = find(view, "BulkErrors", ["byJob", id]).flatMap((part) => part.errors);
  const isBegun = status !== "PENDING";
  return {
    id,
    status,
    progress: {
      total: totalCount,
      processed: successfulCount + failedCount,
      successful: successfulCount,
      failed: failedCount,
    },
    ...(isBegun && errors.length > 0 && { errors }),
    ...(completedAtMs !== undefined && { completedAt: instant(completedAtMs) }),
  };
};

/** GET /customers/bulk/jobs/{jobId}. */
export const getBulkJob: Reading<{ params: { jobId: string } }, BulkJob> = (
  view,
  { params: { jobId } },
) =>
  showBulkJob(
    view,
    view.get("Job", jobId) ?? refuse("BULK_UPLOAD_JOB_NOT_FOUND", { id: jobId, resource: "Job" }),
  );
