import { stableWords } from "../../contract/core/stable-words.ts";
import type { UploadedFile } from "../../contract/customers/uploads.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { HttpRequest } from "../message/http-request.ts";
import { announcedBytes, readBytes, requireNoCoding } from "./request-body.ts";

/** A form with one file, in the part `file` (multipart/form-data, RFC 7578). */
export interface Upload {
  maxFileBytes: number;
  /** Refusal of a larger file. */
  tooLarge: "PAYLOAD_TOO_LARGE" | "FILE_TOO_LARGE";
}

/** Bytes that a form may have beside its file: boundaries, headers of parts, text fields. */
const FORM_ALLOWANCE_BYTES = 64 * 1024;
const MAX_PARTS = 100;
const FORM_TYPE = "multipart/form-data";

/** Text fields by name, and files; a list for repeated names. */
type Form = Record<string, unknown>;

const REFUSE_TOO_LARGE = {
  PAYLOAD_TOO_LARGE: (limitBytes: number) =>
    refuse("PAYLOAD_TOO_LARGE", { field: "file", limitBytes }),
  FILE_TOO_LARGE: (limitBytes: number) => refuse("FILE_TOO_LARGE", { field: "file", limitBytes }),
} as const;

const brokenForm = (why: string) => refuse("BROKEN_FORM", { why });

const mediaTypeOf = (request: HttpRequest) => {
  const [media = ""] = (request.headers.get("content-type") ?? "").split(";");
  return media.trim().toLowerCase();
};

/** Values by name, in the order of the form. */
class Parts {
  private readonly byName = new Map<string, unknown[]>();

  add(name: string | undefined, value: unknown) {
    if (name === undefined) return;
    const values = this.byName.get(name) ?? [];
    values.push(value);
    this.byName.set(name, values);
  }

  toForm(): Form {
    const entries = [...this.byName].map(([name, values]): [string, unknown] => [
      name,
      values.length === 1 ? values[0] : values,
    ]);
    return Object.fromEntries(entries);
  }
}

/**
 * Parses the parts of a form. `Response.formData` on Node 20 refuses forms that other clients send,
 * with an epilogue or a `filename*`.
 */
const parseForm = async (bytes: Buffer, contentType: string): Promise<Form> => {
  const { Busboy } = await import("@fastify/busboy");
  return new Promise<Form>((resolve, reject) => {
    const parts = new Parts();
    const parser = new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      limits: { parts: MAX_PARTS, fieldSize: FORM_ALLOWANCE_BYTES },
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
    parser.on("field", (name, value) => parts.add(name, value));
    parser.on("file", (name, stream, fileName) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () => {
        const file: UploadedFile = { fileName, bytes: Buffer.concat(chunks) };
        parts.add(name, file);
      });
    });
    parser.on("partsLimit", () => reject(new Error(`it has over ${MAX_PARTS} parts`)));
    parser.on("error", reject);
    parser.on("finish", () => resolve(parts.toForm()));
    parser.end(bytes);
  });
};

const isFile = (value: unknown): value is UploadedFile =>
  typeof value === "object" && value !== null && "bytes" in value;

/**
 * Reads the form of a request as an object, with files as `UploadedFile`; nothing when it is empty.
 * Checks size, encoding, media type and form, in this order (spec/errors.md#order-of-checks).
 */
export const readUpload = async (
  request: HttpRequest,
  { maxFileBytes, tooLarge }: Upload,
): Promise<Form | undefined> => {
  const limitBytes = maxFileBytes + FORM_ALLOWANCE_BYTES;
  if (announcedBytes(request) > limitBytes) return REFUSE_TOO_LARGE[tooLarge](maxFileBytes);
  const media = mediaTypeOf(request);
  if (media !== FORM_TYPE) {
    // A body of another type is not read: its presence is enough.
    const sentType = media === "" ? "of no type" : media;
    if (await readBytes(request, 0)) return undefined;
    requireNoCoding(request);
    return refuse("UNSUPPORTED_MEDIA_TYPE", { found: sentType, expected: FORM_TYPE });
  }
  const bytes = await readBytes(request, limitBytes);
  if (!bytes) return REFUSE_TOO_LARGE[tooLarge](maxFileBytes);
  if (bytes.length === 0) return undefined;
  requireNoCoding(request);
  const type = request.headers.get("content-type") ?? "";
  const form = await parseForm(bytes, type).catch((error: unknown) =>
    brokenForm(stableWords(error, "it is not a form")),
  );
  const files = Object.values(form).flat().filter(isFile);
  if (files.some((file) => file.bytes.length > maxFileBytes))
    return REFUSE_TOO_LARGE[tooLarge](maxFileBytes);
  return form;
};

const withoutBytes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutBytes);
  return isFile(value) ? { fileName: value.fileName, sizeBytes: value.bytes.length } : value;
};

/** The form for the log, without the bytes of files. */
export const loggedForm = (form: unknown): unknown =>
  form === undefined
    ? undefined
    : Object.fromEntries(
        Object.entries(form as Form).map(([name, value]) => [name, withoutBytes(value)]),
      );
