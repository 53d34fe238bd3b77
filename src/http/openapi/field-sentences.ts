import { docPages } from "../../machine/doc-files.ts";

/** Page with the sentences about fields that no other table of the specification has. */
const CATALOG = "spec/fields";

/** A place of a field: its shape or operation, the members that lead to it, and its name. */
export interface FieldPlace {
  owner: string;
  path: readonly string[];
  name: string;
}

/** A unit of values of a shape (spec/fields.md#units), and the phrase by which a sentence is known to have it already. */
interface Unit {
  phrase: string;
  says: string;
}

type Row = Readonly<Record<string, string>>;

const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

const plainOf = (cell: string) => cell.replaceAll("`", "");

/** The rows of each table of a text, by the names of their columns. */
const tablesOf = (text: string): Row[][] =>
  [...text.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) => {
    const [head = "", , ...lines] = table.trimEnd().split("\n");
    const columns = cellsOf(head).map((name) => name.toLowerCase());
    return lines.map((line) =>
      Object.fromEntries(cellsOf(line).map((cell, at) => [columns[at] ?? "", cell])),
    );
  });

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, "")
    .replaceAll(" ", "-");

/** The text of a page below a heading. */
const sectionOf = (page: string, anchor: string) =>
  page
    .split(/^(?=#+ )/m)
    .find((part) => anchorOf(part.split("\n")[0]?.replace(/^#+ /, "") ?? "") === anchor) ?? "";

const LINK = /\[([^\][]*)\]\([^()]*\)/g;

/** A cell as a sentence of its own, which leads to no other page; nothing when it only does. */
export const sentenceOf = (cell: string): string | undefined => {
  const text = cell
    .replace(/(^|[;,] )see (?:\[[^\][]*\]\([^()]*\)|below|the [a-z ]*below)(?=$|[;,.])/g, "")
    .replace(LINK, "$1")
    .replace(/^[;,] /, "")
    .trim();
  if (text === "") return undefined;
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
};

const fits = (pattern: string, owner: string) =>
  pattern.startsWith("*") ? owner.endsWith(pattern.slice(1)) : pattern === owner;

/** Sentences about the fields of the contract, as the specification's tables have them. */
export class FieldSentences {
  /** By shape, and by the path of the field in it. */
  private readonly ofTables = new Map<string, Map<string, string>>();
  /** By field, those about some shapes alone (spec/fields.md#control-surface). */
  private readonly ofSome = new Map<string, { patterns: string[]; says: string }[]>();
  /** By field, those about all other shapes. */
  private readonly ofAll = new Map<string, string>();
  private readonly units = new Map<string, Unit>();

  constructor(pages: ReadonlyMap<string, string>) {
    for (const row of tablesOf(pages.get(CATALOG) ?? "").flat()) this.take(row, pages);
  }

  /** The sentence that the tables have for a place; one about its shape goes before others. */
  find(place: FieldPlace, described?: string): string | undefined {
    const { owner, path, name } = place;
    const at = [owner, ...path].join(".");
    const special = this.ofSome
      .get(name)
      ?.find(({ patterns }) => patterns.some((one) => fits(one, at)));
    return (
      this.ofTables.get(at)?.get(name) ??
      this.ofTables.get(owner)?.get([...path, name].join(".")) ??
      special?.says ??
      (described === undefined ? undefined : sentenceOf(described)) ??
      this.ofAll.get(name)
    );
  }

  /** A sentence with the unit of the shape that its values have. */
  withUnit(sentence: string, shape: string | undefined): string {
    const unit = shape === undefined ? undefined : this.units.get(shape);
    return unit === undefined || sentence.includes(unit.phrase)
      ? sentence
      : `${sentence} ${unit.says}`;
  }

  private take(row: Row, pages: ReadonlyMap<string, string>) {
    if (row.table !== undefined) return this.takeTable(row, pages);
    const says = sentenceOf(row.meaning ?? row.unit ?? "");
    if (says === undefined) return;
    if (row.phrase !== undefined)
      return this.units.set(plainOf(row.shape ?? ""), { says, phrase: plainOf(row.phrase) });
    const name = plainOf(row.field ?? "");
    if (row.of === "") return this.ofAll.set(name, says);
    const patterns = plainOf(row.of ?? "").split(", ");
    return this.ofSome.set(name, [...(this.ofSome.get(name) ?? []), { patterns, says }]);
  }

  /** Takes over the table that a row names, for its shapes (spec/fields.md#tables). */
  private takeTable({ shapes = "", table = "" }: Row, pages: ReadonlyMap<string, string>) {
    const [, topic, anchor = ""] = /\]\(([\w-]+)\.md#([\w-]+)\)/.exec(table) ?? [];
    const rows = tablesOf(sectionOf(pages.get(`spec/${topic}`) ?? "", anchor)).flat();
    const sentences = rows.flatMap((row): [string, string][] => {
      const says = sentenceOf(row.meaning ?? "");
      const name = plainOf(row.field ?? row.member ?? "").replaceAll("[]", "");
      return says === undefined ? [] : [[name, says]];
    });
    for (const shape of plainOf(shapes).split(", "))
      this.ofTables.set(shape, new Map([...(this.ofTables.get(shape) ?? []), ...sentences]));
  }
}

let read: FieldSentences | undefined;

/** The sentences of the specification, read when a document is first made. */
export const fieldSentences = (): FieldSentences => {
  read ??= new FieldSentences(docPages());
  return read;
};
