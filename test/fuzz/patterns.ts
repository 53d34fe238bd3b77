import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";
import { openApiDocument } from "../../src/api/openapi.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { sourcesBelow } from "../docs/setup/citations.ts";

/** A regular expression, and the first place that has it. */
export interface Pattern {
  source: string;
  flags: string;
  /** A file, or the document that has the pattern. */
  at: string;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Every object within a value, the value included. */
const nodesIn = (value: unknown): Node[] => {
  const found: Node[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (!isNode(next)) continue;
    found.push(next);
    open.push(...Object.values(next));
  }
  return found;
};

const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  return undefined;
};

const isRegExpCall = ({ type, callee }: Node) =>
  (type === "NewExpression" || type === "CallExpression") &&
  isNode(callee) &&
  callee.name === "RegExp";

/** The pattern of a literal, or of `new RegExp` with a text; nothing for other nodes. */
const patternOf = (node: Node): Omit<Pattern, "at"> | undefined => {
  if (isNode(node.regex)) return { source: `${node.regex.pattern}`, flags: `${node.regex.flags}` };
  if (!isRegExpCall(node)) return undefined;
  const [source, flags] = node.arguments as unknown[];
  const text = textOf(source);
  return text === undefined ? undefined : { source: text, flags: textOf(flags) ?? "" };
};

const syntaxOf = (file: string) => (file.endsWith("x") ? ("tsx" as const) : ("ts" as const));

const treeOf = (file: string) =>
  parseAst(readFileSync(file, "utf8"), { lang: syntaxOf(file) }) as unknown;

const patternsOfFile = (at: string): Pattern[] =>
  nodesIn(treeOf(at)).flatMap((node) => {
    const found = patternOf(node);
    return found ? [{ ...found, at }] : [];
  });

/** Files with a `new RegExp` whose text is not written out. */
export const patternsMadeAtRunTime = (): string[] =>
  sourcesBelow("src").filter((file) =>
    nodesIn(treeOf(file)).some((node) => isRegExpCall(node) && !patternOf(node)),
  );

/** Patterns of schemas, which JSON Schema reads with the flag `u`. */
const patternsOfDocument = (document: unknown, at: string): Pattern[] =>
  nodesIn(document).flatMap(({ pattern }) =>
    typeof pattern === "string" ? [{ source: pattern, flags: "u", at }] : [],
  );

/** Every regular expression of the sources and of both OpenAPI documents, each once. */
export const allPatterns = (): Pattern[] => {
  const found = [
    ...sourcesBelow("src").flatMap(patternsOfFile),
    ...patternsOfDocument(openApiDocument("test"), "openapi"),
    ...patternsOfDocument(controlOpenApiDocument("test"), "openapi --control"),
  ];
  const once = new Map<string, Pattern>();
  for (const one of found) {
    const key = `/${one.source}/${one.flags}`;
    if (!once.has(key)) once.set(key, one);
  }
  return [...once.values()];
};
