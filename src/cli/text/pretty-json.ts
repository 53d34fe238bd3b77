import type { Style } from "./terminal.ts";

const isEmpty = (value: object) => Object.keys(value).length === 0;

const scalar = (value: unknown, { color }: Style) => {
  const text = JSON.stringify(value);
  if (typeof value === "string") return color.green(text);
  return value === null ? color.dim(text) : color.yellow(text);
};

/** Joins the entries of an object or list, one a line and indented. */
const block = (brackets: readonly [string, string], entries: readonly string[], indent: string) =>
  [
    brackets[0],
    entries.map((entry) => `${indent}  ${entry}`).join(",\n"),
    indent + brackets[1],
  ].join("\n");

/** JSON for a terminal: two spaces of indent, names and values in color. */
export const prettyJson = (value: unknown, style: Style, indent = ""): string => {
  if (typeof value !== "object" || value === null) return scalar(value, style);
  if (isEmpty(value)) return Array.isArray(value) ? "[]" : "{}";
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => prettyJson(item, style, deeper));
    return block(["[", "]"], items, indent);
  }
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${style.color.cyan(JSON.stringify(name))}: ${prettyJson(member, style, deeper)}`,
  );
  return block(["{", "}"], members, indent);
};
