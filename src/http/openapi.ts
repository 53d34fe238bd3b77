import * as z from "zod";
import { REASON_SPELLINGS, REFUSALS, type RefusalWord } from "../contract/refusals.ts";
import { SigningChallenge } from "../contract/wallets/credentials.ts";
import { nextTurn } from "../runtime/host-time.ts";
import { type Endpoint, pathParams } from "./endpoint.ts";

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
}

/** A document under construction. */
interface Building {
  surface: DescribedSurface;
  components: Components;
  errorSchema: unknown;
}

/** Turns schemas into JSON Schema; those with an id become shared components. */
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

const contentOf = (schema: unknown, mediaType = "application/json") => ({
  [mediaType]: { schema },
});

const errorReplies = (words: readonly RefusalWord[], errorSchema: unknown) => {
  const statuses = [...new Set(words.map((word) => REFUSALS[word].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const rows = words.filter((word) => REFUSALS[word].status === status);
      const codes = [...new Set(rows.map((word) => REFUSALS[word].code))].sort();
      return [status, { description: codes.join(", "), content: contentOf(errorSchema) }];
    }),
  );
};

/** Each documented error of an operation, with the next step for a caller. */
const errorsOf = (words: readonly RefusalWord[]) =>
  words.map((word) => {
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

const challengeReply = ({ signing }: Endpoint, components: Components) =>
  signing === "retry" && {
    202: {
      description: "What to sign, when the request came without signature headers",
      content: contentOf(components.schemaOf(SigningChallenge, "output")),
    },
  };

const operationOf = (endpoint: Endpoint, { surface, components, errorSchema }: Building) => {
  const [status, shape, mediaType] = endpoint.replies;
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
    ...(surface.specOf && { "x-spec": surface.specOf(endpoint) }),
    "x-errors": errorsOf(words),
    security: surface.securityOf(endpoint),
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
        ...(status !== 204 && {
          content: contentOf(components.schemaOf(shape, "output"), mediaType),
        }),
      },
      ...challengeReply(endpoint, components),
      ...errorReplies(words, errorSchema),
    },
  };
};

/** The document while operations are added to it. */
class OpenApiBuild {
  private readonly building: Building;
  private readonly paths: Record<string, Json> = {};

  constructor(surface: DescribedSurface) {
    const components = new Components();
    const errorSchema = components.schemaOf(surface.errorBody, "output");
    this.building = { surface, components, errorSchema };
  }

  add(endpoint: Endpoint) {
    const operations = this.paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint, this.building);
    this.paths[endpoint.path] = operations;
  }

  document(version: string): Json {
    const { base, description, securitySchemes, security } = this.building.surface;
    return {
      openapi: "3.1.0",
      info: { title: "service-sim", version, description },
      servers: [{ url: base }],
      security,
      paths: this.paths,
      components: { securitySchemes, schemas: this.building.components.schemas },
    };
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

/** Makes the same, one operation in a turn of the event loop: all of them take it 200 ms. */
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
