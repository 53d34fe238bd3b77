import { ControlError } from "../contract/control/errors.ts";
import type { RefusalWord } from "../contract/refusals.ts";
import { type Endpoint, pathParams } from "../http/door/endpoint.ts";
import { type DescribedSurface, documentOf, sharedDocumentOf } from "../http/openapi/openapi.ts";
import { CONTROL_BASE, CONTROL_ENDPOINTS, isOpenOperation } from "./control-surface.ts";
import { withKnownNames } from "./known-names.ts";

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

const CONTROL: DescribedSurface = {
  base: CONTROL_BASE,
  description: "The simulator's own surface. Beyond loopback it asks for the control token",
  endpoints: CONTROL_ENDPOINTS,
  errorBody: ControlError,
  refusalsOf,
  securitySchemes: { controlToken: { type: "http", scheme: "bearer" } },
  security: [{}, { controlToken: [] }],
  namesWorld: ({ isWorldless = false }) => !isWorldless,
  securityOf: (endpoint) => (isOpenOperation(endpoint) ? [] : [{}, { controlToken: [] }]),
  finish: withKnownNames,
};

/** The operations of the control surface as an OpenAPI 3.1 document. */
export const controlOpenApiDocument = (version: string) => documentOf(CONTROL, version);

/** The document for callers over HTTP: made at the first call, once in a process. */
export const sharedControlOpenApi = sharedDocumentOf(CONTROL);
