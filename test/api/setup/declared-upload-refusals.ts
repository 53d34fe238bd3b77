import { createPayer } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { postDocument, putDocument } from "../../setup/uploads.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import type { Refused } from "./refused.ts";

const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";
const NO_DOCUMENT = "Document:00000000-0000-7000-8000-000000000000";
const NOT_FOUND: Refused = { status: 404, code: "REFERENCE_NOT_FOUND" };

const uploaded = async (world: TestSimulator, fileName: string): Promise<Answer> =>
  postDocument(world, (await createPayer(world, 0)).customerId, { fileName });

const replaced = async (world: TestSimulator, fileName: string): Promise<Answer> => {
  const { body } = await uploaded(world, "id.pdf");
  return putDocument(world, body.id, { fileName });
};

/** Results that a document's name stands for (spec/documents.md#file-name-endings). */
const FOUND: Record<string, string> = {
  LOW_QUALITY: "id-201.pdf",
  DATA_MISMATCH: "id-202.pdf",
  EXPIRED: "id-203.pdf",
  SUSPECTED_FRAUD: "id-204.pdf",
  UNSUITABLE_DOCUMENT: "id-205.pdf",
  INCOMPLETE: "id-206.pdf",
};

const found = Object.entries(FOUND).flatMap(([code, fileName]): DeclaredRefusal[] => {
  const declared = { word: code, refused: { status: 400, code, field: "file" } };
  return [
    { operation: "createDocument", ...declared, meet: (world) => uploaded(world, fileName) },
    { operation: "replaceDocument", ...declared, meet: (world) => replaced(world, fileName) },
  ];
});

const text = Uint8Array.from(Buffer.from("plain text"));
const wrongType = {
  word: "FILE_TYPE_NOT_ALLOWED",
  refused: {
    status: 400,
    code: "INVALID_INPUT",
    reason: "FILE_TYPE_NOT_ALLOWED",
    field: "file",
  },
};

export const DECLARED_UPLOAD_REFUSALS: DeclaredRefusal[] = [
  ...found,
  {
    operation: "createDocument",
    ...wrongType,
    meet: async (world) =>
      postDocument(world, (await createPayer(world, 0)).customerId, { bytes: text }),
  },
  {
    operation: "replaceDocument",
    ...wrongType,
    meet: async (world) => {
      const { body } = await uploaded(world, "id.pdf");
      return putDocument(world, body.id, { bytes: text });
    },
  },
  {
    operation: "createDocument",
    word: "USER_NOT_FOUND",
    refused: { status: 404, code: "USER_NOT_FOUND", field: "documentHolder" },
    meet: (world) => postDocument(world, NOBODY),
  },
  {
    operation: "createDocument",
    word: "REFERENCE_NOT_FOUND",
    refused: { ...NOT_FOUND, field: "documentHolder" },
    meet: (world) => postDocument(world, NO_DOCUMENT),
  },
  {
    operation: "replaceDocument",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: (world) => putDocument(world, NO_DOCUMENT),
  },
  {
    operation: "getDocument",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("GET", `/documents/${NO_DOCUMENT}`),
  },
  {
    operation: "deleteDocument",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("DELETE", `/documents/${NO_DOCUMENT}`),
  },
  {
    operation: "deleteDocument",
    word: "DOCUMENT_SUBMITTED",
    refused: { status: 409, code: "CONFLICT", reason: "DOCUMENT_SUBMITTED" },
    meet: async (world) => {
      const { body } = await uploaded(world, "id.pdf");
      await world.call("POST", "/verifications", { customerId: body.documentHolder });
      return world.call("DELETE", `/documents/${body.id}`);
    },
  },
  {
    operation: "getBulkJob",
    word: "BULK_UPLOAD_JOB_NOT_FOUND",
    refused: { status: 404, code: "BULK_UPLOAD_JOB_NOT_FOUND" },
    meet: ({ call }) => call("GET", "/customers/bulk/jobs/none"),
  },
];
