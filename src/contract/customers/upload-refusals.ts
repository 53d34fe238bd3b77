import { type RefusalRow, row } from "../core/refusal-row.ts";

/**
 * Errors of file forms, documents and bulk imports (spec/documents.md#errors,
 * spec/bulk-customers.md#errors).
 */
export const UPLOAD_REFUSALS = {
  BROKEN_FORM: row(
    [400, "INVALID_REQUEST_FORMAT"],
    "The form could not be read: {why}",
    "Send complete multipart/form-data with its boundary, as curl -F file=@name does",
  ),
  FILE_TOO_LARGE: row(
    [400, "INVALID_INPUT"],
    "The file is over {limitBytes} bytes",
    "Send a smaller file",
  ),
  FILE_TYPE_NOT_ALLOWED: row(
    [400, "INVALID_INPUT"],
    "The file is not a PDF, JPEG or PNG by its first bytes",
    "Send a file of one of these types; its name does not matter",
  ),
  LOW_QUALITY: row(
    [400, "LOW_QUALITY"],
    "The document cannot be read well enough",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  DATA_MISMATCH: row(
    [400, "DATA_MISMATCH"],
    "The document contradicts the data of its holder",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  EXPIRED: row(
    [400, "EXPIRED"],
    "The document is out of date",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  SUSPECTED_FRAUD: row(
    [400, "SUSPECTED_FRAUD"],
    "The document looks forged or edited",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  UNSUITABLE_DOCUMENT: row(
    [400, "UNSUITABLE_DOCUMENT"],
    "The document is of a type that is not accepted",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  INCOMPLETE: row(
    [400, "INCOMPLETE"],
    "Pages or sides of the document are missing",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  DOCUMENT_SUBMITTED: row(
    [409, "CONFLICT"],
    "The document {id} was submitted for verification",
    "Replace its file with PUT /documents/{id}; it cannot be deleted",
  ),
  BULK_UPLOAD_JOB_NOT_FOUND: row(
    [404, "BULK_UPLOAD_JOB_NOT_FOUND"],
    "No bulk job has the id {id}",
    "POST /customers/bulk/csv answers the jobId of the job it starts",
  ),
  INVALID_CSV: row(
    [400, "INVALID_INPUT"],
    "The file cannot be read as CSV: {why}",
    "Send UTF-8 with a header line; quote cells that contain commas, quotes or newlines",
  ),
  MISSING_COLUMNS: row(
    [400, "INVALID_INPUT"],
    "The header has no column {missing}",
    "Name every required column once in the first line",
  ),
  TOO_MANY_ROWS: row(
    [400, "INVALID_INPUT"],
    "The file has more than {limit} rows",
    "Send the rest in another file",
  ),
} as const satisfies Record<string, RefusalRow>;
