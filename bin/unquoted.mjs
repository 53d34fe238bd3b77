import { parseAst } from "rolldown/parseAst";

/**
 * Beside an error that nobody catches, Node.js prints the line that threw it, and lines of a bundle
 * are as long as the file. It prints no line that has this text.
 */
const NOT_QUOTED = "node-do-not-add-exception-line";

/** Columns that a terminal shows without harm. */
const SHORT = 200;

/** Collects texts between the expressions of templates; a tag may read its own as they are written. */
const collectTexts = (node, found) => {
  if (node === null || typeof node !== "object") return;
  if (node.type === "TemplateElement") found.push(node);
  const tagged = node.type === "TaggedTemplateExpression" ? node.quasi : undefined;
  for (const name in node)
    if (node[name] === tagged && tagged) collectTexts(tagged.expressions, found);
    else collectTexts(node[name], found);
};

const templateTexts = (code) => {
  const found = [];
  collectTexts(parseAst(code, { lang: "js" }).body, found);
  return found.sort((a, b) => a.start - b.start);
};

/** The same code, in which no template continues in another line. */
const withoutBrokenTemplates = (code) => {
  const texts = templateTexts(code);
  let from = 0;
  const parts = texts.flatMap(({ start, end }) => {
    const parts = [
      code.slice(from, start),
      code.slice(start, end).replace(/(?<!\\)((?:\\\\)*)\n/g, "$1\\n"),
    ];
    from = end;
    return parts;
  });
  return [...parts, code.slice(from)].join("");
};

const marked = (line) => (line.length > SHORT ? `${line} // ${NOT_QUOTED}` : line);

/** Keeps Node.js from printing code of a bundle beside an error. */
export const unquoted = {
  name: "unquoted",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk")
        chunk.code = withoutBrokenTemplates(chunk.code).split("\n").map(marked).join("\n");
  },
};
