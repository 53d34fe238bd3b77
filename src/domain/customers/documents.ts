import type {
  Document,
  DocumentInput,
  DocumentReplacement,
} from "../../contract/customers/documents.ts";
import type { RefusalWord } from "../../contract/refusals.ts";
import {
  type Draft,
  find,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { deletedWords } from "../core/unknown-customers.ts";
import { documentOutcome } from "../outcomes/document-outcomes.ts";
import type { DocumentRecord } from "../records/upload-records.ts";
import { requireDocumentFile } from "./document-files.ts";

export const showDocument = (_view: View, document: DocumentRecord): Document => {
  const { file: _file, submittedAtMs: _submitted, createdAtMs, updatedAtMs, ...shown } = document;
  return { ...shown, createdAt: instant(createdAtMs), updatedAt: instant(updatedAtMs) };
};

interface HolderKind {
  isThere(view: View, id: string): boolean;
  unknown: RefusalWord;
}

/** Who may hold documents, by the kind in front of the id (decisions, Unknown ids in a body). */
const HOLDER_KINDS: Readonly<Record<string, HolderKind>> = {
  Customer: {
    isThere: (view, id) => view.get("Customer", id)?.isDeleted === false,
    unknown: "USER_NOT_FOUND",
  },
  BeneficialOwner: {
    isThere: (view, id) => view.get("BeneficialOwner", id) !== undefined,
    unknown: "REFERENCE_NOT_FOUND",
  },
};

/** Refuses a holder that is not there; a deleted customer is not. */
const requireHolder = (view: View, id: string) => {
  const [kind = ""] = id.split(":");
  const holder = Object.hasOwn(HOLDER_KINDS, kind) ? HOLDER_KINDS[kind] : undefined;
  if (holder?.isThere(view, id)) return;
  const details = { field: "documentHolder", id, resource: kind };
  refuse(holder?.unknown ?? "REFERENCE_NOT_FOUND", details, deletedWords(view, id));
};

/** Looks at a document as the service would; its file's name says what is found (O-59). */
const requireAcceptable = (fileName: string) => {
  const { row, outcome } = documentOutcome(fileName);
  if (outcome.refusal) refuse(outcome.refusal, { field: "file", suffix: row });
};

/**
 * Refuses what POST and PUT refuse, before anything of a file is stored. Order: the file, its
 * holder, what is found in it.
 */
export const checkUpload: Reading<DocumentReplacement & { documentHolder?: string }, void> = (
  view,
  { file, documentHolder },
) => {
  requireDocumentFile(file);
  if (documentHolder !== undefined) requireHolder(view, documentHolder);
  requireAcceptable(file.fileName);
};

const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** What a form says of its document; its bytes are kept under their hash already. */
const membersOf = ({ file, ...members }: DocumentReplacement, sha256: string) => ({
  ...present(members),
  fileName: file.fileName,
  file: { sha256, mediaType: requireDocumentFile(file), sizeBytes: file.bytes.length },
});

/**
 * POST /documents (platform digest 7.2). No event tells of it.
 * @param input.sha256 under which the file's bytes were stored
 */
export const createDocument: Rule<{ body: DocumentInput; sha256: string }, Document> = (
  draft,
  { body, sha256 },
  moment,
) => {
  checkUpload(draft, body, moment);
  const document: DocumentRecord = {
    id: moment.newId("Document"),
    documentHolder: body.documentHolder,
    ...membersOf(body, sha256),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Document", document);
  return showDocument(draft, document);
};

interface ByPath {
  params: { documentId: string };
}

/** The document a path names; 404 when there is none. */
export const documentByPath: Reading<ByPath, DocumentRecord> = (view, { params }) =>
  view.get("Document", params.documentId) ??
  refuse("REFERENCE_NOT_FOUND", { id: params.documentId, resource: "Document" });

/**
 * PUT /documents/{documentId} (platform digest 7.2): another file for the same holder. Optional
 * members that are not sent stay, and so does whether it was submitted.
 */
export const replaceDocument: Rule<
  ByPath & { body: DocumentReplacement; sha256: string },
  Document
> = (draft, { params, body, sha256 }, moment) => {
  const document = documentByPath(draft, { params }, moment);
  checkUpload(draft, body, moment);
  const replaced: DocumentRecord = {
    ...document,
    ...membersOf(body, sha256),
    updatedAtMs: moment.atMs,
  };
  draft.put("Document", replaced);
  return showDocument(draft, replaced);
};

/** GET /documents/{documentId}: what is known of it, never the file. */
export const getDocument: Reading<ByPath, Document> = (view, input, moment) =>
  showDocument(view, documentByPath(view, input, moment));

/** GET /documents, newest first. */
export const listDocuments: Reading<ListInput<{ documentHolder?: string | undefined }>, unknown> = (
  view,
  input,
) =>
  page(view, {
    kind: "Document",
    input,
    indexed: [["byHolder", input.query.documentHolder]],
    show: showDocument,
  });

/** DELETE /documents/{documentId}; 409 once it was submitted for verification (O-59). */
export const deleteDocument: Rule<ByPath, void> = (draft, input, moment) => {
  const { id, submittedAtMs } = documentByPath(draft, input, moment);
  if (submittedAtMs !== undefined)
    refuse("DOCUMENT_SUBMITTED", { id, submittedAt: instant(submittedAtMs) });
  draft.del("Document", id);
};

/**
 * Notes that a verification takes up the documents of these holders, who are a customer and its
 * beneficial owners. Nothing that is shown of them changes.
 */
export const submitDocumentsOf = (
  draft: Draft,
  holderIds: readonly string[],
  { atMs }: Pick<Moment, "atMs">,
) => {
  for (const holderId of holderIds)
    for (const document of find(draft, "Document", ["byHolder", holderId]))
      if (document.submittedAtMs === undefined)
        draft.put("Document", { ...document, submittedAtMs: atMs });
};
