import {
  type Document,
  type Operation,
  operationsOf,
  type PathOperation,
  resolved,
} from "./document.ts";

/** An error as the document tells it, with its remedy. */
export interface ErrorRow {
  /** Its name among the components. */
  word: string;
  code: string;
  status: number;
  /** Narrows the code, where several errors share it. */
  reason?: string;
  says: string;
  /** The remedy; by crypto mode where that decides. */
  next: string | Readonly<Record<string, string>>;
}

/** The remedies of an error, one for each crypto mode that has its own. */
export const remediesOf = ({ next }: ErrorRow): string[] =>
  typeof next === "string"
    ? [next]
    : Object.entries(next).map(([mode, says]) => `--crypto ${mode}: ${says}`);

const wordOf = ({ $ref }: { $ref?: string }) => $ref?.split("/").at(-1) ?? "";

/** The errors that an operation may answer. */
export const errorsOf = (document: Document, operation: Operation): ErrorRow[] =>
  (operation["x-errors"] ?? []).map((reference) => ({
    ...resolved<Omit<ErrorRow, "word">>(document, reference as Omit<ErrorRow, "word">),
    word: wordOf(reference),
  }));

/** Every error of a document, by its name. */
export const allErrors = (document: Document): ErrorRow[] => {
  const rowsByCode = new Map<string, ErrorRow>();
  for (const operation of operationsOf(document))
    for (const error of errorsOf(document, operation)) rowsByCode.set(error.word, error);
  return [...rowsByCode.values()].sort((a, b) => (a.word < b.word ? -1 : 1));
};

/** The operations that may answer an error. */
export const operationsWith = (document: Document, word: string): PathOperation[] =>
  operationsOf(document).filter((operation) =>
    (operation["x-errors"] ?? []).some((reference) => wordOf(reference) === word),
  );
