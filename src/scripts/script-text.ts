import type { Node, ParseError } from "jsonc-parser/lib/esm/main.js";
import { shownValue } from "../contract/core/shown-value.ts";
import { withoutMark } from "../machine/user-text.ts";
import type { ScriptPath, ScriptProblem } from "./script-problem.ts";

/** A fixture's text cannot be used; the message names the line and the column. */
export class ScriptTextError extends Error {
  override readonly name = "ScriptTextError";
}

/** The document of a file, and its text. */
export interface ScriptText {
  document: unknown;
  /** The problem as the reader of the file sees it: line and column in place of members. */
  located(problem: ScriptProblem): ScriptTextError;
  /** Number of the line on which a member stands, or its nearest holder. */
  lineOf(path: ScriptPath): number;
}

/** Words for the token that the parser expected, by the names of its codes. */
const WANTED: Readonly<Record<string, string>> = {
  InvalidSymbol: "a value",
  InvalidNumberFormat: "a number",
  PropertyNameExpected: "a member's name in double quotes",
  ValueExpected: "a value",
  ColonExpected: 'a ":"',
  CommaExpected: 'a ","',
  CloseBraceExpected: 'a "}"',
  CloseBracketExpected: 'a "]"',
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: "no comment",
  UnexpectedEndOfComment: "no comment",
  UnexpectedEndOfString: "a text that ends on its line",
  UnexpectedEndOfNumber: "a whole number",
  InvalidUnicode: "four hexadecimal digits",
  InvalidEscapeCharacter: "a known escape",
  InvalidCharacter: "no control character",
};

const MAX_NESTING = 64;

/** A text and the name people know it by. */
interface Source {
  text: string;
  name: string;
}

/** `line 12, column 7 of payouts.json`; both count from 1. */
const placeOf = ({ text, name }: Source, offset: number) => {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1} of ${name}`;
};

const sentence = (source: Source, offset: number, says: { expected: string; found: string }) =>
  new ScriptTextError(
    `Expected ${says.expected} at ${placeOf(source, offset)} but found ${says.found}`,
  );

const foundAt = ({ text }: Source, { offset, length }: ParseError) =>
  offset >= text.length ? "the end of the file" : shownValue(text.slice(offset, offset + length));

/** Too deep, or a name given twice in one object; neither is what its writer meant. */
const strangeness = (node: Node, depth: number): { node: Node; expected: string } | undefined => {
  if (depth > MAX_NESTING) return { node, expected: `at most ${MAX_NESTING} levels` };
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key, value] = child.type === "property" ? (child.children ?? []) : [undefined, child];
    if (key && seen.has(key.value)) return { node: key, expected: "each member once" };
    if (key) seen.add(key.value);
    const deeper = value && strangeness(value, depth + 1);
    if (deeper) return deeper;
  }
  return undefined;
};

const foundNode = ({ text }: Source, { type, offset, length }: Node) =>
  type === "object" || type === "array"
    ? "one more"
    : shownValue(JSON.parse(text.slice(offset, offset + length)));

/** The parser calls itself for each level, and so runs out of stack at absurd ones. */
const shallow = <T>(source: Source, parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw sentence(source, 0, { expected: `at most ${MAX_NESTING} levels`, found: "many more" });
  }
};

/**
 * Reads a fixture's JSON, keeping where everything stands. The parser is loaded only now: few
 * starts read a fixture.
 * @throws ScriptTextError where the text is no JSON
 */
export const readScriptText = async (input: Source): Promise<ScriptText> => {
  const { findNodeAtLocation, parseTree, printParseErrorCode } = await import(
    "jsonc-parser/lib/esm/main.js"
  );
  const source = { ...input, text: withoutMark(input.text) };
  const errors: ParseError[] = [];
  const root = shallow(source, () => parseTree(source.text, errors, { disallowComments: true }));
  const [error] = errors.toSorted((a, b) => a.offset - b.offset);
  if (error) {
    const expected = WANTED[printParseErrorCode(error.error)] ?? "JSON";
    throw sentence(source, error.offset, { expected, found: foundAt(source, error) });
  }
  if (!root) throw sentence(source, 0, { expected: "an object", found: "the end of the file" });
  const strange = strangeness(root, 0);
  if (strange)
    throw sentence(source, strange.node.offset, {
      expected: strange.expected,
      found: foundNode(source, strange.node),
    });

  const offsetOf = (path: ScriptPath, onName: boolean): number => {
    const node = findNodeAtLocation(root, [...path]);
    if (node) return onName ? (node.parent?.offset ?? node.offset) : node.offset;
    return path.length === 0 ? root.offset : offsetOf(path.slice(0, -1), false);
  };
  return {
    document: JSON.parse(source.text),
    located: (problem) =>
      new ScriptTextError(
        problem.sentenceAt(placeOf(source, offsetOf(problem.path, problem.onName))),
      ),
    lineOf: (path) => source.text.slice(0, offsetOf(path, false)).split(/\r\n|\r|\n/).length,
  };
};
