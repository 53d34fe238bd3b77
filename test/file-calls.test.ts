import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Sources of all that runs on machines of others. */
const SOURCES = [
  "bin/service-sim.js",
  ...readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `src/${name.replaceAll("\\", "/")}`),
];

const textOf = (file: string) => readFileSync(file, "utf8");

/** Files that hold a text of this form, with its first occurrence. */
const holding = (form: RegExp, files = SOURCES) =>
  files.flatMap((file) => {
    const found = form.exec(textOf(file))?.[0];
    return found === undefined ? [] : [`${file}: ${found}`];
  });

const OURS = SOURCES.filter((file) => file.startsWith("src/") && !file.startsWith("src/console/"));

test("the sources are found", () => {
  expect(SOURCES.length).toBeGreaterThan(900);
  expect(holding(/mkdirSync\(/)).not.toEqual([]);
});

test("no folder is made by the recursive call, which may never return", () => {
  expect(holding(/mkdir(Sync)?\([^;]*?recursive: true/)).toEqual([]);
});

/** The blocks of `catch` and `finally`, up to the line that ends them. */
const handlers = (text: string) =>
  [...text.matchAll(/^( *)\} (?:catch|finally)\b[^\n]*\{\n([\s\S]*?)^\1\}/gm)].map(
    ([, , block = ""]) => block,
  );

test("nothing that handles a failure removes a file by a call that may fail itself", () => {
  const found = OURS.filter((file) => file !== "src/machine/remove-quietly.ts").filter((file) =>
    handlers(textOf(file)).some((block) => /\b(rm|unlink|rmdir)Sync\(/.test(block)),
  );
  expect(found).toEqual([]);
  expect(handlers("try {\n} catch {\n  rmSync(a);\n}\n")).toEqual(["  rmSync(a);\n"]);
});

/** Told from paths that a runner gives: their working folder is that of the project. */
const OF_A_RUNNER = /^src\/runners\//;
/** Within a `try` of its own. */
const IN_A_TRY = ["src/cli/tasks/conform-files.ts", "src/machine/working-folder.ts"];

test("the working folder is asked for where it may be gone", () => {
  const files = OURS.filter((file) => !OF_A_RUNNER.test(file) && !IN_A_TRY.includes(file));
  expect(holding(/process\.cwd\(\)/, files)).toEqual([]);
});

test("no file handle is asked for what those of archives do not have", () => {
  const one = "src/machine/synced-file.ts";
  const files = OURS.filter((file) => /"node:fs\/promises"/.test(textOf(file)) && file !== one);
  expect(files.length).toBeGreaterThan(5);
  const missing = /\b(file|opened|handle)\.(sync|datasync|chown|utimes|readv|writev)\(/;
  expect(holding(missing, files)).toEqual([]);
  expect(holding(missing, [one])).not.toEqual([]);
});
