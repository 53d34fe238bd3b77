import type { KnownIds } from "../api/setup/populated.ts";
import type { Chance } from "../simulation/setup/chance.ts";
import type { DescribedOperation, DescribedParameter } from "./described-operations.ts";
import { idNameOf, type Sample, sampleOf } from "./samples.ts";
import { type Making, valueFor, variedBody } from "./schema-values.ts";

/** A request before it is bytes. */
export interface Parts {
  method: string;
  /** Below the base of its surface, encoded as it is sent. */
  path: string;
  query: readonly string[];
  /** Whole lines. */
  headers: readonly string[];
  body: Buffer | undefined;
  /** The body as a value, where it is one of JSON; `body` is written from it. */
  value?: unknown;
}

/** All that requests of one lane are made from. */
export interface RequestSource {
  chance: Chance;
  ids: KnownIds;
  /** Name of the lane's own world. */
  world: string;
  /** Credentials of the default world, or of the lane's world where that has some of its own. */
  clientId: string;
  clientSecret: string;
  ownsCredentials: boolean;
  controlToken?: string;
}

/** Ways of one request to say which world it means (spec/worlds.md#choice). */
interface Naming {
  header: boolean;
  user: boolean;
  query: boolean;
}

const NAMINGS: readonly Naming[] = [
  { header: true, user: true, query: false },
  { header: false, user: true, query: true },
  { header: true, user: false, query: false },
];

/** A way that suits the operation: what no user name and no query names, the header does. */
const namingOf = (one: DescribedOperation, { chance, ownsCredentials }: RequestSource): Naming => {
  const naming = chance.pick(NAMINGS);
  const query = naming.query && one.parameters.some(({ name }) => name === "world");
  const isNamed = one.surface === "control" ? query : one.caller === "platform" && naming.user;
  return { header: naming.header || !isNamed, query, user: naming.user && !ownsCredentials };
};

/** Texts that stand for a member of any body: ids of records, and addresses on this machine. */
const knownIn = (ids: KnownIds) => (member: string) => {
  if (member === "webhookEndpoint") return "http://127.0.0.1:9/hooks";
  if (member === "destinationAddress" || member === "file") return undefined;
  return Object.hasOwn(ids, member) ? ids[member] : undefined;
};

const makingOf = (
  { chance, ids }: RequestSource,
  { document }: DescribedOperation,
  at: Making["at"],
): Making => ({ chance, document, at, known: knownIn(ids) });

const authorizationOf = (
  { caller, surface }: DescribedOperation,
  source: RequestSource,
  naming: Naming,
): string[] => {
  const { clientId, clientSecret, controlToken, world } = source;
  if (surface === "control") return controlToken ? [`authorization: Bearer ${controlToken}`] : [];
  if (caller === "agent") return [`authorization: Bearer ${source.ids.agentToken}`];
  if (caller === "nobody") return [];
  const user = naming.user ? `${clientId}+${world}` : clientId;
  return [`authorization: Basic ${btoa(`${user}:${clientSecret}`)}`];
};

/** A key is sent again with every eighth draw, perhaps with another body. */
const keyOf = ({ parameters }: DescribedOperation, { chance }: RequestSource): string[] =>
  parameters.some(({ name }) => name === "Idempotency-Key") && chance.oneIn(6)
    ? [`idempotency-key: key-${chance.below(8)}`]
    : [];

const pathOf = (one: DescribedOperation, sample: Sample, { ids, chance }: RequestSource) =>
  one.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = sample.params?.[name] ?? ids[idNameOf(one, name)] ?? ids[name] ?? "none";
    const encoded = encodeURIComponent(id);
    return chance.oneIn(3) ? encoded : encoded.replaceAll("%3A", ":").replaceAll("%40", "@");
  });

const pairOf = ({ name, schema }: DescribedParameter, making: Making) =>
  `${name}=${encodeURIComponent(String(valueFor(schema, making, { member: name })))}`;

/** Never random: a cursor comes from an earlier answer, and a world from the lane. */
const LEFT_OUT = new Set(["cursor", "world"]);

const queryOf = (one: DescribedOperation, sample: Sample, making: Making): string[] => {
  const given = sample.query?.split("&") ?? [];
  const named = new Set(given.map((pair) => pair.split("=")[0]));
  const optional = one.parameters.filter(
    (parameter) =>
      parameter.in === "query" &&
      !named.has(parameter.name) &&
      !LEFT_OUT.has(parameter.name) &&
      (parameter.required || making.chance.oneIn(making.at === "edge" ? 2 : 5)),
  );
  return [...given, ...optional.map((parameter) => pairOf(parameter, making))];
};

const BOUNDARY = "----campaign";

const formBody = ({ fields, fileName, file }: NonNullable<Sample["form"]>) => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const last = `content-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n${file}`;
  const all = [...parts, last].map((part) => `--${BOUNDARY}\r\n${part}\r\n`);
  return Buffer.from(`${all.join("")}--${BOUNDARY}--\r\n`);
};

const bodyPartsOf = (one: DescribedOperation, sample: Sample, making: Making) => {
  if (sample.form)
    return {
      headers: [`content-type: multipart/form-data; boundary=${BOUNDARY}`],
      body: formBody(sample.form),
    };
  if (!one.body || one.body.media === "form") return { headers: [], body: undefined };
  const { schema } = one.body;
  const { chance, at } = making;
  const isMade = at === "edge" || (sample.body === undefined && chance.oneIn(2));
  if (!isMade && sample.body === undefined) return { headers: [], body: undefined };
  const isExact = chance.oneIn(2);
  const made = () => (isExact ? sample.body : variedBody(sample.body, schema, making));
  const value = isMade ? valueFor(schema, making) : made();
  return {
    headers: ["content-type: application/json"],
    body: Buffer.from(JSON.stringify(value)),
    value,
  };
};

