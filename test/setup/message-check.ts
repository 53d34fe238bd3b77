import { withoutPasswords } from "../../src/contract/core/endpoint-address.ts";
import type { Answer, Parsed } from "./test-simulator.ts";

/** Phrases of the validation library: none of them may reach a reply. */
export const LIBRARY_PHRASES =
  /Too (small|big)|Invalid (input|option|string|number|key|value|discriminator|element|email|UUID|URL|ISO)|Unrecognized key|, received |must match pattern|>=\d|<=\d|to have [<>=]/;

const errorOf = ({ body }: Answer): Parsed => body?.error ?? body;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const at = (root: unknown, path: readonly string[]) =>
  path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );

const parsed = (text: unknown) => {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** Every value under a field's name in a request: its body, its query, its path. */
const sentValues = (field: string, path: string, body: unknown): unknown[] => {
  const { pathname, searchParams } = new URL(path, "http://sim");
  const inBody = field === "body" ? body : at(body, field.split("."));
  if (inBody !== undefined) return [inBody];
  if (searchParams.has(field)) {
    const given = searchParams.getAll(field);
    return [given.length > 1 ? given : given[0]];
  }
  return pathname.split("/").map(decodeURIComponent);
};

/**
 * Checks `details.value`: it is the value of `details.field` as it was sent, without the passwords of
 * addresses, and absent when the field was omitted. Returns undefined when that holds.
 */
export const valueProblem = (
  { path, init }: { path: string; init: RequestInit },
  answer: Answer,
): string | undefined => {
  const { field, value } = errorOf(answer)?.details ?? {};
  const isReplay = new Headers(init.headers).has("idempotency-key");
  if (answer.status < 400 || typeof field !== "string" || isReplay) return undefined;
  if (init.body !== undefined && typeof init.body !== "string") return undefined;
  const sent = sentValues(field, path, parsed(init.body)).map((one) =>
    withoutPasswords(JSON.stringify(one)),
  );
  if (value !== undefined && !sent.includes(JSON.stringify(value)))
    return `${field} as ${JSON.stringify(value)}, which was not sent`;
  return undefined;
};

/** Finds a phrase of the library in an error's message; undefined when there is none. */
export const phraseProblem = (answer: Answer): string | undefined => {
  const { message } = errorOf(answer) ?? {};
  return typeof message === "string" ? LIBRARY_PHRASES.exec(message)?.[0] : undefined;
};
