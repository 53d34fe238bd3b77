import { typeLength } from "../domain/customers/document-files.ts";

const LINE = "\r\n";
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i;
/** A part with a file; its name stays, since its ending decides (spec/documents.md#file-name-endings). */
const IS_FILE = /;\s*filename\*?=/i;

/** A file without its bytes; its first ones tell the type (spec/documents.md#file-type). */
const placeholder = (file: Buffer, bytesFor: (bytes: Uint8Array) => Buffer): Buffer => {
  const known = typeLength(file);
  return Buffer.concat([file.subarray(0, known), bytesFor(file.subarray(known))]);
};

/**
 * A form (RFC 7578) with other bytes in place of its files. What cannot be read as a form is
 * replaced as a whole.
 */
export const withoutFiles = (
  form: Buffer,
  contentType: string,
  bytesFor: (bytes: Uint8Array) => Buffer,
): Buffer => {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? bare ?? ""}`;
  const first = delimiter === "--" ? -1 : form.indexOf(delimiter);
  if (first < 0) return bytesFor(form);
  const shown: Buffer[] = [form.subarray(0, first)];
  for (let at = first; at < form.length; ) {
    const next = form.indexOf(LINE + delimiter, at + delimiter.length);
    const end = next < 0 ? form.length : next;
    const head = form.indexOf(LINE + LINE, at);
    const from = head < 0 || head > end ? end : head + LINE.length * 2;
    const isFile = IS_FILE.test(form.subarray(at, from).toString("latin1"));
    shown.push(form.subarray(at, from));
    const content = form.subarray(from, end);
    shown.push(isFile ? placeholder(content, bytesFor) : content);
    if (next >= 0) shown.push(form.subarray(next, next + LINE.length));
    at = next < 0 ? form.length : next + LINE.length;
  }
  return Buffer.concat(shown);
};
