import { randomBytes } from "node:crypto";
import type { ScenarioStepOf } from "../contract/control/scenarios.ts";
import { type Answers, filled, filledHeader, filledPath } from "./filled-references.ts";
import type { ScriptCall } from "./script-call.ts";
import type { ScriptPath } from "./script-problem.ts";

/** An encoded form and its media type. */
interface EncodedForm {
  contentType: string;
  bytes: Buffer;
}

/** Quotes and line ends inside a name, as browsers encode them. */
const inQuotes = (text: string) =>
  text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const fieldText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** A form with text fields and one file in the part `file` (multipart/form-data, RFC 7578). */
const formWith = (
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

/** A request with its references filled in, as it is sent. */
export const filledCall = (
  { method, path, headers = {}, body, file }: ScenarioStepOf<"request">["request"],
  at: ScriptPath,
  answers: Answers,
): ScriptCall => {
  const sent = body && (filled(body, [...at, "body"], answers) as object);
  const upload = file && (filled(file, [...at, "file"], answers) as typeof file);
  const form = upload && formWith({ ...sent }, upload);
  const text = sent && Buffer.from(JSON.stringify(sent));
  const type = form?.contentType ?? (text && "application/json");
  return {
    method,
    path: filledPath(path, [...at, "path"], answers),
    headers: {
      ...(type !== undefined && { "content-type": type }),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name.toLowerCase(),
          filledHeader(value, [...at, "headers", name], answers),
        ]),
      ),
    },
    body: form?.bytes ?? text,
  };
};
