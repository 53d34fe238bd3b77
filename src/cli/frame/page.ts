import { asCalled, quoted } from "../text/called-as.ts";
import type { Invocation } from "./command.ts";

/** The request for a page of a list. */
export interface PageRequest {
  /** The command line of the next page, with every filter and the limit. */
  line: string;
  /** Whether a filter is set: an empty page may then hide records. */
  isFiltered: boolean;
}

/** Options that choose a part of a list without filtering it. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(["limit"]);

/**
 * Rebuilds the typed command line with shell quotes.
 * @param words of the command: `webhooks list`
 * @param names of the options that the list is asked with
 */
export const pageRequest = (
  words: string,
  names: readonly string[],
  { options, sources = {} }: Invocation,
): PageRequest => {
  const usedNames = names.filter((name) => typeof options[name] === "string");
  const kept = usedNames.filter((name) => name !== "cursor");
  const typed = [...kept, ...["url", "world"].filter((name) => sources[name] === "cli")];
  const flags = typed.map((name) => ` --${name} ${quoted(String(options[name]))}`);
  return {
    line: `service-sim ${words}${flags.join("")}`,
    isFiltered: usedNames.some((name) => !OF_THE_PAGE.has(name)),
  };
};

/** The line below a page with the command for the next page. */
export const nextPageLine = ({ line }: PageRequest, cursor: string | undefined): string =>
  asCalled(`older: ${line} --cursor ${quoted(cursor ?? "")}`);
