import * as z from "zod";
import { API_VERSION } from "../contract/core/api-version.ts";
import { ErrorBody } from "../contract/core/errors.ts";
import { REASON_SPELLINGS, REFUSALS, type RefusalWord } from "../contract/refusals.ts";
import { SigningChallenge } from "../contract/wallets/credentials.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { pathParams } from "../http/endpoint.ts";
import { PLATFORM_ENDPOINTS } from "./endpoints.ts";
import { operationSpec } from "./operation-spec.ts";

type Json = Record<string, unknown>;

/** Refusals of every operation, beside those that it declares. */
const EVERYWHERE: readonly RefusalWord[] = ["UNAUTHORIZED", "INTERNAL_ERROR", "UNAVAILABLE"];
const WITH_PERMISSION: readonly RefusalWord[] = ["FORBIDDEN"];
const WITH_BODY: readonly RefusalWord[] = [
  "INVALID_INPUT",
  "INVALID_REQUEST_FORMAT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];
/**
 * The same for operations with an uploaded file, which declare their own refusal of a large one.
 */
const WITH_UPLOAD: readonly RefusalWord[] = [
  "INVALID_INPUT",
  "BROKEN_FORM",
  "INVALID_REQUEST_FORMAT",
  "UNSUPPORTED_MEDIA_TYPE",
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

/** Turns schemas into JSON Schema; schemas with an id become shared components. */
class Components {
  readonly schemas: Json = {};

  schemaOf(schema: z.ZodType, io: "input" | "output"): unknown {
    const json = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      target: "draft-2020-12",
    }) as Json;
    const { $schema: _dialect, $defs = {}, ...rest } = json;
    for (const [name, definition] of Object.entries($defs as Json))
      this.schemas[name] ??= this.rerefer(definition);
    const id = typeof rest.id === "string" ? rest.id : undefined;
    if (id === undefined) return this.rerefer(rest);
    this.schemas[id] ??= this.rerefer(rest);
    return { $ref: `#/components/schemas/${id}` };
  }

  private rerefer(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.rerefer(item));
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(
      Object.entries(node)
        .filter(([key, value]) => !(key === "id" && typeof value === "string"))
        .map(([key, value]) => [
          key,
          key === "$ref" && typeof value === "string"
            ? value.replace("#/$defs/", "#/components/schemas/")
            : this.rerefer(value),
        ]),
    );
  }
}

const jsonContent = (schema: unknown) => ({ "application/json": { schema } });

const errorReplies = (endpoint: Endpoint, errorSchema: unknown) => {
  const words = refusalsOf(endpoint);
  const statuses = [...new Set(words.map((word) => REFUSALS[word].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const rows = words.filter((word) => REFUSALS[word].status === status);
      const codes = [...new Set(rows.map((word) => REFUSALS[word].code))].sort();
      return [status, { description: codes.join(", "), content: jsonContent(errorSchema) }];
    }),
  );
};

/** The documented errors of an operation, with advice for the caller. */
const errorsOf = (endpoint: Endpoint) =>
  refusalsOf(endpoint).map((word) => {
    const { status, code, says, next } = REFUSALS[word];
    return { status, code, ...(word !== code && { reason: spellingOf(word) }), says, next };
  });

const spellingOf = (word: RefusalWord) =>
  Object.hasOwn(REASON_SPELLINGS, word) ? REASON_SPELLINGS[word] : word;

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key gets the first answer again, for 24 simulated hours",
  schema: { type: "string" },
};

const REQUEST_ID = {
  name: "Request-Id",
  in: "header",
  required: false,
  description: "The requestId of the challenge that is answered",
  schema: { type: "string" },
};

const WALLET_SIGNATURE = {
  name: "Service-Wallet-Signature",
  in: "header",
  required: false,
  description: "payloadToSign, signed by a session's key: a stamp or a base64 DER signature",
  schema: { type: "string" },
};

