import { JsonSchemas } from "./json-schemas.ts";

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

const repliesOf = (responses: unknown, schemas: JsonSchemas): DescribedReply[] =>
  Object.entries(isObject(responses) ? responses : {}).map(([status, response]) => ({
    status: status.toUpperCase() === "DEFAULT" ? "default" : status.toUpperCase(),
    body: bodyOf(schemas.resolved(response)?.content),
  }));

/** Paths below which a document's servers have its operations. */
const basesOf = (servers: unknown): string[] => {
  const urls = (Array.isArray(servers) ? servers : []).map((one) =>
    isObject(one) && typeof one.url === "string" ? one.url : "/",
  );
  const bases = urls.map((url) => {
    const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/\{[^}]*\}/g, "");
    return path.replace(/\/+$/, "");
  });
  return [...new Set([...bases, ""])];
};

const patternOf = (template: string) => {
  const parts = template.split("/").map((part) =>
    part
      .split(/\{[^}]*\}/)
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^/]+"),
  );
  return new RegExp(`^${parts.join("/")}$`);
};

const parametersIn = (path: string) => path.split("{").length;

/** The operations and webhooks of an OpenAPI document, 3.0 or 3.1. */
export class DescribedApi {
  readonly operations: readonly DescribedOperation[];
  readonly schemas: JsonSchemas;
  private readonly bases: readonly string[];
  private readonly patterns: readonly { operation: DescribedOperation; pattern: RegExp }[];
  private readonly webhooks = new Map<string, Json | "any" | undefined>();

  /** @throws NoOpenApi for anything else */
  constructor(document: unknown) {
    const version = isObject(document) ? document.openapi : undefined;
    if (!isObject(document) || typeof version !== "string" || !/^3\.[01]\./.test(version))
      throw new NoOpenApi(
        `Expected openapi 3.0 or 3.1 at the top but found ${JSON.stringify(version) ?? "nothing"}`,
      );
    this.schemas = new JsonSchemas(document, { isOld: version.startsWith("3.0.") });
    const { paths, servers, webhooks, "x-webhooks": older } = this.schemas.document;
    this.bases = basesOf(servers);
    this.operations = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
      this.operationsAt(path, item),
    );
    this.patterns = this.operations
      .map((operation) => ({ operation, pattern: patternOf(operation.path) }))
      // Of two that fit, the one with fewer parameters is meant.
      .sort((one, other) => parametersIn(one.operation.path) - parametersIn(other.operation.path));
    const described = isObject(webhooks) ? webhooks : older;
    for (const [type, item] of Object.entries(isObject(described) ? described : {})) {
      const post = this.schemas.resolved(this.schemas.resolved(item)?.post);
      this.webhooks.set(type, this.bodyIn(post));
    }
  }

  /** The operation of a call; nothing when the document has none there. */
  operationOf(method: string, path: string): DescribedOperation | undefined {
    const [asked = ""] = path.replace(/^[a-z]+:\/\/[^/]*/i, "").split("?");
    const wanted = method.toUpperCase();
    for (const base of this.bases) {
      if (!asked.startsWith(`${base}/`)) continue;
      const rest = asked.slice(base.length);
      const found = this.patterns.find(
        ({ operation, pattern }) => operation.method === wanted && pattern.test(rest),
      );
      if (found) return found.operation;
    }
    return undefined;
  }

  /** The reply that describes a status: itself, its hundred, or the rest. */
  replyOf({ replies }: DescribedOperation, status: number): DescribedReply | undefined {
    const names = [String(status), `${Math.floor(status / 100)}XX`, "default"];
    for (const name of names) {
      const found = replies.find((reply) => reply.status === name);
      if (found) return found;
    }
    return undefined;
  }

  /** The body of a webhook by its type; `unknown` when the document has no such type. */
  webhookOf(type: string): Json | "any" | "unknown" | undefined {
    return this.webhooks.has(type) ? this.webhooks.get(type) : "unknown";
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
