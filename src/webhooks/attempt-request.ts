import type { Reached } from "./receiver-connections.ts";

/** Characters of a header: Latin-1 without control characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that follow from the URL and the body. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "connection", "content-length"]);

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** HTTP Basic of the user name and password that a URL holds (spec/webhooks.md#endpoint-passwords). */
const basicOf = ({ username, password }: URL): string | undefined =>
  username === "" && password === ""
    ? undefined
    : `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`;

/** The bytes of an attempt, head and body (spec/webhooks.md#request). */
export const requestBytes = (
  { url, body, headers }: { url: string; body: Buffer; headers: Record<string, string> },
  { mayKeep }: Pick<Reached, "mayKeep">,
): Buffer => {
  const to = new URL(url);
  const lines = [`POST ${to.pathname}${to.search} HTTP/1.1`, `host: ${to.host}`];
  const basic = basicOf(to);
  if (basic !== undefined) lines.push(`authorization: ${basic}`);
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    if (!HEADER_VALUE.test(value))
      throw new Error(`Expected Latin-1 on one line in the header ${name} but found more`);
    lines.push(`${name}: ${value}`);
  }
  lines.push(`connection: ${mayKeep ? "keep-alive" : "close"}`, `content-length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
};