const HEADERS_OF_SIGNING = {
  retry: [WALLET_SIGNATURE, REQUEST_ID],
  "request-id": [REQUEST_ID],
  standing: [WALLET_SIGNATURE],
};

/**
 * Authentication of an operation: the platform's, an agent's, or none
 * (spec/tokens.md#basic-credentials, spec/agents.md#access-token).
 */
const securityOf = ({ permission, agentAccess }: Endpoint) => {
  if (agentAccess) return [{ agent: [] }];
  return permission === "none" ? [] : [{ basic: [] }];
};

const challengeReply = ({ signing }: Endpoint, components: Components) =>
  signing === "retry" && {
    202: {
      description: "What to sign, when the request came without signature headers",
      content: jsonContent(components.schemaOf(SigningChallenge, "output")),
    },
  };

const operationOf = (endpoint: Endpoint, components: Components, errorSchema: unknown) => {
  const [status, shape] = endpoint.replies;
  const parameters = [
    ...pathParams(endpoint.path).map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...Object.entries(endpoint.query).map(([name, schema]) => ({
      name,
      in: "query",
      required: false,
      schema: components.schemaOf(schema, "input"),
    })),
    ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(endpoint.signing ? HEADERS_OF_SIGNING[endpoint.signing] : []),
  ];
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    "x-permission": endpoint.agentAccess ?? endpoint.permission,
    "x-spec": operationSpec(endpoint.operationId),
    "x-errors": errorsOf(endpoint),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: {
          [endpoint.upload ? "multipart/form-data" : "application/json"]: {
            schema: components.schemaOf(endpoint.body, "input"),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: "Done",
        ...(status !== 204 && { content: jsonContent(components.schemaOf(shape, "output")) }),
      },
      ...challengeReply(endpoint, components),
      ...errorReplies(endpoint, errorSchema),
    },
  };
};

/** The document under construction. */
class OpenApiBuild {
  private readonly components = new Components();
  private readonly errorSchema = this.components.schemaOf(ErrorBody, "output");
  private readonly paths: Record<string, Json> = {};

  add(endpoint: Endpoint) {
    const operations = this.paths[endpoint.path] ?? {};
    const operation = operationOf(endpoint, this.components, this.errorSchema);
    operations[endpoint.method.toLowerCase()] = operation;
    this.paths[endpoint.path] = operations;
  }

  document(version: string): Json {
    return {
      openapi: "3.1.0",
      info: { title: "service-sim", version, description: "The payments platform, simulated" },
      servers: [{ url: `/${API_VERSION}` }],
      security: [{ basic: [] }],
      paths: this.paths,
      components: {
        securitySchemes: {
          basic: { type: "http", scheme: "basic" },
          agent: { type: "http", scheme: "bearer" },
        },
        schemas: this.components.schemas,
      },
    };
  }
}

/** The platform's operations as an OpenAPI 3.1 document, made from their declarations. */
export const openApiDocument = (version: string): Json => {
  const build = new OpenApiBuild();
  for (const endpoint of PLATFORM_ENDPOINTS) build.add(endpoint);
  return build.document(version);
};

/** The document and its text, made once and shared. */
export interface SharedOpenApi {
  document: Readonly<Json>;
  text: string;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const builds = new Map<string, Promise<SharedOpenApi>>();

/**
 * Makes the document with one operation in each turn of the event loop: all of them take 200 ms.
 */
const buildInTurns = async (version: string): Promise<SharedOpenApi> => {
  const build = new OpenApiBuild();
  for (const endpoint of PLATFORM_ENDPOINTS) {
    build.add(endpoint);
    await turn();
  }
  const document = build.document(version);
  return { document, text: JSON.stringify(document) };
};

/** The document for HTTP callers, made at the first call and shared in the process. */
export const sharedOpenApi = (version: string): Promise<SharedOpenApi> => {
  const known = builds.get(version) ?? buildInTurns(version);
  builds.set(version, known);
  return known;
};
