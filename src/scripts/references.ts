import type { ScriptPath } from "./script-problem.ts";

/** `${customer.id}`: a step's name, and what is meant of its answer. */
export interface Reference {
  /** As it is written. */
  text: string;
  step: string;
  members: readonly string[];
}

/** Something that begins like a reference and is none. */
export interface Malformed {
  malformed: string;
}

/** `$${` stands for `${` itself. */
const OPENING = /\$\$\{|\$\{([^{}]*)(\}?)/g;
const REFERENCE = /^([A-Za-z][A-Za-z0-9_-]*)((?:\.[A-Za-z0-9_$-]+)*)$/;

const parsed = (text: string, inner: string, close: string): Reference | Malformed => {
  const [, step, members = ""] = (close === "}" && REFERENCE.exec(inner)) || [];
  if (step === undefined) return { malformed: text };
  return { text, step, members: members.split(".").slice(1) };
};

/** A text in pieces: words as they stand, and the references between them. */
export const piecesOf = (text: string): (string | Reference | Malformed)[] => {
  const pieces: (string | Reference | Malformed)[] = [];
  let end = 0;
  for (const { 0: match, 1: inner, 2: close = "", index } of text.matchAll(OPENING)) {
    pieces.push(text.slice(end, index));
    pieces.push(inner === undefined ? "${" : parsed(match, inner, close));
    end = index + match.length;
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
};

export const isReference = (piece: string | Reference | Malformed): piece is Reference =>
  typeof piece === "object" && "step" in piece;

/** A text of a document, and where it stands. */
export interface PlacedText {
  text: string;
  path: ScriptPath;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A copy of a value in which every text is what `replace` makes of it. */
export const mapTexts = (
  value: unknown,
  path: ScriptPath,
  replace: (placed: PlacedText) => unknown,
): unknown => {
  if (typeof value === "string") return replace({ text: value, path });
  if (Array.isArray(value)) return value.map((item, at) => mapTexts(item, [...path, at], replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, [...path, name], replace)]),
  );
};

/** Every text of a value, in order. */
export const textsIn = (value: unknown, path: ScriptPath): PlacedText[] => {
  const texts: PlacedText[] = [];
  mapTexts(value, path, (placed) => {
    texts.push(placed);
  });
  return texts;
};
