import type { BulkError, BulkJobStatus, BulkRow } from "../../contract/customers/bulk-customers.ts";
import type { DocumentSide, DocumentType } from "../../contract/customers/documents.ts";
import type { Timestamps } from "./timestamps.ts";

/** Media types of documents, detected by their first bytes (spec/documents.md#file-type). */
export const DOCUMENT_MEDIA_TYPES = ["application/pdf", "image/jpeg", "image/png"] as const;
export type DocumentMediaType = (typeof DOCUMENT_MEDIA_TYPES)[number];

/**
 * A file whose bytes are stored outside the world, under their hash (spec/documents.md#kept-bytes).
 */
export interface KeptFile {
  /** SHA-256 of the bytes, hex; several records may share one. */
  sha256: string;
  mediaType: DocumentMediaType;
  sizeBytes: number;
}

/** A document of a customer or of a beneficial owner (spec/documents.md#fields). */
export interface DocumentRecord extends Timestamps {
  documentHolder: string;
  documentType: DocumentType;
  country: string;
  /** The client's name for the file; for display only, never used as a path. */
  fileName: string;
  side?: DocumentSide;
  documentNumber?: string;
  issuingAuthority?: string;
  file: KeptFile;
  /** First use by a verification of the holder; from then on the document cannot be deleted. */
  submittedAtMs?: number;
}

/** The row of an error; rows count from 1, and 0 is the whole file. */
export interface RowName {
  /** The row's platformCustomerId, else `row_<n>` (spec/bulk-customers.md#row-errors). */
  correlationId: string;
  rowNumber: number;
}

/** A row that waits for its import, or the error already found in it. */
export type PendingRow = (RowName & { row: BulkRow }) | { error: BulkError };

/** A part of a bulk file, in the order of its rows; deleted once imported. */
export interface BulkRowsRecord {
  id: string;
  jobId: string;
  rows: readonly PendingRow[];
}

/** Errors of the rows of one part, or of the file. */
export interface BulkErrorsRecord {
  id: string;
  jobId: string;
  errors: readonly BulkError[];
}

/** The import of a bulk file (spec/bulk-customers.md#job-fields). */
export interface JobRecord extends Timestamps {
  status: BulkJobStatus;
  totalCount: number;
  successfulCount: number;
  failedCount: number;
  completedAtMs?: number;
}
