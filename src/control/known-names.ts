import { OPERATION_IDS } from "../contract/operations.ts";
import { BUNDLED_FIXTURES } from "../contract/platform/bundled-fixtures.ts";
import { EVENT_TYPES } from "../contract/webhooks/events.ts";
import { RULE_NAMES } from "../domain/outcomes/outcome-tables.ts";
import { ALL_STATUSES } from "./core/record-statuses.ts";
import { isSettable } from "./core/settable-row.ts";

type Json = Record<string, unknown>;

/** Texts that a caller chooses from, though a rule checks them after the shape. */
const NAMES = {
  EventType: () => EVENT_TYPES,
  FixtureName: () => BUNDLED_FIXTURES,
  OperationId: () => OPERATION_IDS,
  OutcomeRule: () => RULE_NAMES.filter(isSettable),
  RecordStatus: () => ALL_STATUSES,
} satisfies Record<string, () => readonly string[]>;

/** Members of shapes that take one of them; a dot leads into a member. */
const MEMBERS: readonly (readonly [shape: string, path: string, names: keyof typeof NAMES])[] = [
  ["AdvanceGoal", "until.status", "RecordStatus"],
  ["FaultMatch", "operation", "OperationId"],
  ["NextOutcome", "rule", "OutcomeRule"],
  ["NextOutcomeInput", "rule", "OutcomeRule"],
  ["SeedInput", "name", "FixtureName"],
  ["WebhookTriggerInput", "type", "EventType"],
  ["WebhookVectorInput", "type", "EventType"],
];

/** Query parameters that take one of them, by operation. */
const PARAMETERS: readonly (readonly [id: string, name: string, names: keyof typeof NAMES])[] = [
  ["requests", "operation", "OperationId"],
];

const referenceTo = (names: string) => ({ $ref: `#/components/schemas/${names}` });

const memberAt = (shape: Json, path: string): [Json, string] => {
  const [first = "", ...others] = path.split(".");
  const properties = shape.properties as Record<string, Json>;
  if (!(first in properties)) throw new Error(`Expected the member ${path}`);
  return others.length === 0
    ? [properties, first]
    : memberAt(properties[first] as Json, others.join("."));
};

interface Operation {
  operationId: string;
  parameters?: { name?: string; schema: unknown }[];
}

/** Puts in the names that a caller chooses from, in place of any text. */
export const withKnownNames = (document: Json): Json => {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const [name, values] of Object.entries(NAMES)) {
    const shape = { type: "string", enum: [...values()] };
    if (JSON.stringify(schemas[name] ?? shape) !== JSON.stringify(shape))
      throw new Error(`Expected one shape named ${name} but found two`);
    schemas[name] = shape;
  }
  for (const [shape, path, names] of MEMBERS) {
    const [properties, member] = memberAt(schemas[shape] as Json, path);
    properties[member] = referenceTo(names);
  }
  const paths = Object.values(document.paths as Record<string, Record<string, Operation>>);
  const operations = paths.flatMap((methods) => Object.values(methods));
  for (const [operationId, name, names] of PARAMETERS) {
    const operation = operations.find((one) => one.operationId === operationId);
    const parameter = operation?.parameters?.find((one) => one.name === name);
    if (parameter) parameter.schema = referenceTo(names);
  }
  return document;
};
