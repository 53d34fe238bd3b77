import type { BulkError, BulkJobStatus, BulkRow } from "../../contract/customers/bulk-customers.ts";
import type { DocumentSide, DocumentType } from "../../contract/customers/documents.ts";
import type { Stamped } from "./stamped.ts";

/** Types of files that count as documents, as their first bytes tell. */
export const DOCUMENT_MEDIA_TYPES = ["application/pdf", "image/jpeg", "image/png"] as const;
export type DocumentMediaType = (typeof DOCUMENT_MEDIA_TYPES)[number];

/** A file whose bytes are kept outside of the world, under their hash. */
export interface KeptFile {
  /** SHA-256 of its bytes, hex; several records may name one. */
  sha256: string;
  mediaType: DocumentMediaType;
  sizeBytes: number;
}

/** A document of a customer or of a beneficial owner (platform digest 7.2). */
export interface DocumentRecord extends Stamped {
  documentHolder: string;
  documentType: DocumentType;
  country: string;
  /** As the client gave it; it is shown and names no place. */
  fileName: string;
  side?: DocumentSide;
  documentNumber?: string;
  issuingAuthority?: string;
  file: KeptFile;
  /** When a verification of its holder first took it up: it can no longer be deleted then. */
  submittedAtMs?: number;
}

/** Which row an error is about; rows count from 1, 0 is the file as a whole. */
export interface RowName {
  /** Its platformCustomerId, else `row_<n>` (platform O-62). */
  correlationId: string;
  rowNumber: number;
}

/** A row that waits to be imported, or what is wrong with it already. */
export type PendingRow = (RowName & { row: BulkRow }) | { error: BulkError };

/** A part of a bulk file, in the order of its rows; it is gone once they are imported. */
export interface BulkRowsRecord {
  id: string;
  jobId: string;
  rows: readonly PendingRow[];
}

/** What went wrong with rows of one such part, or with the file. */
export interface BulkErrorsRecord {
  id: string;
  jobId: string;
  errors: readonly BulkError[];
}

/** A bulk file on its way into the world (platform digest 8.2). */
export interface JobRecord extends Stamped {
  status: BulkJobStatus;
  totalCount: number;
  successfulCount: number;
  failedCount: number;
  completedAtMs?: number;
}
