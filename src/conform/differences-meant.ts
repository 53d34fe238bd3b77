import { fitsPattern } from "./path-patterns.ts";

/** A difference that is meant, with its reason (spec/conform.md#differences-that-are-meant). */
export interface MeantDifference {
  method: string;
  /** Path template, or a path with `*` for any part. */
  path: string;
  /** A status, with `*` for any part. */
  status: string;
  /** JSON Pointer with `*` for any part; or `status`, `operation` for what is not described. */
  pointer: string;
  reason: string;
}

/** Raised for a file of meant differences that cannot be read. */
export class BrokenIgnore extends Error {
  override readonly name = "BrokenIgnore";
}

/** Places of a status, and of an operation or a webhook, that the document does not have. */
export const NOT_DESCRIBED = { status: "status", operation: "operation" } as const;

const LINE = /^([A-Za-z*]+)\s+(\S+)\s+([0-9*]{1,3})\s+(\S+)\s+#\s*(\S.*)$/;
const FORM = "METHOD /path status pointer # reason";

/**
 * Reads the lines of a `.conformignore`.
 * @throws BrokenIgnore for a line of another form: one without a reason is one
 */
export const readMeant = (text: string): MeantDifference[] =>
  text.split("\n").flatMap((raw, at) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return [];
    const [, method, path, status, pointer, reason] = LINE.exec(line) ?? [];
    if (method === undefined || !path || !status || !pointer || !reason)
      throw new BrokenIgnore(`Expected "${FORM}" in line ${at + 1} but found "${line}"`);
    return [{ method, path, status, pointer, reason }];
  });

/** The entry that a difference is meant by. */
export const meantBy = (
  meant: readonly MeantDifference[],
  { operation, status, path }: { operation: string; status: string; path: string },
): MeantDifference | undefined => {
  const [method = "", at = ""] = operation.split(" ");
  return meant.find(
    (one) =>
      fitsPattern(one.method, method) &&
      fitsPattern(one.path, at) &&
      fitsPattern(one.status, status) &&
      fitsPattern(one.pointer, path),
  );
};
