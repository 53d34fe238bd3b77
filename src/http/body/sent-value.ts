import { valueAt } from "../../contract/core/shown-value.ts";
import type { Refusal } from "../../domain/core/refusal.ts";
import type { RequestUrl } from "../message/request-url.ts";

/** A request as it came, before any part of it was interpreted. */
export interface SentRequest {
  params: Record<string, string>;
  url: RequestUrl;
  body: unknown;
}

/**
 * Longer values are left out (spec/errors.md#details): a part of one is not the value that was
 * sent.
 */
const LONGEST_TOLD = 120;

const isExact = (value: number) =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

const hasBytes = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (ArrayBuffer.isView(value) || Object.values(value).some(hasBytes));

const canBeTold = (value: unknown) => {
  if (value === undefined || hasBytes(value)) return false;
  if (typeof value === "number") return isExact(value);
  return JSON.stringify(value).length <= LONGEST_TOLD + 2;
};

/** `{ value }` if it is short and exact in JSON, else nothing. */
export const shortValue = (value: unknown): { value?: unknown } =>
  canBeTold(value) ? { value } : {};

const inQuery = (search: URLSearchParams, name: string) => {
  const values = search.getAll(name);
  return values.length > 1 ? values : values[0];
};

const sentAt = (field: string, { params, url, body }: SentRequest): unknown => {
  if (field === "body") return body;
  const inBody = valueAt(body, field.split("."));
  if (inBody !== undefined) return inBody;
  return (
    inQuery(url.searchParams, field) ?? (Object.hasOwn(params, field) ? params[field] : undefined)
  );
};

/** An instant whose offset has a space in place of its plus. */
const WITHOUT_PLUS = /^\d{4}-\d{2}-\d{2}[T ][\d:.,]+ \d{2}(:?\d{2})?$/i;

/** Whether a query has a plus as such: `%20` was meant as a space. */
const hasPlus = (search: string, name: string) =>
  new RegExp(`[?&]${name.replace(/\W/g, "\\$&")}=[^&]*\\+`).test(search);

/** The cause of an instant with a space in it, where that was sent as a plus. */
const lostPlus = ({ details }: Refusal, { search, searchParams }: RequestUrl) => {
  const refusedValues = Object.values(details);
  for (const [name, text] of searchParams) {
    const isRefused = name === details.field || refusedValues.includes(text);
    if (!isRefused || !WITHOUT_PLUS.test(text) || !hasPlus(search, name)) continue;
    const meant = text.replace(/ (?=[\d:]+$)/, "%2B").replace(" ", "%20");
    return `In a query a + stands for a space, so that of the offset has to be sent as %2B: ${name}=${meant}`;
  }
  return undefined;
};

/**
 * Adds the sent value of a refused field to the details (spec/errors.md#details). A rule has only
 * its own reading of it: a full id, a default, or a record's value.
 */
export const addSentValue = (refusal: Refusal, sent: SentRequest): Refusal => {
  refusal.next = lostPlus(refusal, sent.url) ?? refusal.next;
  const { field, value: _ofTheRule, ...others } = refusal.details;
  if (typeof field === "string")
    refusal.published = { field, ...shortValue(sentAt(field, sent)), ...others };
  return refusal;
};
