import { REVISIONS, type Revision } from "../../contract/core/revision-names.ts";
import type { CommandOption } from "../../options/option-row.ts";

/** The option that names a revision, of commands that serve none themselves. */
export const REVISION_OPTION: CommandOption = {
  flags: "--revision <revision>",
  summary: "as a simulator of that revision serves it (default: 2025-10)",
  choices: REVISIONS,
  noEnvironment: true,
};

/** The revision that an invocation names, in the form of an option of a simulator. */
export const revisionIn = ({ revision }: Readonly<Record<string, unknown>>) =>
  typeof revision === "string" ? { revision: revision as Revision } : {};
