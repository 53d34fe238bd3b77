import * as z from "zod";

/** A file of a form, as it came. */
export interface UploadedFile {
  /**
   * The name that the client gave; it is shown, and never used as a path
   * (spec/documents.md#file-name).
   */
  fileName: string;
  bytes: Uint8Array;
}

const isFile = (value: unknown): value is UploadedFile =>
  typeof value === "object" &&
  value !== null &&
  "fileName" in value &&
  "bytes" in value &&
  value.bytes instanceof Uint8Array;

const MAX_FILE_NAME = 255;

const isFileName = (name: string) =>
  name.length >= 1 && name.length <= MAX_FILE_NAME && !/\p{Cc}/u.test(name);

/** The part `file` of a form; its name has 1 to 255 characters without control characters. */
export const FilePart = z
  .custom<UploadedFile>(isFile, "Expected one file")
  .refine(
    ({ fileName }) => isFileName(fileName),
    `Expected a file name of 1 to ${MAX_FILE_NAME} characters without control characters`,
  )
  .meta({ type: "string", format: "binary" });
