/** One call that was answered, or one webhook that was sent (spec/conform.md#traffic). */
export type Exchange =
  | {
      kind: "call";
      method: string;
      path: string;
      status: number;
      /** Parsed; nothing without a body, and a text that is no JSON as it is. */
      requestBody: unknown;
      responseBody: unknown;
      /** Bodies that are not there as a whole, each with the reason. */
      notWhole?: { requestBody?: string; responseBody?: string };
    }
  | { kind: "webhook"; body: unknown };

/** Raised for traffic that cannot be read; its message says where. */
export class BrokenTraffic extends Error {
  override readonly name = "BrokenTraffic";
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A body as it was logged: JSON, another text, or nothing. */
export const bodyIn = (text: unknown): unknown => {
  if (typeof text !== "string") return text ?? undefined;
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Says why only the beginning of a body is there. */
export const cutReason = (characters: number) =>
  `Only the beginning is stored of its ${characters} characters.`;

/** Reasons of a line of the log, whose cut bodies are texts. */
const notWholeIn = ({ cut }: Json) => {
  if (!isObject(cut)) return undefined;
  const reason = (characters: unknown) =>
    typeof characters === "number" ? cutReason(characters) : undefined;
  const [requestBody, responseBody] = [reason(cut.requestBody), reason(cut.responseBody)];
  return {
    ...(requestBody !== undefined && { requestBody }),
    ...(responseBody !== undefined && { responseBody }),
  };
};

const callIn = (one: Json, where: string): Exchange => {
  const notWhole = notWholeIn(one);
  const { method, path, status, requestBody, responseBody } = one;
  if (typeof method !== "string" || typeof path !== "string" || !Number.isInteger(status))
    throw new BrokenTraffic(
      `Expected method, path and status ${where} but found ${Object.keys(one).join(", ") || "none"}`,
    );
  return {
    kind: "call",
    method,
    path,
    status: status as number,
    requestBody: requestBody ?? undefined,
    responseBody: responseBody ?? undefined,
    ...(notWhole && { notWhole }),
  };
};

/** Lines of `{method, path, status, requestBody, responseBody}` and of `{webhook}`. */
const linesIn = (text: string): Exchange[] =>
  text.split("\n").flatMap((line, at): Exchange[] => {
    if (line.trim() === "") return [];
    const where = `in line ${at + 1}`;
    let one: unknown;
    try {
      one = JSON.parse(line);
    } catch {
      throw new BrokenTraffic(`Expected one JSON object ${where} but found text that is cut off`);
    }
    if (!isObject(one)) throw new BrokenTraffic(`Expected one JSON object ${where}`);
    return ["webhook" in one ? { kind: "webhook", body: one.webhook } : callIn(one, where)];
  });

const NO_TEXT = "Its text is not in the file.";

/** Tells of a body that was there and was not written down. */
const lacksText = (content: unknown, bytes: unknown): boolean => {
  const size = isObject(content) && typeof content.size === "number" ? content.size : bytes;
  const hasText = isObject(content) && typeof content.text === "string" && content.text !== "";
  return typeof size === "number" && size > 0 && !hasText;
};

const harText = (content: unknown): unknown => {
  if (!isObject(content) || typeof content.text !== "string") return undefined;
  const isBase64 = content.encoding === "base64";
  return bodyIn(isBase64 ? Buffer.from(content.text, "base64").toString("utf8") : content.text);
};

/** The entries of a HAR 1.2 file. */
const harIn = (log: Json): Exchange[] => {
  if (!Array.isArray(log.entries))
    throw new BrokenTraffic("Expected log.entries of HAR 1.2 but found none");
  return log.entries.map((entry, at) => {
    const { request, response } = isObject(entry) ? entry : ({} as Json);
    if (!isObject(request) || !isObject(response))
      throw new BrokenTraffic(`Expected request and response in log.entries[${at}]`);
    const call = {
      method: request.method,
      path: request.url,
      status: response.status,
      requestBody: harText(request.postData),
      responseBody: harText(response.content),
    };
    const notWhole = {
      ...(lacksText(request.postData, request.bodySize) && { requestBody: NO_TEXT }),
      ...(lacksText(response.content, undefined) && { responseBody: NO_TEXT }),
    };
    const read = callIn(call, `in log.entries[${at}]`);
    return Object.keys(notWhole).length > 0 ? { ...read, notWhole } : read;
  });
};

/**
 * Reads traffic: HAR 1.2, or lines of JSON.
 * @throws BrokenTraffic for anything else, with the line or the entry
 */
export const readTraffic = (text: string): Exchange[] => {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    if (/^\s*\{\s*"log"/.test(text))
      throw new BrokenTraffic("Expected a whole HAR file but found one that is cut off");
    return linesIn(text);
  }
  if (isObject(whole) && isObject(whole.log)) return harIn(whole.log);
  return linesIn(text);
};
