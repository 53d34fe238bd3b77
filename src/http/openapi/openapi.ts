import type * as z from "zod";
import { inPascalCase } from "../../contract/core/named-shape.ts";
import { REASON_SPELLINGS, REFUSALS, type RefusalWord } from "../../contract/refusals.ts";
import { SigningChallenge } from "../../contract/wallets/credentials.ts";
import { nextTurn } from "../../machine/host-time.ts";
import { type Endpoint, pathParams } from "../door/endpoint.ts";
import { withDescriptions } from "./descriptions.ts";
import { fieldSentences } from "./field-sentences.ts";
import { OpenApiShapes } from "./shapes.ts";
import { type DescribedWebhook, SIGNATURE_HEADER, webhookItem } from "./webhooks.ts";

type Json = Record<string, unknown>;

/** A surface as its OpenAPI document describes it. */
export interface DescribedSurface {
  base: string;
  description: string;
  endpoints: readonly Endpoint[];
  /** Body of every error. */
  errorBody: z.ZodType;
  /** Every refusal of an operation, those of the surface included. */
  refusalsOf(endpoint: Endpoint): readonly RefusalWord[];
  securitySchemes: Json;
  /** Credentials of an operation that declares none of its own. */
  security: readonly Record<string, readonly string[]>[];
  securityOf(endpoint: Endpoint): readonly Record<string, readonly string[]>[];
  /** Part of the specification that describes an operation: `spec/quotes.md#execution`. */
  specOf?(endpoint: Endpoint): string;
  /** Whether an operation says by header or query which world it means. */
  namesWorld?(endpoint: Endpoint): boolean;
  /** The challenge of its signed retries, where it is another one than the first revision's. */
  challenge?: z.ZodType;
  /** Puts into the finished document what its operations do not declare. */
  finish?(document: Json): Json;
  /** The calls that it makes, and the shape of any of their bodies. */
  webhooks?(): { all: readonly DescribedWebhook[]; event: z.ZodType };
}

/** A document under construction, with the parts that several operations share. */
interface Building {
  surface: DescribedSurface;
  shapes: OpenApiShapes;
  errorSchema: unknown;
  parameters: Json;
  responses: Json;
  /** Each documented error with the next step for a caller, by its word. */
  errors: Json;
}

/** The place of a shared part: it is written once, and the operations refer to it. */
const sharedIn =
  (part: "parameters" | "responses" | "x-errors", parts: Json) =>
  (name: string, value: unknown) => {
    parts[name] ??= value;
    return { $ref: `#/components/${part}/${name}` };
  };

const JSON_TYPES: readonly string[] = ["application/json"];

const contentOf = (schema: unknown, mediaTypes = JSON_TYPES) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));

/** A reply of one code is shared under the name of the code: `QuoteNotFound`. */
const errorReply = (codes: readonly string[], { errorSchema, responses }: Building) => {
  const reply = { description: codes.join(", "), content: contentOf(errorSchema) };
  const [code = "", ...others] = codes;
  return others.length > 0 ? reply : sharedIn("responses", responses)(inPascalCase(code), reply);
};

const errorReplies = (words: readonly RefusalWord[], building: Building) => {
  const statuses = [...new Set(words.map((word) => REFUSALS[word].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const rows = words.filter((word) => REFUSALS[word].status === status);
      const codes = [...new Set(rows.map((word) => REFUSALS[word].code))].sort();
      return [status, errorReply(codes, building)];
    }),
  );
};

const spellingOf = (word: RefusalWord) =>
  Object.hasOwn(REASON_SPELLINGS, word) ? REASON_SPELLINGS[word] : word;

const errorOf = (word: RefusalWord) => {
  const { status, code, says, next } = REFUSALS[word];
  return { status, code, ...(word !== code && { reason: spellingOf(word) }), says, next };
};

/** Each documented error of an operation, as a reference. */
const errorsOf = (words: readonly RefusalWord[], { errors }: Building) =>
  words.map((word) => sharedIn("x-errors", errors)(word, errorOf(word)));

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

const WORLD_WORDS = "Name of the world; the default world if omitted";

