import { type Document, resolved, type Schema } from "./document.ts";

/** Ids that exist, by the kind of their records. */
export type KnownIds = Readonly<Partial<Record<string, readonly string[]>>>;

/** Kinds that members and parameters name; the place decides where a name means several. */
const KINDS: readonly (readonly [name: RegExp, place: RegExp, kind: string])[] = [
  [/^(customerId|documentHolder)$/, /./, "Customer"],
  [/^accountId$/, /destination|external/, "ExternalAccount"],
  [/^accountId$/, /./, "InternalAccount"],
  [/internalAccountId|sourceAccountId|fundingSources/i, /./, "InternalAccount"],
  [/externalAccountId|destinationAccountId/i, /./, "ExternalAccount"],
  [/^quoteId$/, /./, "Quote"],
  [/^transactionId$/, /./, "Transaction"],
  [/^cardId$/, /./, "Card"],
  [/^cardTransactionId$/, /./, "CardTransaction"],
  [/^agentId$/, /./, "Agent"],
  [/^actionId$/, /./, "AgentAction"],
];

/** The kind of record that a name means at a place such as `/quotes destination`. */
export const kindNamed = (name: string, place: string): string | undefined =>
  KINDS.find(([names, places]) => names.test(name) && places.test(place))?.[2];

/** Values that people would try first, by the name of a member. */
const USUAL: Readonly<Record<string, unknown>> = {
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 25_000,
  amount: 25_000,
  currency: "USD",
  fullName: "Ada Byron",
  email: "ada@example.com",
  country: "US",
  documentType: "PASSPORT",
  description: "An example",
};

const MOST_DEPTH = 6;

interface At {
  document: Document;
  ids: KnownIds;
  /** Path of the operation and names of members above. */
  place: string;
  depth: number;
}

/** An example of a schema: its required members alone, with ids that exist. */
export const sampleOf = (schemaOrRef: Schema, at: At, name = ""): unknown => {
  const schema = resolved(at.document, schemaOrRef);
  const kind = kindNamed(name, at.place);
  const id = kind === undefined ? undefined : at.ids[kind]?.[0];
  if (id !== undefined && !schema.properties) return schema.items ? [id] : id;
  if (schema.const !== undefined) return schema.const;
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices?.[0]) return sampleOf(choices[0], at, name);
  if (name in USUAL && !schema.properties) return USUAL[name];
  if (schema.enum) return schema.enum[0];
  if (at.depth > MOST_DEPTH) return {};
  if (schema.properties) return objectOf(schema, at, name);
  if (schema.items) return [sampleOf(schema.items, { ...at, depth: at.depth + 1 }, name)];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return false;
  return schema.type === "object" ? {} : "";
};

const objectOf = ({ properties = {}, required = [] }: Schema, at: At, name: string) => {
  const below = { ...at, place: `${at.place} ${name}`, depth: at.depth + 1 };
  return Object.fromEntries(
    required.flatMap((member) => {
      const schema = properties[member];
      return schema ? [[member, sampleOf(schema, below, member)] as const] : [];
    }),
  );
};
