import { ControlError } from "../contract/control/errors.ts";
import { FIRST_REVISION, type Revision } from "../contract/core/revision-names.ts";
import { operationsOf } from "../contract/operations.ts";
import { BUNDLED_FIXTURES } from "../contract/platform/bundled-fixtures.ts";
import type { RefusalWord } from "../contract/refusals.ts";
import { EVENT_TYPES } from "../contract/webhooks/events.ts";
import { ruleNamesIn } from "../domain/outcomes/outcome-tables.ts";
import { type Endpoint, formIn, pathParams } from "../http/door/endpoint.ts";
import { type DescribedSurface, documentOf, sharedDocumentOf } from "../http/openapi/openapi.ts";
import { CONTROL_BASE, CONTROL_ENDPOINTS, isOpenOperation } from "./control-surface.ts";
import { ALL_STATUSES } from "./core/record-statuses.ts";
import { isSettable } from "./core/settable-row.ts";

type Json = Record<string, unknown>;

/** Texts that a caller chooses from, though a rule checks them after the shape. */
const NAMES = {
  EventType: () => EVENT_TYPES,
  FixtureName: () => BUNDLED_FIXTURES,
  OperationId: (revision) => operationsOf(revision).map(({ operationId }) => operationId),
  OutcomeRule: (revision) => ruleNamesIn(revision).filter(isSettable),
  RecordStatus: () => ALL_STATUSES,
} satisfies Record<string, (revision: Revision) => readonly string[]>;

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
const withKnownNames = (document: Json, revision: Revision): Json => {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const [name, values] of Object.entries(NAMES)) {
    const shape = { type: "string", enum: [...values(revision)] };
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

/** Refused by every operation. */
const EVERYWHERE: readonly RefusalWord[] = ["INTERNAL_ERROR", "UNAVAILABLE"];
/** Refused by operations that mean a world. */
const OF_A_WORLD: readonly RefusalWord[] = ["WORLD_NOT_FOUND", "WORLD_CONFLICT"];
/** Refused by operations that are not answered to everyone, or not for a world that is named. */
const GUARDED: readonly RefusalWord[] = [
  "HOST_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "CONTROL_TOKEN_NEEDED",
];
const WITH_BODY: readonly RefusalWord[] = [
  "INVALID_INPUT",
  "INVALID_REQUEST_FORMAT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "CONTENT_ENCODING",
];
const WITH_QUERY: readonly RefusalWord[] = ["INVALID_INPUT"];
const WITH_PARAMS: readonly RefusalWord[] = ["INVALID_REQUEST_FORMAT"];

const refusalsOf = (endpoint: Endpoint): RefusalWord[] => [
  ...new Set([
    ...EVERYWHERE,
    ...(isOpenOperation(endpoint) && endpoint.isWorldless ? [] : GUARDED),
    ...(endpoint.isWorldless ? [] : OF_A_WORLD),
    ...(endpoint.body ? WITH_BODY : []),
    ...(Object.keys(endpoint.query).length > 0 ? WITH_QUERY : []),
    ...(pathParams(endpoint.path).length > 0 ? WITH_PARAMS : []),
    ...endpoint.refuses,
  ]),
];

const surfaceIn = (revision: Revision): DescribedSurface => ({
  base: CONTROL_BASE,
  description: "The simulator's own surface. Beyond loopback it asks for the control token",
  endpoints: CONTROL_ENDPOINTS.flatMap((one) => formIn(one, revision) ?? []),
  errorBody: ControlError,
  refusalsOf,
  securitySchemes: { controlToken: { type: "http", scheme: "bearer" } },
  security: [{}, { controlToken: [] }],
  namesWorld: ({ isWorldless = false }) => !isWorldless,
  securityOf: (endpoint) => (isOpenOperation(endpoint) ? [] : [{}, { controlToken: [] }]),
  finish: (document) => withKnownNames(document, revision),
});

/** The operations of the control surface as an OpenAPI 3.1 document of a revision. */
export const controlOpenApiDocument = (version: string, revision: Revision = FIRST_REVISION) =>
  documentOf(surfaceIn(revision), version);

const shared = new Map<Revision, ReturnType<typeof sharedDocumentOf>>();

/** The document for callers over HTTP: made at the first call, once in a process. */
export const sharedControlOpenApi = (version: string, revision: Revision = FIRST_REVISION) => {
  const known = shared.get(revision) ?? sharedDocumentOf(surfaceIn(revision));
  shared.set(revision, known);
  return known(version);
};
