// Writes the types of the contract from its OpenAPI documents: one interface for each shape, and one
// function for each operation. They need no library, unlike those that the sources infer, and take
// their place in the published declarations (decisions/published-contract-types.md).

const isName = (text) => /^[A-Za-z_$][\w$]*$/.test(text);
const keyOf = (text) => (isName(text) ? text : JSON.stringify(text));
const nameIn = (ref) => ref.slice(ref.lastIndexOf("/") + 1);
const inParentheses = (text) => (/[|&]/.test(text) ? `(${text})` : text);
const union = (types) => [...new Set(types)].join(" | ") || "never";
const indented = (text) => text.replace(/^(?=.)/gm, "  ");

/** A sentence as the comment over a member, which editors show. */
const commentOf = (sentence) =>
  sentence === undefined ? "" : `/** ${sentence.replaceAll("*/", "*\\/")} */\n`;

/** Members of an object type; optional ones take undefined too, as JSON leaves them out. */
const membersOf = ({ properties = {}, required = [] }, names) =>
  Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = typeOf(schema, names) + (isRequired ? "" : " | undefined");
    return `${commentOf(schema.description)}${keyOf(name)}${isRequired ? "" : "?"}: ${type};`;
  });

const objectType = (schema, names) => {
  const members = membersOf(schema, names);
  const { additionalProperties: others } = schema;
  const hasOthers = typeof others === "object" && Object.keys(others).length > 0;
  if (members.length > 0) return `{\n${indented(members.join("\n"))}\n}`;
  if (others === false) return "Record<string, never>";
  // An alias may name itself in an index signature, though not in Record.
  return `{ [member: string]: ${hasOthers ? typeOf(others, names) : "unknown"} }`;
};

const SCALARS = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The TypeScript type of a JSON Schema. */
export const typeOf = (schema, names = new Map()) => {
  if (schema === true || schema === undefined) return "unknown";
  if (schema.$ref !== undefined) return names.get(nameIn(schema.$ref)) ?? nameIn(schema.$ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return union(choices.map((choice) => typeOf(choice, names)));
  if (schema.allOf)
    return schema.allOf.map((part) => inParentheses(typeOf(part, names))).join(" & ");
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, names)));
  if (schema.type === "array") return `${inParentheses(typeOf(schema.items, names))}[]`;
  if (schema.type === "object" || schema.properties) return objectType(schema, names);
  return SCALARS[schema.type] ?? "unknown";
};

const declarationOf = (name, schema, names) => {
  const type = typeOf(schema, names);
  return schema.type === "object" && type.startsWith("{\n")
    ? `export interface ${name} ${type}`
    : `export type ${name} = ${type};`;
};

const isJson = (type) => /^application\/json/.test(type);

/** The body of a request: JSON, or a form with a file. */
const bodyMember = ({ requestBody }, names) => {
  if (!requestBody) return [];
  const [[type, { schema }]] = Object.entries(requestBody.content);
  const mark = requestBody.required === false ? "?" : "";
  return [`body${mark}: ${isJson(type) ? typeOf(schema, names) : "FormData"};`];
};

const PLACES = { path: "params", query: "query" };

/** Parameters of a place; arrays and numbers of a query are written as text by the call. */
const parameterMember = ({ parameters = [] }, place, names) => {
  const named = parameters.filter((one) => one.in === place);
  if (named.length === 0) return [];
  const members = named.map(({ name, required, schema, description }) => {
    const type = place === "path" ? "string" : `${typeOf(schema, names)} | undefined`;
    return `${commentOf(description)}${keyOf(name)}${required ? "" : "?"}: ${type};`;
  });
  const mark = named.some(({ required }) => required) ? "" : "?";
  return [`${PLACES[place]}${mark}: {\n${indented(members.join("\n"))}\n};`];
};

/** Types of all successful replies of an operation. */
const replyOf = ({ responses }, names) =>
  union(
    Object.entries(responses)
      .filter(([status]) => /^2/.test(status))
      .map(([, { content }]) => {
        if (!content) return "undefined";
        const [[type, { schema }]] = Object.entries(content);
        return isJson(type) ? typeOf(schema, names) : "string";
      }),
  );

const isAgents = ({ security = [] }) => security.some((one) => "agent" in one);

const callOf = (operation, names) => {
  const input = [
    ...parameterMember(operation, "path", names),
    ...parameterMember(operation, "query", names),
    ...bodyMember(operation, names),
  ];
  const isOptional = input.every((member) => /^\w+\?:/.test(member)) && !isAgents(operation);
  const options = isAgents(operation) ? "AgentCallOptions" : "CallOptions";
  const type = input.length === 0 ? options : `{\n${indented(input.join("\n"))}\n} & ${options}`;
  const reply = replyOf(operation, names);
  return [
    `/** ${operation.summary}. */`,
    `${operation.operationId}(input${isOptional ? "?" : ""}: ${type}): Promise<${reply}>;`,
  ].join("\n");
};

