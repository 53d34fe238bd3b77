/** Markup that is safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

type Part = string | number | boolean | null | undefined | Html | readonly Part[];

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join("");
  if (part === undefined || part === null || part === false || part === true) return "";
  return escaped(String(part));
};

/** A template whose values are escaped, unless they are markup already; nothing of no value. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.map((literal, at) => literal + textOf(parts[at])).join(""));
