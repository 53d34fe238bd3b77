import { readdirSync, readFileSync } from "node:fs";
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
