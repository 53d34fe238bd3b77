import type { FieldPlace, FieldSentences } from "./field-sentences.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nameIn = (reference: unknown) =>
  typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : undefined;

/** The shape of a value that may also be null. */
const shapeOf = (schema: Json): string | undefined => {
  const choices = Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : [];
  return nameIn(schema.$ref) ?? choices.map(({ $ref }) => nameIn($ref)).find(Boolean);
};

/** Keywords whose value is a schema, or several, of the same value or of what is in it. */
const INNER = ["items", "allOf", "oneOf", "anyOf", "additionalProperties"];

/** Puts a sentence on each field of a document (spec/fields.md#sentences). */
class Describing {
  private readonly sentences: FieldSentences;

  constructor(sentences: FieldSentences) {
    this.sentences = sentences;
  }

  described(schema: Json, place: FieldPlace): Json {
    const { description } = schema;
    const sentence = this.sentences.find(
      place,
      typeof description === "string" ? description : undefined,
    );
    if (sentence === undefined) return schema;
    return { ...schema, description: this.sentences.withUnit(sentence, shapeOf(schema)) };
  }

  /** A schema whose fields have their sentences. */
  schema(schema: unknown, owner: string, path: readonly string[] = []): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.schema(part, owner, path));
    if (!isObject(schema)) return schema;
    const inner = Object.fromEntries(
      INNER.filter((key) => key in schema).map((key) => [
        key,
        this.schema(schema[key], owner, path),
      ]),
    );
    if (!isObject(schema.properties)) return { ...schema, ...inner };
    const properties = Object.entries(schema.properties).map(([name, member]) => {
      const deep = this.schema(member, owner, [...path, name]);
      return [name, isObject(deep) ? this.described(deep, { owner, path, name }) : deep];
    });
    return { ...schema, ...inner, properties: Object.fromEntries(properties) };
  }

  parameter(parameter: Json, owner: string): Json {
    if (parameter.$ref !== undefined) return parameter;
    const place = { owner, path: [], name: String(parameter.name) };
    const { description, ...schema } = this.described((parameter.schema ?? {}) as Json, place);
    return description === undefined ? parameter : { ...parameter, description, schema };
  }

  /** A body or a reply with its content. */
  message(message: unknown, owner: string): unknown {
    if (!isObject(message) || !isObject(message.content)) return message;
    const content = Object.entries(message.content).map(([type, media]) => [
      type,
      { ...(media as Json), schema: this.schema((media as Json).schema, owner) },
    ]);
    return { ...message, content: Object.fromEntries(content) };
  }

  operation(operation: Json): Json {
    const { parameters, requestBody, responses } = operation;
    const owner = String(operation.operationId);
    const replies = Object.entries(responses as Json);
    return {
      ...operation,
      ...(Array.isArray(parameters) && {
        parameters: parameters.map((parameter) => this.parameter(parameter, owner)),
      }),
      ...(requestBody !== undefined && { requestBody: this.message(requestBody, owner) }),
      responses: Object.fromEntries(
        replies.map(([status, reply]) => [status, this.message(reply, owner)]),
      ),
    };
  }

  paths(paths: unknown): Json {
    return Object.fromEntries(
      Object.entries(paths as Record<string, Json>).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            this.operation(operation as Json),
          ]),
        ),
      ]),
    );
  }
}

/** A document whose fields and parameters have their sentences. */
export const withDescriptions = (document: Json, sentences: FieldSentences): Json => {
  const describing = new Describing(sentences);
  const { schemas, ...components } = document.components as { schemas: Json };
  const shapes = Object.entries(schemas).map(([name, schema]) => [
    name,
    describing.schema(schema, name),
  ]);
  return {
    ...document,
    paths: describing.paths(document.paths),
    components: { ...components, schemas: Object.fromEntries(shapes) },
  };
};
