import * as z from "zod";
import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  Document,
  DocumentInput,
  DocumentReplacement,
  DocumentsQuery,
  MAX_DOCUMENT_BYTES,
} from "../../contract/customers/documents.ts";
import * as documents from "../../domain/customers/documents.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const upload = { maxFileBytes: MAX_DOCUMENT_BYTES, tooLarge: "FILE_TOO_LARGE" } as const;

/** Refusals of a document by the ending of its file name (spec/documents.md#file-name-endings). */
const FILE_REFUSALS = [
  "FILE_TYPE_NOT_ALLOWED",
  "LOW_QUALITY",
  "DATA_MISMATCH",
  "EXPIRED",
  "SUSPECTED_FRAUD",
  "UNSUITABLE_DOCUMENT",
  "INCOMPLETE",
] as const;

export const createDocument = endpoint("createDocument", {
  summary: "Upload a document of a customer or of a beneficial owner",
  upload,
  body: DocumentInput,
  replies: [201, Document],
  refuses: ["USER_NOT_FOUND", "REFERENCE_NOT_FOUND", ...FILE_REFUSALS],
  handle: ({ body }, { commit, files, read }) => {
    read(documents.checkUpload, body);
    return files.keepFor(body.file.bytes, (sha256) =>
      commit(documents.createDocument, { body, sha256 }),
    );
  },
});

export const listDocuments = endpoint("listDocuments", {
  summary: "List documents, newest first",
  query: { ...DocumentsQuery, ...PageQuery },
  replies: [200, pageOf(Document)],
  refuses: [],
  handle: (input, { read }) => read(documents.listDocuments, input),
});

export const getDocument = endpoint("getDocument", {
  summary: "Get one document, without its file",
  replies: [200, Document],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(documents.getDocument, input),
});

export const replaceDocument = endpoint("replaceDocument", {
  summary: "Replace the file of a document; omitted fields are unchanged",
  upload,
  body: DocumentReplacement,
  replies: [200, Document],
  refuses: ["REFERENCE_NOT_FOUND", ...FILE_REFUSALS],
  subject: documents.documentByPath,
  handle: ({ params, body }, { commit, files, read }) => {
    read(documents.checkReplacement, { params, body });
    return files.keepFor(body.file.bytes, (sha256) =>
      commit(documents.replaceDocument, { params, body, sha256 }),
    );
  },
});

export const deleteDocument = endpoint("deleteDocument", {
  summary: "Delete a document that was not submitted for verification",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND", "DOCUMENT_SUBMITTED"],
  handle: (input, { commit }) => commit(documents.deleteDocument, input),
});
