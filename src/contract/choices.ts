import { ROW_LISTS } from "./control/row-lists.ts";
import { closestTo } from "./core/closest.ts";
import { FAULT_CODES } from "./core/error-codes.ts";
import { CURRENCY_CODES } from "./money/currencies.ts";
import { ANY_CUSTOMER_INFO_FIELDS, CUSTOMER_INFO_FIELDS } from "./platform/customer-info-fields.ts";
import { EVENT_TYPES } from "./webhooks/events.ts";

/** Most values named in one sentence. */
const MOST_NAMED = 12;

/** Long lists that the OpenAPI document of the platform leaves out, with the command that prints them. */
const LISTS: readonly { values: readonly string[]; printedBy?: string }[] = [
  { values: EVENT_TYPES, printedBy: "service-sim webhooks trigger" },
  { values: Object.keys(FAULT_CODES) },
  { values: CURRENCY_CODES },
  { values: CUSTOMER_INFO_FIELDS, printedBy: "service-sim openapi" },
  { values: ANY_CUSTOMER_INFO_FIELDS, printedBy: "service-sim openapi --revision 2026-08" },
  { values: ROW_LISTS, printedBy: "service-sim openapi --control" },
];

/** The command that prints all values of a long list, if there is one. */
export const printerOf = (values: readonly unknown[]): string | undefined => {
  const list = LISTS.find((candidate) =>
    values.every((value) => candidate.values.includes(String(value))),
  );
  return list ? list.printedBy : "service-sim openapi";
};

const quoted = (value: unknown) =>
  typeof value === "string" && /^[\w$.-]+$/.test(value)
    ? value
    : (JSON.stringify(value) ?? "nothing");

const listOf = (values: readonly unknown[]) => {
  const names = values.map(quoted);
  if (names.length === 1) return `${names[0]}`;
  const more = names.length - MOST_NAMED;
  return `one of ${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/**
 * Words for a choice: the closest value to the one found, and all values. Of a long list only the
 * beginning is named, with the command that prints all.
 */
export const choiceOf = (
  values: readonly unknown[],
  input: unknown,
  printedBy = printerOf(values),
): string => {
  const texts = values.filter((value) => typeof value === "string");
  const closest = typeof input === "string" && texts.length > 1 && closestTo(input, texts);
  const isLong = values.length > MOST_NAMED;
  const hints = [
    ...(closest ? [`closest: ${closest}`] : []),
    ...(isLong && printedBy ? [`${printedBy} prints all`] : []),
  ];
  return `${listOf(values)}${hints.length > 0 ? ` (${hints.join("; ")})` : ""}`;
};

/** Words for a choice of member names, which no command prints. */
export const namesOf = (names: readonly string[], input: unknown) => choiceOf(names, input, "");
