import { type RefusalRow, row } from "../core/refusal-row.ts";

/**
 * Errors of customers, file forms, documents and bulk imports (spec/documents.md#errors,
 * spec/bulk-customers.md#errors).
 */
export const CUSTOMER_REFUSALS = {
  MISSING_MANDATORY_USER_INFO: row(
    "MISSING_MANDATORY_USER_INFO",
    "{field} of the customer is missing",
    "Send it with the customer or the request, or omit the option that needs it",
  ),
  INVALID_UMA_ADDRESS: row(
    "INVALID_UMA_ADDRESS",
    "Expected a UMA address but found {value}",
    "Use $ and up to 63 of a-z 0-9 - _ . + in front of @ and a domain name",
  ),
  USER_NOT_FOUND_IN_BODY: row(
    "INVALID_INPUT",
    "{field} is not the id of a customer: {value}",
    "Use an id from GET /customers",
  ),
  USER_NOT_READY: row(
    "USER_NOT_READY",
    "The paying customer is {customerStatus}, not APPROVED",
    "Pay from a customer whose KYC or KYB status is APPROVED",
  ),
  USER_NOT_FOUND: row("USER_NOT_FOUND", "No customer {id}", "GET /customers lists them"),
  SCA_NOT_REQUIRED: row(
    "CONFLICT",
    "Strong authentication is not required of this customer",
    "Continue without it: no customer of the simulator is asked for it",
  ),
  OWNERSHIP_VERIFICATION_NOT_REQUIRED: row(
    "CONFLICT",
    "The external account {externalAccountId} needs no proof of ownership",
    "Pay to it as it is",
  ),
  NO_OWNERSHIP_CHALLENGE: row(
    "CONFLICT",
    "The external account {externalAccountId} has no open challenge of ownership",
    "Pay to it as it is: it needs no proof",
  ),
  CONTACT_VERIFICATION_NOT_REQUIRED: row(
    "CONFLICT",
    "The contacts of the customer {customerId} need not be verified",
    "Continue without it: no customer of the simulator is asked for it",
  ),
  ALREADY_VERIFIED: row(
    "INVALID_INPUT",
    "The customer {value} is {customerStatus} already",
    "PATCH /_sim/customers/{value} sets another status",
  ),
  END_USER_TERMS_VERSION_NOT_FOUND: row(
    "END_USER_TERMS_VERSION_NOT_FOUND",
    "No end-user terms have the version {value}",
    "GET /customers/end-user-terms names the version in force",
  ),
  END_USER_TERMS_NOT_ACCEPTED: row(
    "END_USER_TERMS_NOT_ACCEPTED",
    "The customer {customerId} has not accepted the end-user terms",
    "Record it with PATCH /customers/{customerId} and endUserTermsConsent",
  ),
  UMA_ADDRESS_EXISTS: row(
    "UMA_ADDRESS_EXISTS",
    "The UMA address {value} is already used",
    "Choose another one, or omit it to get a new one",
  ),
  PLATFORM_CUSTOMER_ID_EXISTS: row(
    "CONFLICT",
    "The platformCustomerId {value} is used by an active customer",
    "Choose another one, or omit it to get a new one",
  ),
  CUSTOMER_DELETED: row(
    "CUSTOMER_DELETED",
    "The customer {id} is already deleted",
    "GET /customers/{id} still shows it",
  ),
  BROKEN_FORM: row(
    "INVALID_REQUEST_FORMAT",
    "The form could not be read: {why}",
    "Send complete multipart/form-data with its boundary, as curl -F file=@name does",
  ),
  FILE_TOO_LARGE: row(
    "INVALID_INPUT",
    "The file is over {limitBytes} bytes",
    "Send a smaller file",
  ),
  FILE_TYPE_NOT_ALLOWED: row(
    "INVALID_INPUT",
    "The file is not a PDF, JPEG or PNG by its first bytes",
    "Send a file of one of these types; its name does not matter",
  ),
  LOW_QUALITY: row(
    "LOW_QUALITY",
    "The document cannot be read well enough",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  DATA_MISMATCH: row(
    "DATA_MISMATCH",
    "The document does not match its holder's data",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  EXPIRED: row(
    "EXPIRED",
    "The document has expired",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  SUSPECTED_FRAUD: row(
    "SUSPECTED_FRAUD",
    "The document looks forged or edited",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  UNSUITABLE_DOCUMENT: row(
    "UNSUITABLE_DOCUMENT",
    "The document is of a type that is not accepted",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  INCOMPLETE: row(
    "INCOMPLETE",
    "Pages or sides of the document are missing",
    "A file name ending in {suffix} simulates this; send the file under another name",
  ),
  DOCUMENT_SUBMITTED: row(
    "CONFLICT",
    "The document {id} was submitted for verification",
    "Replace its file with PUT /documents/{id}; it cannot be deleted",
  ),
  BULK_UPLOAD_JOB_NOT_FOUND: row(
    "BULK_UPLOAD_JOB_NOT_FOUND",
    "No bulk job {id}",
    "POST /customers/bulk/csv returns the jobId of the job it starts",
  ),
  INVALID_CSV: row(
    "INVALID_INPUT",
    "The file cannot be read as CSV: {why}",
    "Send UTF-8 with a header line; quote cells that contain commas, quotes or newlines",
  ),
  MISSING_COLUMNS: row(
    "INVALID_INPUT",
    "The header has no column {missing}",
    "Name every required column once in the first line",
  ),
  TOO_MANY_ROWS: row(
    "INVALID_INPUT",
    "The file has more than {limit} rows",
    "Send the rest in another file",
  ),
} as const satisfies Record<string, RefusalRow>;
