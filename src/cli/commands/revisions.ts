import {
  FIRST_REVISION,
  REVISION_CHANGES,
  REVISIONS,
  type RevisionChange,
} from "../../contract/core/revisions.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { tableLines } from "../text/table.ts";

const NAMES = Object.keys(REVISION_CHANGES) as RevisionChange[];

const CHANGES = NAMES.map((name) => ({ change: name, ...REVISION_CHANGES[name] }));

export const command: Command = {
  name: "revisions",
  summary: "print what later revisions of the service changed",
  options: [],
  examples: ["service-sim revisions", "service-sim revisions --json"],
  run: async (_invocation, terminal) => {
    const { style } = terminal;
    terminal.document({ default: FIRST_REVISION, revisions: REVISIONS, changes: CHANGES });
    if (terminal.json) return EXIT.done;
    terminal.print(`${FIRST_REVISION} is served unless start --revision names another`);
    const columns = [{ head: "SINCE" }, {}, { as: "words" as const }];
    const rows = CHANGES.flatMap(({ since, before, after }) => [
      [since, "before", before],
      ["", "now", after],
    ]);
    for (const line of tableLines(columns, rows, style)) terminal.print(line);
    return EXIT.done;
  },
};