/** Headers of requests, by the name of their parameter. */
const HEADERS = {
  IdempotencyKeyHeader: header(
    "Idempotency-Key",
    "Calls with the same key repeat the first answer, for 24 simulated hours",
  ),
  NeededIdempotencyKeyHeader: {
    ...header(
      "Idempotency-Key",
      "Required; calls with the same key repeat the first answer, for 24 simulated hours",
    ),
    required: true,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  RequestIdHeader: header("Request-Id", "The requestId of the challenge"),
  WalletSignatureHeader: header(
    "Service-Wallet-Signature",
    "payloadToSign, signed by a session's key: a stamp or a base64 DER signature",
  ),
  WebhookSignatureHeader: SIGNATURE_HEADER,
  WorldHeader: header("X-Sim-World", WORLD_WORDS),
  WorldQuery: { ...header("world", `${WORLD_WORDS}, for links`), in: "query" },
} as const;

const HEADERS_OF_SIGNING = {
  retry: ["WalletSignatureHeader", "RequestIdHeader"],
  "request-id": ["RequestIdHeader"],
  standing: ["WalletSignatureHeader"],
} as const;

const WORLD_PARAMETERS = ["WorldHeader", "WorldQuery"] as const;

const headerParameters = (names: readonly (keyof typeof HEADERS)[], { parameters }: Building) =>
  names.map((name) => sharedIn("parameters", parameters)(name, HEADERS[name]));

const challengeReply = ({ signing }: Endpoint, { shapes, surface }: Building) =>
  signing === "retry" && {
    202: {
      description: "What to sign, when the request came without signature headers",
      content: contentOf(shapes.schemaOf(surface.challenge ?? SigningChallenge, "output")),
    },
  };

const unusedReply = ({ unusedReply: reply }: Endpoint, { shapes }: Building) => {
  if (!reply) return undefined;
  const [status, description, shape] = reply;
  return { [status]: { description, content: contentOf(shapes.schemaOf(shape, "output")) } };
};

const GROUP = /^\/([a-z-]+)(?:\/(me)\b)?/;

/** The group of an operation, by the first part of its path: `quotes`, `agents/me`. */
const groupOf = (path: string) => {
  const [, first = "index", me] = GROUP.exec(path) ?? [];
  return me === undefined ? first : `${first}/${me}`;
};

const operationOf = (endpoint: Endpoint, building: Building) => {
  const { surface, shapes } = building;
  const [status, shape, ...mediaTypes] = endpoint.replies;
  const words = surface.refusalsOf(endpoint);
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
      required: !schema.safeParse(undefined).success,
      schema: shapes.schemaOf(schema, "input"),
    })),
    ...headerParameters(
      [
        ...(endpoint.needsKey ? (["NeededIdempotencyKeyHeader"] as const) : []),
        ...(endpoint.idempotent && !endpoint.needsKey ? (["IdempotencyKeyHeader"] as const) : []),
        ...(endpoint.signing ? HEADERS_OF_SIGNING[endpoint.signing] : []),
        ...(surface.namesWorld?.(endpoint) ? WORLD_PARAMETERS : []),
      ],
      building,
    ),
  ];
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [groupOf(endpoint.path)],
    "x-permission": endpoint.agentAccess ?? endpoint.permission,
    ...(surface.specOf && { "x-spec": surface.specOf(endpoint) }),
    "x-errors": errorsOf(words, building),
    security: surface.securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: {
          [endpoint.upload ? "multipart/form-data" : "application/json"]: {
            schema: shapes.schemaOf(endpoint.body, "input"),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: "Done",
        ...(status !== 204 && {
          content: contentOf(
            shapes.schemaOf(shape, "output"),
            mediaTypes.length > 0 ? mediaTypes : JSON_TYPES,
          ),
        }),
      },
      ...(endpoint.redirects !== undefined && {
        302: {
          description: `For browsers: ${
            typeof endpoint.redirects === "string"
              ? `the page ${endpoint.redirects}`
              : "the same page in the console"
          }`,
        },
      }),
      ...challengeReply(endpoint, building),
      ...unusedReply(endpoint, building),
      ...errorReplies(words, building),
    },
  };
};

/** The document with its shapes sorted by name, those of `finish` too. */
const inOrder = (document: Json): Json => {
  const components = document.components as { schemas: Json };
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return { ...document, components: { ...components, schemas } };
};

/** The document while operations are added to it. */
class OpenApiBuild {
  private readonly building: Building;
  private readonly paths: Record<string, Json> = {};

  constructor(surface: DescribedSurface) {
    const shapes = new OpenApiShapes();
    const errorSchema = shapes.schemaOf(surface.errorBody, "output");
    this.building = { surface, shapes, errorSchema, parameters: {}, responses: {}, errors: {} };
  }

  add(endpoint: Endpoint) {
    // Every path of a document begins with a slash, also the one of the base itself.
    const path = endpoint.path || "/";
    const operations = this.paths[path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint, this.building);
    this.paths[path] = operations;
  }

  document(version: string): Json {
    const { surface, shapes, parameters, responses, errors } = this.building;
    const { base, description, securitySchemes, security } = surface;
    const webhooks = this.webhooks();
    const document = {
      openapi: "3.1.0",
      info: { title: "service-sim", version, description },
      servers: [{ url: base }],
      security,
      paths: this.paths,
      ...(webhooks && { webhooks }),
      components: {
        securitySchemes,
        schemas: shapes.schemas(),
        ...(Object.keys(parameters).length > 0 && { parameters }),
        responses,
        "x-errors": errors,
      },
    };
    return withDescriptions(inOrder(surface.finish?.(document) ?? document), fieldSentences());
  }

  private webhooks(): Json | undefined {
    const { surface, shapes } = this.building;
    if (!surface.webhooks) return undefined;
    const { all, event } = surface.webhooks();
    shapes.schemaOf(event, "output");
    const parameters = headerParameters(["WebhookSignatureHeader"], this.building);
    return Object.fromEntries(
      all.map((webhook) => [webhook.name, webhookItem(webhook, { shapes, parameters })]),
    );
  }
}

/** The operations of a surface as an OpenAPI 3.1 document, made from their declarations. */
export const documentOf = (surface: DescribedSurface, version: string): Json => {
  const build = new OpenApiBuild(surface);
  for (const endpoint of surface.endpoints) build.add(endpoint);
  return build.document(version);
};

/** The document and its text, made once and shared. */
export interface SharedOpenApi {
  document: Readonly<Json>;
  text: string;
}

/** Makes the same, one operation in a turn of the event loop: all of them take it a second. */
const buildInTurns = async (surface: DescribedSurface, version: string): Promise<SharedOpenApi> => {
  const build = new OpenApiBuild(surface);
  for (const endpoint of surface.endpoints) {
    build.add(endpoint);
    await nextTurn();
  }
  const document = build.document(version);
  return { document, text: JSON.stringify(document) };
};

/** Shares the document of a surface: it is made at the first call for a version. */
export const sharedDocumentOf = (surface: DescribedSurface) => {
  const builds = new Map<string, Promise<SharedOpenApi>>();
  return (version: string): Promise<SharedOpenApi> => {
    const known = builds.get(version) ?? buildInTurns(surface, version);
    builds.set(version, known);
    return known;
  };
};
