import { REVISION_CHANGES } from "../../contract/core/revision-changes.ts";
import {
  DESCRIBED_ON,
  FIRST_REVISION,
  REVISIONS,
  type Revision,
} from "../../contract/core/revision-names.ts";
import {
  REVISION_FEATURES,
  type RevisionChange,
  type RevisionFeature,
  sinceOf,
} from "../../contract/core/revisions.ts";
import { LATER_OPERATIONS, operationsOf } from "../../contract/operations.ts";
import { eventsOf } from "../../contract/webhooks/events.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { tableLines } from "../text/table.ts";

const CHANGES = (Object.keys(REVISION_CHANGES) as RevisionChange[]).map((name) => ({
  change: name,
  since: sinceOf(name),
  ...REVISION_CHANGES[name],
}));

const FEATURES = (Object.keys(REVISION_FEATURES) as RevisionFeature[]).map((name) => ({
  feature: name,
  ...REVISION_FEATURES[name],
  operations: LATER_OPERATIONS.flatMap(({ since, operationId }) =>
    since === name ? [operationId] : [],
  ),
}));

/** Sizes of a revision, and its operations that are answered 501. */
const sizesOf = (revision: Revision) => {
  const operations = operationsOf(revision);
  const isMissing = ({ since }: { since?: RevisionFeature }) =>
    since !== undefined && REVISION_FEATURES[since].served === ("501" as string);
  return {
    revision,
    describedOn: DESCRIBED_ON[revision],
    operations: operations.length,
    webhookTypes: eventsOf(revision).length,
    answered501: operations.filter(isMissing).map(({ operationId }) => operationId),
  };
};

export const command: Command = {
  name: "revisions",
  summary: "print what later revisions of the service changed",
  options: [],
  examples: ["service-sim revisions", "service-sim revisions --json"],
  run: async (_invocation, terminal) => {
    const { style } = terminal;
    const revisions = REVISIONS.map(sizesOf);
    const all = { default: FIRST_REVISION, revisions, changes: CHANGES, features: FEATURES };
    terminal.document(all);
    if (terminal.json) return EXIT.done;
    terminal.print(`${FIRST_REVISION} is served unless start --revision names another`);
    for (const { revision, describedOn, operations, webhookTypes, answered501 } of revisions) {
      const missing = answered501.length > 0 ? `; answered 501: ${answered501.join(", ")}` : "";
      const sizes = `${operations} operations, ${webhookTypes} webhook types`;
      terminal.print(`${revision}: as of ${describedOn}, ${sizes}${missing}`);
    }
    const columns = [{ head: "SINCE" }, {}, { as: "words" as const }];
    const changes = CHANGES.flatMap(({ since, before, after }) => [
      [since, "before", before],
      ["", "now", after],
    ]);
    const features = FEATURES.map(({ since, brings, served, operations }) => [
      since,
      served,
      `${brings}: ${operations.join(", ")}`,
    ]);
    for (const line of tableLines(columns, [...changes, ...features], style)) terminal.print(line);
    return EXIT.done;
  },
};
