import type { UploadedFile } from "../../contract/customers/uploads.ts";
import { all, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { DocumentMediaType } from "../records/upload-records.ts";

/** First bytes of the accepted file types (ISO 32000-2 7.5.2, ITU T.81 B.1.1, PNG 5.2). */
const FIRST_BYTES: readonly { mediaType: DocumentMediaType; bytes: readonly number[] }[] = [
  { mediaType: "application/pdf", bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { mediaType: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { mediaType: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
];

const typeOf = (bytes: Uint8Array) =>
  FIRST_BYTES.find((one) => one.bytes.every((byte, at) => bytes[at] === byte));

/** Number of first bytes that tell the type of a file; 0 when it is of none. */
export const typeLength = (bytes: Uint8Array) => typeOf(bytes)?.bytes.length ?? 0;

/**
 * Reads the type of a file from its first bytes alone (spec/documents.md#file-type). Refuses an
 * empty file and any other type. The size is checked while the file is read.
 */
export const requireDocumentFile = ({ bytes }: UploadedFile): DocumentMediaType => {
  if (bytes.length === 0) refuse("INVALID_INPUT", { field: "file" }, "The file is empty");
  const type = typeOf(bytes);
  return type?.mediaType ?? refuse("FILE_TYPE_NOT_ALLOWED", { field: "file" });
};

/** Whether any record names the bytes with this hash, so that they are still needed. */
export const isFileNamed = (view: View, sha256: string) =>
  view.ids("Document", "byFile", sha256).length > 0;

/** Hashes of the files that the documents of a world name. */
export const namedFiles = (view: View): string[] => [
  ...new Set(all(view, "Document").map(({ file }) => file.sha256)),
];
