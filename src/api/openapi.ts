import { API_VERSION } from "../contract/core/api-version.ts";
import { ErrorBody } from "../contract/core/errors.ts";
import { shapeIn } from "../contract/core/revised-shape.ts";
import { FIRST_REVISION, type Revision } from "../contract/core/revision-names.ts";
import { hasChange } from "../contract/core/revisions.ts";
import type { RefusalWord } from "../contract/refusals.ts";
import { SigningChallenge } from "../contract/wallets/credentials.ts";
import { WebhookEvent } from "../contract/webhooks/event-payloads.ts";
import { type Endpoint, formIn, pathParams } from "../http/door/endpoint.ts";
import { type DescribedSurface, documentOf, sharedDocumentOf } from "../http/openapi/openapi.ts";
import { withAccountCurrencies } from "./account-currencies.ts";
import { ENDPOINTS_OF_ANY_REVISION } from "./endpoints.ts";
import { operationSpec } from "./operation-spec.ts";
import { describedWebhooks } from "./webhooks/described-webhooks.ts";

type Json = Record<string, unknown>;

/** A document with what a revision changed beside its shapes (spec/revisions.md#document). */
const inRevision = (document: Json, revision: Revision): Json => {
  const { parameters = {} } = document.components as { parameters?: Record<string, Json> };
  const { WalletSignatureHeader: header } = parameters;
  if (header && hasChange(revision, "fullStamps"))
    header.description = "payloadToSign, signed by a session's key: a stamp";
  return document;
};

/** Refused where a caller's credentials or a header name a world (spec/worlds.md#choice). */
const OF_A_WORLD: readonly RefusalWord[] = [
  "WORLD_UNKNOWN",
  "WORLD_REMOVED",
  "WORLD_NAME",
  "PRODUCTION_CREDENTIALS",
  "WORLD_CONFLICT",
  "WORLDS_FULL",
];
/** Refusals of every operation, beside those that it declares. */
const EVERYWHERE: readonly RefusalWord[] = ["UNAUTHORIZED", "INTERNAL_ERROR", "UNAVAILABLE"];
const WITH_PERMISSION: readonly RefusalWord[] = ["FORBIDDEN"];
const WITH_BODY: readonly RefusalWord[] = [
  "INVALID_INPUT",
  "INVALID_REQUEST_FORMAT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "CONTENT_ENCODING",
];
/**
 * The same for operations with an uploaded file, which declare their own refusal of a large one.
 */
const WITH_UPLOAD: readonly RefusalWord[] = [
  "INVALID_INPUT",
  "BROKEN_FORM",
  "INVALID_REQUEST_FORMAT",
  "UNSUPPORTED_MEDIA_TYPE",
  "CONTENT_ENCODING",
];
const WITH_REQUEST_ID: readonly RefusalWord[] = [
  "REQUEST_ID_USED",
  "UNKNOWN_REQUEST_ID",
  "REQUEST_ID_EXPIRED",
  "REQUEST_ID_MISSING",
];
const WITH_SIGNATURE: readonly RefusalWord[] = [
  "WALLET_SIGNATURE_MISSING",
  "INVALID_WALLET_SIGNATURE",
];
const WITH_STANDING_SIGNATURE: readonly RefusalWord[] = [
  "QUOTE_SIGNATURE_MISSING",
  "INVALID_WALLET_SIGNATURE",
];
const WITH_QUERY: readonly RefusalWord[] = ["INVALID_INPUT"];
const WITH_PARAMS: readonly RefusalWord[] = ["INVALID_REQUEST_FORMAT"];

/** Refusals by an agent's token and policy. */
const refusalsOfAccess = ({ agentAccess, method }: Endpoint): RefusalWord[] => [
  "AGENT_TOKEN_NOT_ACCEPTED",
  ...(agentAccess === "any" ? [] : (["PERMISSION_DENIED"] as const)),
  ...(method === "GET" ? [] : (["AGENT_PAUSED"] as const)),
];

const refusalsOfBody = ({ body, upload }: Endpoint): readonly RefusalWord[] => {
  if (upload) return [...WITH_UPLOAD, upload.tooLarge];
  return body ? WITH_BODY : [];
};

/** Every refusal of an operation. */
export const refusalsOf = (endpoint: Endpoint): RefusalWord[] => [
  ...new Set([
    ...EVERYWHERE,
    ...OF_A_WORLD,
    ...(["VIEW", "none"].includes(endpoint.permission) ? [] : WITH_PERMISSION),
    ...(endpoint.agentAccess ? refusalsOfAccess(endpoint) : []),
    ...refusalsOfBody(endpoint),
    ...(endpoint.signing && endpoint.signing !== "standing" ? WITH_REQUEST_ID : []),
    ...(endpoint.signing === "retry" ? WITH_SIGNATURE : []),
    ...(endpoint.signing === "standing" ? WITH_STANDING_SIGNATURE : []),
    ...(endpoint.signing === "retry" && endpoint.body ? (["REQUEST_BODY_CHANGED"] as const) : []),
    ...(Object.keys(endpoint.query).length > 0 ? WITH_QUERY : []),
    ...(pathParams(endpoint.path).length > 0 ? WITH_PARAMS : []),
    ...endpoint.refuses,
  ]),
];

/**
 * Authentication of an operation: the platform's, an agent's, or none
 * (spec/tokens.md#basic-credentials, spec/agents.md#access-token).
 */
const securityOf = ({ permission, agentAccess }: Endpoint) => {
  if (agentAccess) return [{ agent: [] }];
  return permission === "none" ? [] : [{ basic: [] }];
};

const surfaceIn = (revision: Revision): DescribedSurface => ({
  base: `/${API_VERSION}`,
  description:
    "The payments platform, simulated. The user name of HTTP Basic selects the world; for a token " +
    "of several worlds, the header X-Sim-World does",
  endpoints: ENDPOINTS_OF_ANY_REVISION.flatMap((one) => formIn(one, revision) ?? []),
  errorBody: ErrorBody,
  refusalsOf: hasChange(revision, "serviceUnavailable")
    ? (one) => [...refusalsOf(one), "SERVICE_UNAVAILABLE"]
    : refusalsOf,
  securitySchemes: {
    basic: {
      type: "http",
      scheme: "basic",
      description:
        "Client id and secret, or id and secret of an API token. A client id with a plus sign and a " +
        "name, such as sandbox+checkout-7, selects the world of that name",
    },
    agent: { type: "http", scheme: "bearer", description: "An agent's access token" },
  },
  security: [{ basic: [] }],
  securityOf,
  specOf: ({ operationId }) => operationSpec(operationId),
  challenge: shapeIn(SigningChallenge, revision),
  webhooks: () => ({ all: describedWebhooks(revision), event: shapeIn(WebhookEvent, revision) }),
  finish: (document) => inRevision(withAccountCurrencies(document, revision), revision),
});

/** The platform's operations as an OpenAPI 3.1 document of a revision. */
export const openApiDocument = (version: string, revision: Revision = FIRST_REVISION) =>
  documentOf(surfaceIn(revision), version);

const shared = new Map<Revision, ReturnType<typeof sharedDocumentOf>>();

/** The document for callers over HTTP: made at the first call, once in a process. */
export const sharedOpenApi = (version: string, revision: Revision = FIRST_REVISION) => {
  const known = shared.get(revision) ?? sharedDocumentOf(surfaceIn(revision));
  shared.set(revision, known);
  return known(version);
};
