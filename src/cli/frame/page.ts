import { asCalled, quoted } from "../text/called-as.ts";
import type { Invocation } from "./command.ts";

/** How a page of a list was asked for. */
export interface PageRequest {
  /** The command line, with every filter and the limit, for the page after this one. */
  line: string;
  /** Whether it leaves records out: an empty page does not mean that there are none. */
  isFiltered: boolean;
}

/** Options that say which part of a list is shown, and leave nothing out of it. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(["limit"]);

/**
 * What was typed for a page, as a shell takes it again.
 * @param words of the command: `webhooks list`
 * @param names of the options that the list is asked with
 */
export const pageRequest = (
  words: string,
  names: readonly string[],
  { options, sources = {} }: Invocation,
): PageRequest => {
  const given = names.filter((name) => typeof options[name] === "string");
  const kept = given.filter((name) => name !== "cursor");
  const typed = [...kept, ...(sources.url === "cli" ? ["url"] : [])];
  const flags = typed.map((name) => ` --${name} ${quoted(String(options[name]))}`);
  return {
    line: `service-sim ${words}${flags.join("")}`,
    isFiltered: given.some((name) => !OF_THE_PAGE.has(name)),
  };
};

/** The line below a page that says how to see the next one. */
export const nextPageLine = ({ line }: PageRequest, cursor: string | undefined): string =>
  asCalled(`older ones: ${line} --cursor ${quoted(cursor ?? "")}`);
