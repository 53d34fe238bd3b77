import { randomBytes } from "node:crypto";

/** An encoded form and its media type. */
export interface EncodedForm {
  contentType: string;
  bytes: Buffer;
}

/** Quotes and line ends inside a name, as browsers encode them. */
const inQuotes = (text: string) =>
  text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const fieldText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** A form with text fields and one file in the part `file` (multipart/form-data, RFC 7578). */
export const formWith = (
  fields: Readonly<Record<string, unknown>>,
  file: { name: string; text: string },
): EncodedForm => {
  const boundary = `service-sim-${randomBytes(12).toString("hex")}`;
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const parts = [
    ...Object.entries(fields).map(([name, value]) =>
      part(`name="${inQuotes(name)}"`, fieldText(value)),
    ),
    part(`name="file"; filename="${inQuotes(file.name)}"`, file.text),
    `--${boundary}--\r\n`,
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(parts.join("")),
  };
};
