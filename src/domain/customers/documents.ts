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
import {
  DOCUMENT_OUTCOMES,
  type DocumentOutcome,
  documentOutcome,
} from "../outcomes/document-outcomes.ts";
import { type ChosenRow, chooseRow, refuseByRow, useRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
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

/** Kinds of holders, by the prefix of their id (spec/documents.md#holder). */
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

/** Refuses an unknown holder and a deleted customer. */
const requireHolder = (view: View, id: string) => {
  const [kind = ""] = id.split(":");
  const holder = Object.hasOwn(HOLDER_KINDS, kind) ? HOLDER_KINDS[kind] : undefined;
  if (holder?.isThere(view, id)) return;
  const details = { field: "documentHolder", id, resource: kind };
  refuse(holder?.unknown ?? "REFERENCE_NOT_FOUND", details, deletedWords(view, id));
};

/** Refuses a document by the ending of its file name (spec/documents.md#file-name-endings). */
const requireAcceptable = (view: View, fileName: string, holderId: string): ChosenRow => {
  const { row } = documentOutcome(fileName);
  const about = [holderId, view.get("BeneficialOwner", holderId)?.customerId];
  const chosen = chooseRow(view, { table: "document", row, about });
  const { outcome } = outcomeFor<DocumentOutcome>(DOCUMENT_OUTCOMES, chosen.row);
  if (outcome.refusal)
    refuseByRow(chosen, outcome.refusal, { details: { field: "file", suffix: chosen.row } });
  return chosen;
};

/** Takes a document that is acceptable, and notes the row that decided it. */
const acceptDocument = (draft: Draft, fileName: string, holderId: string) => {
  const row = useRow(draft, requireAcceptable(draft, fileName, holderId));
  draft.decidedBy(ruleName("document", row));
};

/** Makes the checks of POST before any byte is stored: the file, its holder, its ending. */
export const checkUpload: Reading<DocumentInput, void> = (view, { file, documentHolder }) => {
  requireDocumentFile(file);
  requireHolder(view, documentHolder);
  requireAcceptable(view, file.fileName, documentHolder);
};

const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** The stored members of an uploaded document; its bytes are already kept under their hash. */
const membersOf = ({ file, ...members }: DocumentReplacement, sha256: string) => ({
  ...present(members),
  fileName: file.fileName,
  file: { sha256, mediaType: requireDocumentFile(file), sizeBytes: file.bytes.length },
});

/**
 * POST /documents: stores a document and sends no event (spec/documents.md#creation).
 * @param input.sha256 hash under which the file's bytes are stored
 */
export const createDocument: Rule<{ body: DocumentInput; sha256: string }, Document> = (
  draft,
  { body, sha256 },
  moment,
) => {
  checkUpload(draft, body, moment);
  acceptDocument(draft, body.file.fileName, body.documentHolder);
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

/** Finds the document that a path names, else 404. */
export const documentByPath: Reading<ByPath, DocumentRecord> = (view, { params }) =>
  view.get("Document", params.documentId) ??
  refuse("REFERENCE_NOT_FOUND", { id: params.documentId, resource: "Document" });

interface ReplacementInput extends ByPath {
  body: DocumentReplacement;
}

/** Makes the checks of PUT before any byte is stored: the file and its ending. */
export const checkReplacement: Reading<ReplacementInput, void> = (
  view,
  { params, body: { file } },
  moment,
) => {
  const { documentHolder } = documentByPath(view, { params }, moment);
  requireDocumentFile(file);
  requireAcceptable(view, file.fileName, documentHolder);
};

/**
 * PUT /documents/{documentId}: replaces the file and keeps the holder
 * (spec/documents.md#replacement). Omitted optional fields are unchanged; a submitted document
 * stays submitted.
 */
export const replaceDocument: Rule<ReplacementInput & { sha256: string }, Document> = (
  draft,
  { params, body, sha256 },
  moment,
) => {
  const document = documentByPath(draft, { params }, moment);
  checkReplacement(draft, { params, body }, moment);
  acceptDocument(draft, body.file.fileName, document.documentHolder);
  const replaced: DocumentRecord = {
    ...document,
    ...membersOf(body, sha256),
    updatedAtMs: moment.atMs,
  };
  draft.put("Document", replaced);
  return showDocument(draft, replaced);
};

/** GET /documents/{documentId}: the document's fields, never its file. */
export const getDocument: Reading<ByPath, Document> = (view, input, moment) =>
  showDocument(view, documentByPath(view, input, moment));

/** GET /documents, newest first (spec/documents.md#reads). */
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

/** DELETE /documents/{documentId}; 409 for a submitted document (spec/documents.md#deletion). */
export const deleteDocument: Rule<ByPath, void> = (draft, input, moment) => {
  const { id, submittedAtMs } = documentByPath(draft, input, moment);
  if (submittedAtMs !== undefined)
    refuse("DOCUMENT_SUBMITTED", { id, submittedAt: instant(submittedAtMs) });
  draft.del("Document", id);
};

/**
 * Marks the documents of a customer and its owners as submitted
 * (spec/verifications.md#submitted-documents). No shown field changes.
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
