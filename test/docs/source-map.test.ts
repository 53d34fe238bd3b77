import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const MAP = "src/README.md";
const PAGES = [MAP, ".github/CONTRIBUTING.md"];

/** The example of a command that does not exist. */
const TO_BE_ADDED = ["src/cli/commands/next.ts"];

/** Steps of a list below “How to add …”: its text, and after the arrow what fails without it. */
const STEPS = (readFileSync(MAP, "utf8").split(/^## How to add .*$/m)[1] ?? "")
  .split(/^### /m)
  .slice(1)
  .map((part) => ({
    list: part.split("\n")[0] ?? "",
    steps: part.split(/^(?=\d+\. )/m).flatMap((step) => {
      const text =
        step
          .split("\n\n")[0]
          ?.replace(/\n {3}/g, " ")
          .trim() ?? "";
      const [says = "", ...fails] = text.split(" → ");
      return /^\d+\. /.test(text) ? [{ says, fails }] : [];
    }),
  }));

/** The words for what fails without a step. */
const FAILS = /^(?:`(test\/[\w./-]+\.test\.tsx?)`|the compiler|nothing|`npm test`, .+)$/;

const codeOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/`([^`\n]+)`/g)].map(([, text]) => `${text}`);

const PATH = /(?<![\w/])(?:\.\.\/)?((?:src|test|bin|fixtures)\/[\w./-]*)/g;

const pathsOf = (page: string) => [
  ...new Set(
    [...readFileSync(page, "utf8").matchAll(PATH)]
      .map(([, path = ""]) => path.replace(/[./]+$/, ""))
      .filter((path) => !TO_BE_ADDED.includes(path)),
  ),
];

/** Steps of a walk, as `src/runtime/engine.ts:commit`. */
const HOPS = codeOf(MAP).flatMap((text) => {
  const [, file, name] = /^(src\/[\w./-]+\.ts):(\w+)$/.exec(text) ?? [];
  return file === undefined || name === undefined ? [] : [{ file, name }];
});

/** Whether a file has a function, a constant or a method of this name. */
const defines = ({ file, name }: { file: string; name: string }) =>
  new RegExp(
    `^(?:export )?(?:async )?(?:const|function|class) ${name}\\b|^ {2}(?:private )?(?:async )?${name}(?:<[^(]*)?\\(|^ {2}${name} = `,
    "m",
  ).test(readFileSync(file, "utf8"));

describe.each(PAGES)("%s", (page) => {
  test("names files and folders that exist", () => {
    const paths = pathsOf(page);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test("each hop of a walk is something that its file defines", () => {
  expect(HOPS.length).toBeGreaterThanOrEqual(20);
  expect(HOPS.filter((hop) => !defines(hop))).toEqual([]);
  expect(defines({ file: "src/runtime/engine.ts", name: "nothing" })).toBe(false);
});

test("each walk has 6 to 12 hops", () => {
  const walks = readFileSync(MAP, "utf8")
    .split(/^## /m)
    .filter((part) => part.startsWith("The walk"));
  const hops = walks.map((walk) => walk.match(/^\d+\. /gm)?.length ?? 0);
  expect(hops).toHaveLength(2);
  for (const count of hops) expect(count).toBeGreaterThanOrEqual(6);
  for (const count of hops) expect(count).toBeLessThanOrEqual(12);
});

describe.each(STEPS)("how to add: $list", ({ steps }) => {
  test("each step names a file of its own and what fails without it", () => {
    expect(steps.length).toBeGreaterThanOrEqual(4);
    const isOfFile = ({ says }: { says: string }) => /^\d+\. `[\w./-]+\.\w+`/.test(says);
    expect(steps.filter((step) => !isOfFile(step))).toEqual([]);
    expect(steps.filter(({ fails }) => !(fails.length === 1 && FAILS.test(`${fails[0]}`)))).toEqual(
      [],
    );
  });
});

test("there is a list for each thing that a stranger adds", () => {
  expect(STEPS.map(({ list }) => list)).toEqual([
    "An outcome ending",
    "A field of a resource, with its webhook",
    "An error row",
    "An operation",
    "A change of a revision",
    "A group of later operations",
    "A command",
    "A webhook event",
  ]);
});

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name);

/** Layers of the map, each with its rooms: the words of a row's last cell. */
const LAYERS = (readFileSync(MAP, "utf8").match(/^\| `src\/\w+\/` .*$/gm) ?? []).map((row) => {
  const cells = row.split("|");
  const words = (cells[3] ?? "").match(/[\w-]+/g) ?? [];
  return { layer: (cells[1] ?? "").replace(/[` ]|src\/|\/(?=`)/g, ""), rooms: words };
});

test("the map has every layer", () => {
  expect(LAYERS.map(({ layer }) => layer).sort()).toEqual(foldersIn("src").sort());
});

test.each(LAYERS)("the map has every room of $layer", ({ layer, rooms }) => {
  const found = foldersIn(join("src", layer));
  expect(rooms.sort()).toEqual(found.sort());
});
