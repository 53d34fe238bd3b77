/** An element as it was read, entities resolved. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
}

const isChar = (code: number) =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const resolved = (raw: string, where: string): string => {
  for (const one of raw)
    if (!isChar(one.codePointAt(0) ?? 0)) throw new Error(`${where} has no XML character`);
  if (raw.includes("<")) throw new Error(`${where} has a bare <`);
  if (raw.includes("]]>")) throw new Error(`${where} has a bare ]]>`);
  return raw.replace(/&([^;]*)(;?)/g, (all, name: string, end: string) => {
    const code = /^#[0-9]+$/.test(name) ? Number(name.slice(1)) : undefined;
    const text = code !== undefined && isChar(code) ? String.fromCodePoint(code) : NAMED[name];
    if (end === "" || text === undefined) throw new Error(`${where} has the entity ${all}`);
    return text;
  });
};

/** An attribute's value as a parser hands it on: bare newlines and tabs become spaces. */
const attributesIn = (text: string, where: string) => {
  const attributes: Record<string, string> = {};
  const rest = text.replace(/\s+([\w:-]+)="([^"]*)"/g, (_, name: string, raw: string) => {
    if (Object.hasOwn(attributes, name)) throw new Error(`${where} has ${name} twice`);
    attributes[name] = resolved(raw.replace(/[\n\t]/g, " "), `${name} of ${where}`);
    return "";
  });
  if (rest.trim() !== "") throw new Error(`${where} has ${rest.trim()} where attributes stand`);
  return attributes;
};

const TAG = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/y;

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

/**
 * Reads a document of elements, attributes and text, as JUnit has it. Refuses whatever XML 1.0 does
 * not allow there, and comments, CDATA and document types.
 */
export const strictXml = (text: string): XmlElement => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(head)) throw new Error("Expected the XML declaration first");
  const root: Open = { name: "", attributes: {}, children: [], text: "" };
  const open: Open[] = [root];
  let at = head.length;
  while (at < text.length) {
    const top = open.at(-1) as Open;
    const next = text.indexOf("<", at);
    const end = next < 0 ? text.length : next;
    top.text += resolved(text.slice(at, end), `the text of ${top.name}`);
    if (next < 0) break;
    TAG.lastIndex = next;
    const [tag, slash, name = "", attributes = "", isEmpty] = TAG.exec(text) ?? [];
    if (tag === undefined)
      throw new Error(`Expected a tag but found ${text.slice(next, next + 40)}`);
    at = next + tag.length;
    if (slash === "") {
      const element: Open = {
        name,
        attributes: attributesIn(attributes, name),
        children: [],
        text: "",
      };
      top.children.push(element);
      if (isEmpty === "") open.push(element);
    } else if (open.length === 1 || open.pop()?.name !== name || attributes !== "")
      throw new Error(`Expected the end of an open element but found ${tag}`);
  }
  const [only, ...others] = root.children;
  if (open.length > 1 || !only || others.length > 0 || root.text.trim() !== "")
    throw new Error("Expected one element that is closed");
  return only;
};
