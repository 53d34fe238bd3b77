import type { RefusalWord } from "../../contract/refusals.ts";
import { outcomeFor } from "./outcomes.ts";

/** The result of checking a document; without a refusal it is accepted. */
export interface DocumentOutcome {
  /** Description of the row, for listings. */
  says: string;
  refusal?: RefusalWord;
}

/**
 * Result by the last three characters of the file's name before its extension
 * (spec/documents.md#file-name-endings).
 */
export const DOCUMENT_OUTCOMES = {
  "201": {
    says: "the document is unreadable",
    refusal: "LOW_QUALITY",
  },
  "202": {
    says: "data differs",
    refusal: "DATA_MISMATCH",
  },
  "203": {
    says: "the document has expired",
    refusal: "EXPIRED",
  },
  "204": {
    says: "the document is forged or edited",
    refusal: "SUSPECTED_FRAUD",
  },
  "205": {
    says: "the type of document is not accepted",
    refusal: "UNSUITABLE_DOCUMENT",
  },
  "206": {
    says: "pages or sides are missing",
    refusal: "INCOMPLETE",
  },
  otherwise: { says: "the document is accepted" },
} as const satisfies Record<string, DocumentOutcome>;

/** Ending of a file name without its folders and extension: `201` for `a/id-201.png`. */
export const fileNameSuffix = (fileName: string): string => {
  const name = fileName.split(/[\\/]/).at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  return (dot > 0 ? name.slice(0, dot) : name).slice(-3);
};

/** The result for a document with this file name, and the ending that decided it. */
export const documentOutcome = (fileName: string): { row: string; outcome: DocumentOutcome } =>
  outcomeFor<DocumentOutcome>(DOCUMENT_OUTCOMES, fileNameSuffix(fileName));
