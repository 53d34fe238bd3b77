import {
  BulkJob,
  BulkUpload,
  MAX_CSV_BYTES,
  StartedBulkJob,
} from "../../contract/customers/bulk-customers.ts";
import * as bulkImports from "../../domain/customers/bulk-imports.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { caughtUp } from "../../runtime/caught-up.ts";
import { readBulkCsv } from "./bulk-csv.ts";

export const uploadCustomersCsv = endpoint("uploadCustomersCsv", {
  summary: "Import customers from a CSV file as a job",
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

export const getBulkJob = endpoint("getBulkJob", {
  summary: "Get the progress and the errors of a bulk import",
  replies: [200, BulkJob],
  refuses: ["BULK_UPLOAD_JOB_NOT_FOUND"],
  handle: (input, { read }) => read(bulkImports.getBulkJob, input),
});
