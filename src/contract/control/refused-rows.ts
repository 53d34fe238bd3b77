import type { RefusedCall } from "./recordings.ts";

/** Path of the platform without its version, which is the same in all. */
const shortPath = (path: string) => path.replace(/^\/\d{4}-\d{2}-\d{2}(?=\/)/, "");

/** Ids by their ends, which tell them apart and which commands take: lines are short. */
export const withShortIds = (text: string) =>
  text.replace(/([A-Z]\w*:)[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{15}([0-9a-f]{8})\b/g, "$1…$2");

/** A refused call in two rows: what was asked, and what was answered. */
export const refusedRows = (call: RefusedCall): [asked: string, answered: string] => {
  const { requestId, method, path, status, code, reason, message } = call;
  const why = [status, code, reason !== code && reason].filter(Boolean).join(" ");
  return [
    `${requestId} ${method} ${withShortIds(shortPath(path))}`,
    `  ${why}${message === undefined ? "" : `: ${withShortIds(message)}`}`,
  ];
};