const operationsOf = ({ paths }) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

/** Types that calls and webhooks need beside the shapes. */
const FIXED = `/** Options of a call, beside its input. */
export interface CallOptions {
  /** Further headers, like \`Idempotency-Key\` or \`Service-Wallet-Signature\`. */
  headers?: Record<string, string>;
  /** Access token of an agent, for the operations that agents call. */
  token?: string;
}

/** Options of an operation that agents call. */
export interface AgentCallOptions extends CallOptions {
  token: string;
}`;

const FIRST_REVISION = "2025-10";

/** Bodies of webhooks: a type that only a later revision has is looked for there. */
const eventTypes = (laterOnes) => {
  const inFirst = "Extract<WebhookEvent, { type: Type }>";
  const found = Object.keys(laterOnes).reduce(
    (type, revision) =>
      `[${inFirst}] extends [never] ? Extract<WebhookEvent${suffixOf(revision)}, { type: Type }> : ${type}`,
    inFirst,
  );
  return `/** Body of a webhook of some type. */
export type EventOf<Type extends EventType> = ${found};`;
};

/** Shapes that only the control surface has; those that both have are the platform's. */
const controlOnly = (platform, control) =>
  Object.entries(control.components.schemas).filter(
    ([name]) => !Object.hasOwn(platform.components.schemas, name),
  );

/** Ending of the names of a later revision's own types: `In202608`. */
const suffixOf = (revision) => `In${revision.replace(/\W/g, "")}`;

/** Names of the shapes that a schema refers to. */
const refsIn = (schema) =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

/** Shapes of a later revision that are others there, by themselves or by a shape that they have. */
const changedShapes = (platform, later) => {
  const { schemas } = later.components;
  const changed = new Set(
    Object.keys(schemas).filter(
      (name) => JSON.stringify(schemas[name]) !== JSON.stringify(platform.components.schemas[name]),
    ),
  );
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [name, schema] of Object.entries(schemas))
      if (refsIn(schema).some((one) => changed.has(one))) changed.add(name);
  }
  return changed;
};

const callsOf = (document, names) =>
  indented(
    operationsOf(document)
      .map((operation) => callOf(operation, names))
      .join("\n"),
  );

/** A document without the sentences about its fields: those of the first revision's types stand. */
const withoutSentences = (document) =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );

/** Types of a later revision: its own shapes, with the revision in their names, and its calls. */
const laterTypes = (revision, { platform, later, names }) => {
  const suffix = suffixOf(revision);
  const changed = changedShapes(platform, later);
  const plain = withoutSentences(later);
  const its = new Map([...names, ...[...changed].map((name) => [name, name + suffix])]);
  const shapes = [...changed].map((name) =>
    declarationOf(its.get(name), plain.components.schemas[name], its),
  );
  const calls = `/** One function for each operation of revision ${revision}. */
export interface OperationCalls${suffix} {
${callsOf(plain, its)}
}`;
  return [...shapes, calls];
};

/** The calls of each revision. */
const revisionTypes = (first, revisions) => {
  const all = [first, ...revisions];
  const rows = all.map(
    (one) => `${JSON.stringify(one)}: OperationCalls${one === first ? "" : suffixOf(one)};`,
  );
  return `/** The operations of each revision. */
export interface CallsOf {
${indented(rows.join("\n"))}
}`;
};

/**
 * The declarations that replace src/library/contract-types.ts.
 * @param platform OpenAPI document of the platform's operations
 * @param control OpenAPI document of the control surface
 * @param laterOnes documents of later revisions, by revision
 */
export const contractTypes = (platform, control, laterOnes = {}) => {
  // A global class has this name already.
  const names = new Map([["Error", "ApiErrorBody"]]);
  const shapes = [
    ...Object.entries(platform.components.schemas),
    ...controlOnly(platform, control),
  ].map(([name, schema]) => declarationOf(names.get(name) ?? name, schema, names));
  const interfaceOfCalls = `/** One function for each operation of the platform; it resolves to the body of the reply. */
export interface OperationCalls {
${callsOf(platform, names)}
}`;
  const later = Object.entries(laterOnes).flatMap(([revision, document]) =>
    laterTypes(revision, { platform, later: document, names }),
  );
  const revisions = revisionTypes(FIRST_REVISION, Object.keys(laterOnes));
  const all = [...shapes, eventTypes(laterOnes), FIXED, interfaceOfCalls, ...later, revisions];
  return `${all.join("\n\n")}\n`;
};
