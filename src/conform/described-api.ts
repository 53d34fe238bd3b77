import { foundValue } from "./found-value.ts";
import { BrokenReference, JsonSchemas } from "./json-schemas.ts";
import { extentOf } from "./nesting.ts";
import { pathMatcher } from "./path-patterns.ts";
import { webhookTypesIn } from "./webhook-types.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** An answer that a document describes. */
export interface DescribedReply {
  /** As it is written: `200`, `4XX` or `default`. */
  status: string;
  /** Schema of its JSON body; nothing for one without, `any` for another kind of body. */
  body: Json | "any" | undefined;
}

/** An operation of a document. */
export interface DescribedOperation {
  /** `POST /quotes`, which names it in a report. */
  name: string;
  method: string;
  path: string;
  body: Json | "any" | undefined;
  replies: readonly DescribedReply[];
}

/** A webhook of a document. */
interface DescribedWebhook {
  /** Its key below `webhooks`. */
  key: string;
  /** The types that its schema says; nothing where it says none. */
  types: ReadonlySet<string> | undefined;
  body: Json | "any" | undefined;
}

/** Larger documents are refused: nothing that people write comes near. */
const LARGEST = { depth: 500, values: 5_000_000 };

/** Raised for a text that is no OpenAPI document; its message says what was expected. */
export class NoOpenApi extends Error {
  override readonly name = "NoOpenApi";
}

const isJson = (type: string) => /^(application\/(.+\+)?json|\*\/\*|application\/\*)\b/i.test(type);

/** The schema of the JSON among several kinds of content. */
const bodyOf = (content: unknown): Json | "any" | undefined => {
  if (!isObject(content) || Object.keys(content).length === 0) return undefined;
  const [, media] = Object.entries(content).find(([type]) => isJson(type)) ?? [];
  const schema = isObject(media) ? media.schema : undefined;
  return isObject(schema) ? schema : "any";
};

const schemasOf = (document: Json, isOld: boolean) => {
  try {
    return new JsonSchemas(document, { isOld });
  } catch (error) {
    throw error instanceof BrokenReference ? new NoOpenApi(error.message) : error;
  }
};

const requireUsual = (document: unknown) => {
  const { depth, values } = extentOf(document, LARGEST);
  if (depth > LARGEST.depth)
    throw new NoOpenApi(
      `Expected a document of at most ${LARGEST.depth} levels but found more, or an endless one`,
    );
  if (values > LARGEST.values)
    throw new NoOpenApi("Expected a document of at most 5,000,000 values but found more");
};

const repliesOf = (responses: unknown, schemas: JsonSchemas): DescribedReply[] =>
  Object.entries(isObject(responses) ? responses : {}).map(([status, response]) => ({
    status: status.toUpperCase() === "DEFAULT" ? "default" : status.toUpperCase(),
    body: bodyOf(schemas.resolved(response)?.content),
  }));

/** Paths below which a document's servers have its operations. */
const basesOf = (servers: unknown): string[] => {
  const urls = (Array.isArray(servers) ? servers : []).map((server) =>
    isObject(server) && typeof server.url === "string" ? server.url : "/",
  );
  const bases = urls.map((url) => {
    const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/\{[^}]*\}/g, "");
    return path.replace(/\/+$/, "");
  });
  return [...new Set([...bases, ""])];
};

const parametersIn = (path: string) => path.split("{").length;

interface OperationRoute {
  operation: DescribedOperation;
  isAt(path: string): boolean;
}

/** The operations and webhooks of an OpenAPI document, 3.0 or 3.1. */
export class DescribedApi {
  readonly operations: readonly DescribedOperation[];
  readonly schemas: JsonSchemas;
  private readonly bases: readonly string[];
  private readonly places: readonly OperationRoute[];
  private readonly webhooks: readonly DescribedWebhook[];

  /** @throws NoOpenApi for anything else */
  constructor(document: unknown) {
    const version = isObject(document) ? document.openapi : undefined;
    if (!isObject(document) || !/^3\.[01](\.|$)/.test(String(version)))
      throw new NoOpenApi(
        `Expected openapi 3.0 or 3.1 at the top but found ${foundValue(version)}`,
      );
    requireUsual(document);
    this.schemas = schemasOf(document, /^3\.0/.test(String(version)));
    const { paths, servers } = this.schemas.document;
    this.bases = basesOf(servers);
    this.operations = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
      this.operationsAt(path, item),
    );
    this.places = this.operations
      .map((operation) => ({ operation, isAt: pathMatcher(operation.path) }))
      // Of two that fit, the one with fewer parameters is meant.
      .sort((one, other) => parametersIn(one.operation.path) - parametersIn(other.operation.path));
    this.webhooks = this.describedWebhooks();
  }

  /** The operation of a call; nothing when the document has none there. */
  operationOf(method: string, path: string): DescribedOperation | undefined {
    const wanted = method.toUpperCase();
    return this.placesOf(path).find(({ operation }) => operation.method === wanted)?.operation;
  }

  /** Whether the document has a path, with any method. */
  hasPath(path: string): boolean {
    return this.placesOf(path).length > 0;
  }

  /** The reply that describes a status: itself, its hundred, or the rest. */
  replyOf({ replies }: DescribedOperation, status: number): DescribedReply | undefined {
    const names = [String(status), `${Math.floor(status / 100)}XX`, "default"];
    for (const name of names) {
      const described = replies.find((reply) => reply.status === name);
      if (described) return described;
    }
    return undefined;
  }

  /** The bodies of a webhook of a type: those under that key, and those whose schema says it. */
  webhooksOf(type: string): (Json | "any" | undefined)[] {
    return this.webhooks
      .filter(({ key, types }) => key === type || types?.has(type))
      .map(({ body }) => body);
  }

  private placesOf(path: string): OperationRoute[] {
    const [pathname = ""] = path.replace(/^[a-z]+:\/\/[^/]*/i, "").split("?");
    return this.bases.flatMap((base) => {
      if (!pathname.startsWith(`${base}/`)) return [];
      const rest = pathname.slice(base.length);
      return this.places.filter(({ isAt }) => isAt(rest));
    });
  }

  private describedWebhooks(): DescribedWebhook[] {
    const { webhooks, "x-webhooks": older } = this.schemas.document;
    const described = isObject(webhooks) ? webhooks : older;
    return Object.entries(isObject(described) ? described : {}).map(([key, at]) => {
      const item = this.schemas.resolved(at) ?? {};
      const method = METHODS.find((name) => isObject(item[name])) ?? "post";
      const body = this.bodyIn(this.schemas.resolved(item.post ?? item[method]));
      return { key, types: webhookTypesIn(body, this.schemas), body };
    });
  }

  private operationsAt(path: string, at: unknown): DescribedOperation[] {
    const item = this.schemas.resolved(at) ?? {};
    return METHODS.flatMap((method) => {
      const operation = this.schemas.resolved(item[method]);
      if (!operation) return [];
      return [
        {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          body: this.bodyIn(operation),
          replies: repliesOf(operation.responses, this.schemas),
        },
      ];
    });
  }

  private bodyIn(operation: Json | undefined) {
    return bodyOf(this.schemas.resolved(operation?.requestBody)?.content);
  }
}
