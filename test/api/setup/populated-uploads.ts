import type { TestSimulator } from "../../setup/test-simulator.ts";
import { importCsv, postDocument } from "../../setup/uploads.ts";
import type { KnownIds } from "./populated.ts";

/** Ids of a customer's document, and of a bulk job that created no customer. */
export const populateUploads = async (
  world: TestSimulator,
  customerId: string,
): Promise<KnownIds> => {
  const { body: document } = await postDocument(world, customerId);
  const job = await importCsv(world, "umaAddress\n");
  return { documentId: document.id, jobId: job.id };
};
