import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

/** A text that a person may read, with its place: a literal, a template or text between tags. */
export interface UserText {
  file: string;
  line: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

/** Whitespace folds as a browser shows it. */
const folded = (text: string) => text.replace(/\s+/g, " ").trim();

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([name, value]) =>
    name === "typeAnnotation" ? [] : (Array.isArray(value) ? value : [value]).filter(isNode),
  );

/** Literals and templates joined by `+` are one text; the value of an expression reads `…`. */
const textOf = (node: Node): string | undefined => {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "JSXText") return String(node.value);
  if (node.type === "TemplateLiteral")
    return (node.quasis as { value: { cooked: string } }[])
      .map(({ value }) => value.cooked)
      .join("…");
  if (node.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const [left, right] = [textOf(node.left as Node), textOf(node.right as Node)];
  return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
};

/** Modules, types and patterns are read by machines alone. */
const NOT_SHOWN = /^(Import|ExportAll|TSType|TSLiteralType|TSInterface|TSUnion|TSEnum)/;

const WORDS = /[a-z]{2,}[^\n]*\s[^\n]*[a-z]{2,}|\s[a-z]{2,}|[a-z]{2,}\s/i;

/** Statements that a database reads. */
const SQL = /^(with \w+ as \(|(select|insert|update|delete|create|alter) .*\bservice_sim\b)/;

const collect = (node: Node, found: { at: number; text: string }[]): void => {
  if (NOT_SHOWN.test(node.type)) return;
  const text = textOf(node);
  if (text !== undefined) {
    const isShown = node.type === "JSXText" ? /[a-z]{2,}/i.test(text) : WORDS.test(text);
    if (isShown && !SQL.test(folded(text))) found.push({ at: node.start, text: folded(text) });
  }
  if (text !== undefined && node.type === "BinaryExpression") {
    for (const side of [node.left, node.right]) insideOf(side as Node, found);
    return;
  }
  for (const child of childrenOf(node)) collect(child, found);
};

/** Texts inside the expressions of a text that was taken whole. */
const insideOf = (node: Node, found: { at: number; text: string }[]): void => {
  if (node.type === "BinaryExpression" && textOf(node) !== undefined)
    for (const side of [node.left, node.right]) insideOf(side as Node, found);
  else if (textOf(node) === undefined) collect(node, found);
  else for (const child of childrenOf(node)) collect(child, found);
};

/** The texts of one source, in the order in which they stand. */
export const userTextsIn = (file: string, source: string): UserText[] => {
  const found: { at: number; text: string }[] = [];
  const lang = file.endsWith("x") ? "tsx" : "ts";
  collect(parseAst(source, { lang }, file) as unknown as Node, found);
  const lineAt = (at: number) => source.slice(0, at).split("\n").length;
  return found.map(({ at, text }) => ({ file, line: lineAt(at), text }));
};

export const userTextsOf = (file: string): UserText[] =>
  userTextsIn(file, readFileSync(file, "utf8"));
