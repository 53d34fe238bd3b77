import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "src/console";

const sheets = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".css"))
  .map((name) => ({ name, text: readFileSync(`${FOLDER}/${name}`, "utf8") }));

/** Every declaration, without comments: its property, and its value. */
const declarations = sheets.flatMap(({ name, text }) =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([\w-]+)\s*:\s*([^;{}]+);/g)].map(
    ([, property = "", value = ""]) => ({ name, property, value: value.replace(/\s+/g, " ") }),
  ),
);

const found = (isWrong: (property: string, value: string) => boolean) =>
  declarations
    .filter(({ property, value }) => isWrong(property, value))
    .map(({ name, property, value }) => `${name}: ${property}: ${value}`);

/** Text of each source of the page, by its path. */
const sources = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => [name, readFileSync(`${FOLDER}/${name}`, "utf8")]),
);

const SHARED = "theme.css";

/** Own classes of a sheet: those of others stand in `:global()`. */
const classesIn = (text: string) =>
  new Set(
    [
      ...text
        .replace(/\/\*[\s\S]*?\*\/|:global\(\.[^)]*\)|url\([^)]*\)/g, "")
        .matchAll(/\.([a-z][\w-]*)/gi),
    ].map(([, name = ""]) => name),
  );

/** Members that a source takes of the modules it imports: `time/foot.module.css hint`. */
const membersIn = (name: string, text: string) =>
  [...text.matchAll(/^import (\w+) from "([^"]+\.module\.css)";$/gm)].flatMap(
    ([, variable = "", path = ""]) =>
      [...text.matchAll(new RegExp(`(?<![\\w./])${variable}\\.(\\w+)`, "g"))].map(
        ([, member]) => `${normalize(join(dirname(name), path))} ${member}`,
      ),
  );

/** Classes of modules that no source takes, and members without a class. */
const mismatches = (
  of: readonly { name: string; text: string }[],
  by: ReadonlyMap<string, string>,
) => {
  const used = new Set([...by].flatMap(([name, text]) => membersIn(name, text)));
  const set = new Set(
    of
      .filter(({ name }) => name.endsWith(".module.css"))
      .flatMap(({ name, text }) => [...classesIn(text)].map((one) => `${name} ${one}`)),
  );
  return [...[...used].filter((one) => !set.has(one)), ...[...set].filter((one) => !used.has(one))];
};

test("each class of a module is taken by a view, and each that a view takes is there", () => {
  expect(mismatches(sheets, sources)).toEqual([]);
  const name = "time/foot.module.css";
  const text = ".planted { color: red; }";
  expect(mismatches([...sheets, { name, text }], sources)).toEqual([`${name} planted`]);
  const view = 'import css from "./foot.module.css";\ncss.missing';
  expect(mismatches(sheets, new Map([...sources, ["time/planted.tsx", view]]))).toEqual([
    `${name} missing`,
  ]);
});

/** Names by which tests find what has no look of its own. */
const FOUND_BY_TESTS = ["live", "outcome"];

test("each class that a view names itself is one of those that views share", () => {
  const shared = classesIn(sheets.find(({ name }) => name === SHARED)?.text ?? "");
  const named = [...sources].flatMap(([name, text]) =>
    [...text.matchAll(/className="([^"]*)"/g)].flatMap(([, words = ""]) =>
      words.split(" ").map((word) => [name, word] as const),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(([, word]) => !shared.has(word) && !FOUND_BY_TESTS.includes(word))).toEqual(
    [],
  );
  const all = [...sources.values()].join("\n");
  expect([...shared].filter((one) => !new RegExp(`["\\s\`]${one}["\\s\`]`).test(all))).toEqual([]);
});

test("the sheets are read", () => {
  expect(sheets.length).toBeGreaterThan(5);
  expect(declarations.length).toBeGreaterThan(500);
});

test("each size of text is one of the scale", () => {
  expect(
    found((property, value) => property === "font-size" && /\d+(?:px|r?em)/.test(value)),
  ).toEqual([]);
  expect(
    found((property, value) => property === "font" && /\d+(?:px|r?em)\s*\//.test(value)),
  ).toEqual([]);
});

test("each space is one of the scale, but for hairlines and what centers a mark", () => {
  const isSpace = (property: string) => /^(?:padding|margin|(?:row-|column-)?gap)/.test(property);
  const px = (value: string) => [...value.matchAll(/(?<![\w-])(\d+)px/g)].map(([, n]) => Number(n));
  const isWrong = (property: string, value: string) =>
    isSpace(property) && !value.startsWith("-") && px(value).some((one) => one > 1);
  expect(found(isWrong)).toEqual([]);
});

test("each corner is one of two", () => {
  const isWrong = (property: string, value: string) =>
    property === "border-radius" && /\dpx/.test(value);
  expect(found(isWrong)).toEqual([]);
});

test("each token that is used is one that stands in a sheet or is set by a view", () => {
  const set = new Set(declarations.map(({ property }) => property));
  const byViews = ["--n", "--f", "--x"];
  const used = declarations.flatMap(({ value }) =>
    [...value.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name),
  );
  expect(used.filter((name) => !set.has(name) && !byViews.includes(name))).toEqual([]);
});

test("each token is used", () => {
  const all = declarations.map(({ value }) => value).join(" ");
  const scale = declarations.filter(({ property }) => property.startsWith("--"));
  expect(scale.length).toBeGreaterThan(15);
  expect(
    scale.map(({ property }) => property).filter((name) => !all.includes(`var(${name})`)),
  ).toEqual([]);
});

test("letters come from the two typefaces", () => {
  const isWrong = (property: string, value: string) =>
    ["font", "font-family"].includes(property) &&
    !/^(?:inherit|Figtree|"(?:Figtree|Geist Mono)(?: fallback)?"|var\(--(?:sans|mono)\)|.*var\(--(?:sans|mono)\))$/.test(
      value,
    );
  expect(found(isWrong)).toEqual([]);
});