/** A request whose every part the document allows. */
export const allowedRequest = (
  one: DescribedOperation,
  source: RequestSource,
  at: Making["at"],
): Parts => {
  const sample = sampleOf(one, source.ids, source.chance);
  const making = makingOf(source, one, at);
  const { headers, ...body } = bodyPartsOf(one, sample, making);
  const naming = namingOf(one, source);
  return {
    method: one.method,
    path: pathOf(one, sample, source),
    query: [...queryOf(one, sample, making), ...(naming.query ? [`world=${source.world}`] : [])],
    headers: [
      ...(naming.header ? [`x-sim-world: ${source.world}`] : []),
      ...authorizationOf(one, source, naming),
      ...keyOf(one, source),
      ...headers,
    ],
    ...body,
  };
};

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Paths of every member of a value. */
const placesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  isNode(value)
    ? Object.keys(value).flatMap((key) => [[...path, key], ...placesIn(value[key], [...path, key])])
    : [];

/** A copy of a value with a member replaced, or left out for `undefined`. */
export const withMember = (value: unknown, path: readonly string[], member: unknown): unknown => {
  const copy = structuredClone(value) as Node;
  let node = copy;
  for (const key of path.slice(0, -1)) node = node[key] as Node;
  const last = path.at(-1) ?? "added";
  if (member === undefined) delete node[last];
  else Object.defineProperty(node, last, { value: member, enumerable: true, configurable: true });
  return copy;
};

/** A place in a body: that of a member, or of one that is added to it. */
export const placeIn = (value: unknown, chance: Chance): readonly string[] => {
  const places = placesIn(value);
  return places.length === 0 || chance.oneIn(12) ? ["added"] : chance.pick(places);
};

const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  "",
  " ",
  "x".repeat(5_000),
  [],
  {},
  [[]],
  { a: null },
  "NO_SUCH_VALUE",
  "Customer:00000000-0000-7000-8000-000000000000",
  Number.MAX_SAFE_INTEGER,
  "2026-02-30",
];

const withBody = (parts: Parts, body: Buffer): Parts => ({ ...parts, body, value: undefined });

/** Rewrites a whole body, as JSON. */
export const withJson = (parts: Parts, text: string | Buffer): Parts =>
  withBody(
    {
      ...parts,
      headers: [
        ...parts.headers.filter((line) => !line.startsWith("content-type")),
        "content-type: application/json",
      ],
    },
    Buffer.from(text),
  );

interface InvalidRequest {
  how: string;
  parts: Parts;
}

const WORLD_LINE = /^x-sim-world/;

/** Ways to break one rule of the document, each in a request that is otherwise allowed. */
const INVALIDATIONS: readonly ((
  parts: Parts,
  chance: Chance,
  one: DescribedOperation,
) => InvalidRequest)[] = [
  (parts, chance) => {
    const place = placeIn(parts.value ?? {}, chance);
    const value = chance.oneIn(4) ? undefined : chance.pick(WRONG);
    const text = JSON.stringify(withMember(parts.value ?? {}, place, value));
    const shown = value === undefined ? "left out" : JSON.stringify(value).slice(0, 40);
    return { how: `${place.join(".")} ${shown}`, parts: withJson(parts, text) };
  },
  (parts, chance, one) => {
    const named = one.parameters.filter((each) => each.in === "query" && each.name !== "world");
    const name = named.length > 0 ? chance.pick(named).name : "limit";
    const value = encodeURIComponent(String(chance.pick(WRONG)));
    const world = parts.query.filter((pair) => pair.startsWith("world="));
    return { how: `the query ${name}`, parts: { ...parts, query: [`${name}=${value}`, ...world] } };
  },
  (parts, chance) => ({
    how: "an unknown id",
    parts: {
      ...parts,
      path: parts.path.replace(/[0-9a-f]{12}(?=\/|$)/, String(chance.below(1e6)).padStart(12, "0")),
    },
  }),
  (parts) => ({
    how: "no credentials",
    parts: { ...parts, headers: parts.headers.filter((line) => WORLD_LINE.test(line)) },
  }),
  (parts) => ({
    how: "wrong credentials",
    parts: {
      ...parts,
      headers: [
        ...parts.headers.filter((line) => !line.startsWith("authorization")),
        "authorization: Basic bm9ib2R5Om5vYm9keQ==",
      ],
    },
  }),
  (parts, chance) => {
    const method = chance.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]);
    // The method decides whether the world changes: a read of one becomes no reset of another.
    return { how: `the method ${method}`, parts: { ...parts, method } };
  },
];

/** A request that breaks one rule of the document. */
export const invalidRequest = (one: DescribedOperation, source: RequestSource): InvalidRequest => {
  const { chance } = source;
  const parts = allowedRequest(one, source, "usual");
  const isJson = one.body?.media === "json";
  return chance.pick(isJson && chance.oneIn(2) ? INVALIDATIONS.slice(0, 1) : INVALIDATIONS)(
    parts,
    chance,
    one,
  );
};

/** The bytes of a request, with its length unless a header says it. */
export const bytesOf = ({ method, path, query, headers, body }: Parts, base: string): Buffer => {
  const search = query.length > 0 ? `?${query.join("&")}` : "";
  const length = body ? [`content-length: ${body.length}`] : [];
  const lines = [
    `${method} ${base}${path}${search} HTTP/1.1`,
    "host: 127.0.0.1",
    ...headers,
    ...length,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body ? Buffer.concat([head, body]) : head;
};

/** The target of a request, below the base of its surface. */
export const targetOf = ({ path, query }: Parts) =>
  query.length > 0 ? `${path}?${query.join("&")}` : path;
