import {
  BulkJob,
  BulkUpload,
  MAX_CSV_BYTES,
  StartedBulkJob,
} from "../../contract/customers/bulk-customers.ts";
import * as bulkImports from "../../domain/customers/bulk-imports.ts";
import { endpoint } from "../../http/endpoint.ts";
import { caughtUp } from "../../runtime/caught-up.ts";
import { readBulkCsv } from "./bulk-csv.ts";

export const uploadCustomersCsv = endpoint({
  operationId: "uploadCustomersCsv",
  summary: "Import customers from a CSV file as a job",
  method: "POST",
  path: "/customers/bulk/csv",
  permission: "MANAGE",
  upload: { maxFileBytes: MAX_CSV_BYTES, tooLarge: "PAYLOAD_TOO_LARGE" },
  body: BulkUpload,
  replies: [202, StartedBulkJob],
  refuses: [],
  handle: async ({ body }, { commit, engine }) => {
    const read = await readBulkCsv(body.file.bytes);
    // An earlier import may still be running.
    await caughtUp(engine);
    return commit(bulkImports.startBulkImport, read);
  },
});

export const getBulkJob = endpoint({
  operationId: "getBulkJob",
  summary: "Get the progress and the errors of a bulk import",
  method: "GET",
  path: "/customers/bulk/jobs/{jobId}",
  permission: "VIEW",
  replies: [200, BulkJob],
  refuses: ["BULK_UPLOAD_JOB_NOT_FOUND"],
  handle: (input, { read }) => read(bulkImports.getBulkJob, input),
});
