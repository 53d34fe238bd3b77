import { fewest } from "./fewest.ts";
import type { Try } from "./hostile-requests.ts";
import type { Step } from "./lane.ts";

type Fails = (made: Try) => Promise<boolean>;

const HEAD_END = "\r\n\r\n";

/** A request as its bytes tell it, one character a byte; what is cut in its head has no body. */
interface Pieces {
  line: string;
  headers: readonly string[];
  body: string | undefined;
}

const piecesOf = (text: string): Pieces => {
  const end = text.indexOf(HEAD_END);
  const [line = "", ...headers] = (end < 0 ? text : text.slice(0, end)).split("\r\n");
  return { line, headers, body: end < 0 ? undefined : text.slice(end + HEAD_END.length) };
};

const LENGTH = /^content-length: \d+$/;

/** A length that was right stays right when the body becomes shorter. */
const textOf = ({ line, headers, body = "" }: Pieces, isCut: boolean, hasLength: boolean) => {
  const fitting = headers.map((header) =>
    hasLength && LENGTH.test(header) ? `content-length: ${body.length}` : header,
  );
  return [line, ...fitting].join("\r\n") + (isCut ? "" : HEAD_END + body);
};

const queryOf = (line: string) => {
  const [, before = "", query, after = ""] = /^([^?]*)\?(\S*)( .*)$/.exec(line) ?? [];
  return query === undefined ? undefined : { before, pairs: query.split("&"), after };
};

const pathBelow = (line: string, base: string) => {
  const target = line.split(" ")[1] ?? "";
  return target.startsWith(base) ? target.slice(base.length) : undefined;
};

/** A try of other bytes; its target is looked up again, since a query may have become shorter. */
const tryOf = ({ operation, made }: Step, text: string, line: string): Try => {
  const [asked] = made.asked;
  const isPlain = asked && pathBelow(made.sending.chunks.join(""), operation.base) === asked.target;
  const target = isPlain ? pathBelow(line, operation.base) : undefined;
  const once = asked && { method: asked.method, target: target ?? asked.target };
  return {
    ...made,
    sending: {
      ...made.sending,
      chunks: [Buffer.from(text, "latin1")],
      methods: made.sending.methods.slice(0, 1),
    },
    asked: once ? [once] : [],
  };
};

/** A JSON value without the member at a path. */
const withoutPlace = (value: unknown, path: readonly string[]): unknown => {
  const copy = structuredClone(value) as Record<string, unknown>;
  let node = copy;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>;
  const last = path.at(-1) as string;
  if (Array.isArray(node)) node.splice(Number(last), 1);
  else delete node[last];
  return copy;
};

const placesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [
        [...path, key],
        ...placesIn(member, [...path, key]),
      ])
    : [];

/** Members beyond which a body is shortened by its bytes alone. */
const MOST_PLACES = 200;

const smallerJson = async (body: string, fails: (body: string) => Promise<boolean>) => {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
  } catch {
    return body;
  }
  let kept = body;
  const places = placesIn(value);
  if (places.length > MOST_PLACES) return body;
  // The last first, so that a place in a list names the same member until its turn comes.
  for (const place of places.reverse()) {
    const smaller = withoutPlace(value, place);
    const text = Buffer.from(JSON.stringify(smaller)).toString("latin1");
    if (!(await fails(text))) continue;
    value = smaller;
    kept = text;
  }
  return kept;
};

const PIECES_OF_A_BODY = 16;

const partsOf = (text: string): string[] => {
  const size = Math.max(1, Math.ceil(text.length / PIECES_OF_A_BODY));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
};

/** Leaves out parts of a text, of a sixteenth each, as long as it becomes shorter by that. */
const smallerText = async (text: string, fails: (text: string) => Promise<boolean>) => {
  let kept = text;
  for (;;) {
    const smaller = (await fewest(partsOf(kept), (parts) => fails(parts.join("")))).join("");
    if (smaller.length >= kept.length) return kept;
    kept = smaller;
  }
};

/** One of several equal requests in one write, where one is enough. */
const single = async (step: Step, fails: Fails): Promise<Step> => {
  const { made } = step;
  const bytes = Buffer.concat(made.sending.chunks).toString("latin1");
  const count = Math.max(1, made.asked.length);
  const text = bytes.slice(0, bytes.length / count);
  const once = tryOf(step, text, piecesOf(text).line);
  return (await fails(once)) ? { ...step, made: once } : step;
};

/**
 * The smallest request that still fails: without headers, pairs of the query, members and bytes of
 * the body that do not matter.
 */
export const smallerTry = async (given: Step, fails: Fails): Promise<Try> => {
  const step = await single(given, fails);
  if (step.made.sending.chunks.length > 1 || step.made.asked.length > 1) return step.made;
  const first = piecesOf(Buffer.concat(step.made.sending.chunks).toString("latin1"));
  const isCut = first.body === undefined;
  const hasLength = first.headers.includes(`content-length: ${first.body?.length}`);
  const made = (pieces: Pieces) => tryOf(step, textOf(pieces, isCut, hasLength), pieces.line);
  let pieces = first;
  const stillFails = (changed: Partial<Pieces>) => fails(made({ ...pieces, ...changed }));
  pieces = {
    ...pieces,
    headers: await fewest(pieces.headers, (headers) => stillFails({ headers })),
  };
  const query = queryOf(pieces.line);
  if (query) {
    const lineOf = (pairs: readonly string[]) =>
      query.before + (pairs.length > 0 ? `?${pairs.join("&")}` : "") + query.after;
    const pairs = await fewest(query.pairs, (some) => stillFails({ line: lineOf(some) }));
    pieces = { ...pieces, line: lineOf(pairs) };
  }
  if (pieces.body) {
    const json = await smallerJson(pieces.body, (body) => stillFails({ body }));
    pieces = { ...pieces, body: await smallerText(json, (body) => stillFails({ body })) };
  }
  return made(pieces);
};
