import type { CapsuleReply } from "./capsule-lines.ts";

/** The first thing in which a reply differs from the recorded one (spec/capsules.md#differences). */
export interface ReplyDifference {
  /** `status`, `header date`, or a JSON pointer into the body. */
  where: string;
  recorded: string;
  found: string;
}

const shown = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value));

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The first place where two JSON values differ, as a JSON pointer (RFC 6901). */
export const firstDifference = (
  recorded: unknown,
  replayed: unknown,
  at = "",
): ReplyDifference | undefined => {
  if (
    !isBranch(recorded) ||
    !isBranch(replayed) ||
    Array.isArray(recorded) !== Array.isArray(replayed)
  )
    return Object.is(recorded, replayed)
      ? undefined
      : { where: at === "" ? "body" : at, recorded: shown(recorded), found: shown(replayed) };
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
    const inner = firstDifference(recorded[name], replayed[name], `${at}/${escaped(name)}`);
    if (inner) return inner;
  }
  return undefined;
};

const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

/** Headers that the connection makes. */
const OF_CONNECTION: ReadonlySet<string> = new Set(["connection", "keep-alive", "content-length"]);

/** Parts of two replies that are compared: those of the control surface also tell of process and wall time. */
export interface Comparison {
  withDate: boolean;
  withBody: boolean;
}

/** The first difference of two replies; nothing when they are the same. */
export const replyDifference = (
  recorded: CapsuleReply,
  replayed: CapsuleReply,
  { withDate, withBody }: Comparison,
): ReplyDifference | undefined => {
  if (recorded.status !== replayed.status)
    return { where: "status", recorded: `${recorded.status}`, found: `${replayed.status}` };
  if (!withBody) return undefined;
  // The text is compared too: the digest alone would not tell of a file that was changed.
  if (recorded.sha !== replayed.sha || recorded.body !== replayed.body) {
    const inside = firstDifference(parsed(recorded.body), parsed(replayed.body));
    return inside ?? { where: "body", recorded: "a secret", found: "another secret" };
  }
  for (const name of new Set([
    ...Object.keys(recorded.headers),
    ...Object.keys(replayed.headers),
  ])) {
    if (OF_CONNECTION.has(name) || (name === "date" && !withDate)) continue;
    const [one, other] = [recorded.headers[name], replayed.headers[name]];
    if (one !== other)
      return { where: `header ${name}`, recorded: shown(one), found: shown(other) };
  }
  return undefined;
};
