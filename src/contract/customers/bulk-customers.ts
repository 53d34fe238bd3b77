import * as z from "zod";
import { idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { CalendarDate, CountryCode, Email, Instant, PersonalText } from "../core/scalars.ts";
import { FilePart } from "./uploads.ts";

/** Largest CSV file, and the most rows in one (spec/bulk-customers.md#size-limits). */
export const MAX_CSV_BYTES = 100 * 1024 * 1024;
export const MAX_CSV_ROWS = 100_000;

/** Form of POST /customers/bulk/csv (spec/bulk-customers.md#upload). */
export const BulkUpload = named("BulkCustomerUpload", () => z.object({ file: FilePart }));

/** Columns that every file must have, for rows of either type (spec/bulk-customers.md#header). */
export const REQUIRED_COLUMNS = [
  "umaAddress",
  "platformCustomerId",
  "customerType",
  "addressLine1",
  "city",
  "state",
  "postalCode",
  "country",
] as const;

const sharedCells = () => ({
  umaAddress: z.string(),
  platformCustomerId: PersonalText,
  addressLine1: PersonalText,
  addressLine2: PersonalText.optional(),
  city: PersonalText,
  state: PersonalText,
  postalCode: PersonalText,
  country: CountryCode,
});

/**
 * One row by the names of its columns, without empty cells (spec/bulk-customers.md#row-columns).
 * `platformAccountId` and `description` are accepted and ignored.
 */
export const BulkRow = z.lazy(() =>
  z.discriminatedUnion("customerType", [
    z.object({
      customerType: z.literal("INDIVIDUAL"),
      ...sharedCells(),
      fullName: PersonalText,
      birthDate: CalendarDate,
      email: Email.optional(),
    }),
    z.object({
      customerType: z.literal("BUSINESS"),
      ...sharedCells(),
      businessLegalName: PersonalText,
      businessRegistrationNumber: PersonalText.optional(),
      businessTaxId: PersonalText.optional(),
    }),
  ]),
);

export type BulkRow = z.infer<typeof BulkRow>;

export const BULK_JOB_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const;

export type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

/** Reply of POST /customers/bulk/csv. */
export const StartedBulkJob = named("StartedBulkCustomerImportJob", () =>
  z.object({ jobId: idOf("Job"), status: enumOf("BulkJobStatus", BULK_JOB_STATUSES) }),
);

export type StartedBulkJob = z.infer<typeof StartedBulkJob>;

/** The refusal of a row, or of the whole file (spec/bulk-customers.md#row-errors). */
export const BulkError = z.lazy(() =>
  z
    .object({
      correlationId: z.string(),
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ id: "BulkUploadError" }),
);

export type BulkError = z.infer<typeof BulkError>;

/** A bulk job of a reply and of its webhook (spec/bulk-customers.md#job-fields). */
export const BulkJob = z.lazy(() =>
  z
    .object({
      id: idOf("Job"),
      status: enumOf("BulkJobStatus", BULK_JOB_STATUSES),
      progress: z.object({
        total: z.number().int(),
        processed: z.number().int(),
        successful: z.number().int(),
        failed: z.number().int(),
      }),
      errors: z.array(BulkError).optional(),
      completedAt: Instant.optional(),
    })
    .meta({ id: "BulkCustomerImportJob" }),
);

export type BulkJob = z.infer<typeof BulkJob>;
