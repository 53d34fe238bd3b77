import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVICE_SIM, Workplace } from "../../setup/cli.ts";

let place: Workplace;

/** Writes down, at the end, each file of the program that was compiled, and modules of Node.js. */
const WRITES_DOWN = `
const Module = require("node:module");
const { writeFileSync } = require("node:fs");
const compile = Module.prototype._compile;
const load = Module._load;
const files = {};
const builtins = new Set();
Module.prototype._compile = function (content, filename, ...rest) {
  if (/[\\\\/]dist[\\\\/]/.test(filename))
    files[filename.replace(/^.*[\\\\/]/, "").replace(/(-[\\w-]{8})?\\.cjs$/, "")] = content.length;
  return compile.call(this, content, filename, ...rest);
};
Module._load = (request, ...rest) => {
  if (Module.isBuiltin(request)) builtins.add(request.replace("node:", ""));
  return load(request, ...rest);
};
const write = () =>
  writeFileSync(process.env.LOADED, JSON.stringify({
    files,
    builtins: [...builtins],
    internals: process.moduleLoadList,
  }));
process.on("exit", write);
`;

const DIST = join(dirname(dirname(SERVICE_SIM)), "dist");

const preload = () => {
  const file = place.file("writes-down.cjs");
  writeFileSync(file, WRITES_DOWN);
  return file;
};

/** The program's own cache compiles in place of Node.js and would hide its files. */
const watching = () => ({
  NODE_OPTIONS: `--require=${preload()}`,
  LOADED: place.file("loaded.json"),
  SERVICE_SIM_CODE_CACHE: "off",
});

interface Loaded {
  files: Record<string, number>;
  builtins: string[];
  /** Modules of Node.js, also those that other modules of Node.js load. */
  internals: string[];
}

const loaded = (): Loaded => JSON.parse(readFileSync(place.file("loaded.json"), "utf8"));

const charactersOf = ({ files }: Loaded) => Object.values(files).reduce((sum, one) => sum + one, 0);

beforeAll(async () => {
  place = new Workplace();
  await place.start("--storage memory:");
});

afterAll(() => place.close());

/** The server and the schemas of zod: each is longer than such a command. */
const NOT_FOR_CLIENTS = ["rules", "server"];

test.each(["advance 1s", "clock", "requests", "timers list"])(
  "%s loads neither server nor schemas",
  async (words) => {
    const { code, stderr } = await place.run(words, { env: watching() });
    expect(code, stderr).toBe(0);
    const found = loaded();
    expect(Object.keys(found.files)).toContain("cli");
    expect(NOT_FOR_CLIENTS.filter((name) => name in found.files)).toEqual([]);
    expect(charactersOf(found)).toBeLessThan(300_000);
  },
);

test("a start loads no more than it did when this was written", async () => {
  const started = await place.start("--storage memory:", { env: watching() });
  await started.stop();
  const found = loaded();
  expect(Object.keys(found.files)).toContain("server");
  // Raise it only for what the first answer needs; everything else is imported where it is used.
  expect(charactersOf(found)).toBeLessThan(2_100_000);
  const names = [...Object.keys(found.files), ...found.builtins];
  const later = ["page", "marked.esm", "busboy", "demo", "coverage-report"];
  expect(later.filter((name) => names.includes(name))).toEqual([]);
  // Sources that are loaded together are in one file.
  expect(Object.keys(found.files).length).toBeLessThan(12);
  // What `fetch` consists of takes a tenth of a start: no class of it may be touched.
  expect(found.internals.filter((name) => /deps\/undici|http2/.test(name))).toEqual([]);
});

test("every file of the program is kept in memory with one byte a character", () => {
  const files = readdirSync(DIST, { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => /\.[cm]?js$/.test(name));
  expect(sources.length).toBeGreaterThan(50);
  const beyond = (name: string) => /[^\0-\xff]/.test(readFileSync(join(DIST, name), "utf8"));
  expect(sources.filter(beyond)).toEqual([]);
});

test("the large files can be kept as compiled code, which V8 refuses of imports", () => {
  const files = readdirSync(join(DIST, "chunks")).filter((name) => /^(rules|server|cl)/.test(name));
  expect(files.length).toBeGreaterThanOrEqual(4);
  const sources = [join(DIST, "cli.cjs"), ...files.map((name) => join(DIST, "chunks", name))];
  expect(sources.filter((file) => readFileSync(file, "utf8").includes("import("))).toEqual([]);
});
