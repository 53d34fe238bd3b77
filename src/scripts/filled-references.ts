import { shownValue } from "../contract/core/shown-value.ts";
import { isReference, mapTexts, piecesOf, type Reference } from "./references.ts";
import { type ScriptPath, ScriptProblem } from "./script-problem.ts";

/** Answers to the named steps so far. */
export type Answers = ReadonlyMap<string, unknown>;

const MAX_NAMED = 12;

const membersOf = (value: unknown) => {
  if (typeof value !== "object" || value === null) return shownValue(value);
  const names = Object.keys(value);
  if (names.length === 0) return Array.isArray(value) ? "an empty list" : "an empty object";
  return names.slice(0, MAX_NAMED).join(", ") + (names.length > MAX_NAMED ? ", …" : "");
};

/** The value a reference stands for. */
const referred = ({ text, step, members }: Reference, path: ScriptPath, answers: Answers) => {
  let value = answers.get(step);
  for (const member of members) {
    const holder = value;
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, member))
      throw new ScriptProblem("refused", {
        path,
        expected: `${text} to name a member of what step ${step} was answered`,
        found: `no ${member} in ${membersOf(holder)}`,
      });
    value = (holder as Record<string, unknown>)[member];
  }
  return value;
};

/** A value that can stand in the middle of a text. */
const asText = (value: unknown, { text }: Reference, path: ScriptPath) => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw new ScriptProblem("refused", {
    path,
    expected: `${text} inside a text to be a text, a number or a boolean`,
    found: shownValue(value),
  });
};

const joined = (text: string, show: (reference: Reference) => string): string =>
  piecesOf(text)
    .map((piece) => (typeof piece === "string" ? piece : isReference(piece) ? show(piece) : ""))
    .join("");

/** A text with its references filled in; one that is a single reference gives the value itself. */
const filledText = (text: string, path: ScriptPath, answers: Answers): unknown => {
  const [only, ...others] = piecesOf(text);
  if (typeof only === "object" && isReference(only) && others.length === 0)
    return referred(only, path, answers);
  return joined(text, (piece) => asText(referred(piece, path, answers), piece, path));
};

/** A value of a fixture with every reference filled in. */
export const filled = (value: unknown, path: ScriptPath, answers: Answers): unknown =>
  mapTexts(value, path, (placed) => filledText(placed.text, placed.path, answers));

/** Ids hold a colon, which a path may hold as it is. */
const encoded = (text: string) => encodeURIComponent(text).replaceAll("%3A", ":");

/** A path with its references filled in, each percent-encoded. */
export const filledPath = (text: string, path: ScriptPath, answers: Answers): string =>
  joined(text, (piece) => encoded(asText(referred(piece, path, answers), piece, path)));

/** Text that HTTP can carry in a header: Latin-1 on one line. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A header's value with its references filled in. */
export const filledHeader = (text: string, path: ScriptPath, answers: Answers): string => {
  const value = joined(text, (piece) => asText(referred(piece, path, answers), piece, path));
  if (HEADER_VALUE.test(value)) return value;
  const expected = "the value of a header, in Latin-1 on one line,";
  throw new ScriptProblem("refused", { path, expected, found: shownValue(value) });
};
