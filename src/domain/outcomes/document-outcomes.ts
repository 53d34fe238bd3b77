import type { RefusalWord } from "../../contract/refusals.ts";
import { outcomeFor } from "./outcomes.ts";

/** What is found when a document is looked at; without a refusal it is taken. */
export interface DocumentOutcome {
  /** The platform digest's words for it (15.1). */
  says: string;
  refusal?: RefusalWord;
}

/** What is found, by the last three characters of the file's name before its extension (O-59). */
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
    says: "the document is out of date",
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
  otherwise: { says: "the document is taken" },
} as const satisfies Record<string, DocumentOutcome>;

/** What a file's name ends in, its folders and its extension left off: `201` of `a/id-201.png`. */
export const fileNameSuffix = (fileName: string): string => {
  const name = fileName.split(/[\\/]/).at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  return (dot > 0 ? name.slice(0, dot) : name).slice(-3);
};

/** What is found of a document with such a file name, and the ending that decided it. */
export const documentOutcome = (fileName: string): { row: string; outcome: DocumentOutcome } =>
  outcomeFor<DocumentOutcome>(DOCUMENT_OUTCOMES, fileNameSuffix(fileName));
