// Bundles the package's declarations into dist/types/simulator.d.ts, one file without imports.
// The compiler writes one file per source, and those import packages that are bundled and hence
// not installed. Copies each declaration that the entry uses.
const { execFileSync } = require("node:child_process");
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join, posix } = require("node:path");

/** In a declaration file only statements start at the margin. */
const STARTS = /\n(?=\/\*\*|(?:import|export|declare|interface|type|class|const) )/;
const COMMENT_ALONE = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/$/;
const IMPORT = /^import (?:type )?(?:\{([^}]*)\}|([\s\S]*?)) from "([^"]+)";$/;
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function|enum) (\w+)/;
const HANDED_ON = /^export (?:type )?\{([^}]*)\};$/;
const INLINE_IMPORT = /\bimport\("([^"]+)"\)\.(\w+)/g;
/** Names that may refer to a declaration; leaves out members, parameters and methods. */
const NAMES = /(?<![.\w$])[A-Za-z_$][\w$]*(?!\??[:(])\b/g;

const statementsOf = (text) => {
  const statements = [];
  let comment = "";
  for (const part of text.trim().split(STARTS)) {
    const chunk = part.trimEnd();
    if (COMMENT_ALONE.test(chunk)) {
      comment = `${chunk}\n`;
      continue;
    }
    statements.push({ comment, code: chunk });
    comment = "";
  }
  return statements;
};

/** Imported names, each with its file or package. */
const importsOf = (code, file) => {
  const [, braced, whole, from] = IMPORT.exec(code) ?? [];
  if (from === undefined) throw new Error(`Expected an import that can be read but found ${code}`);
  if (braced === undefined) return [[whole.replace(/^\* as /, ""), { from, name: "*" }]];
  return braced
    .split(",")
    .map((part) => part.trim().replace(/^type /, ""))
    .filter(Boolean)
    .map((part) => {
      const [name, local = name] = part.split(" as ");
      if (local !== name) throw new Error(`Expected no other name but found ${part} in ${file}`);
      return [name, { from, name }];
    });
};

const namesIn = (list) =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

const readModule = (text, file) => {
  const module = { imports: new Map(), declared: new Map(), handedOn: [] };
  for (const { comment, code } of statementsOf(text)) {
    const name = DECLARED.exec(code)?.[1];
    if (code.startsWith("import "))
      for (const [local, source] of importsOf(code, file)) module.imports.set(local, source);
    else if (name !== undefined) module.declared.set(name, { comment, code });
    else if (HANDED_ON.test(code)) module.handedOn.push(...namesIn(HANDED_ON.exec(code)[1]));
    else throw new Error(`Expected a declaration but found ${code} in ${file}`);
  }
  return module;
};

const fileOf = (from, file) => {
  if (!from.startsWith("."))
    throw new Error(`Expected published types of our own but found ${from} in ${file}`);
  return posix.join(posix.dirname(file), from.replace(/\.(d\.)?[cm]?[tj]s$/, ".d.ts"));
};

/**
 * One declaration file in place of many.
 * @param entry path of the file whose exports stay exports
 * @param read gives the text of a file by its path
 */
const bundleTypes = (entry, read) => {
  const modules = new Map();
  const taken = new Map();
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(read(file), file));
    return modules.get(file);
  };
  const take = (file, name) => {
    const module = moduleOf(file);
    const found = module.declared.get(name);
    if (found === undefined) throw new Error(`Expected ${name} in ${file} but found no such type`);
    const before = taken.get(name);
    if (before?.file === file) return;
    if (before) throw new Error(`Expected one ${name} but found it in ${before.file} and ${file}`);
    const code = found.code.replace(INLINE_IMPORT, "$2");
    const isPublic = file === entry || moduleOf(entry).handedOn.includes(name);
    const text = isPublic ? code : code.replace(/^export /, "");
    taken.set(name, { file, text: found.comment + text });
    for (const [, from, wanted] of found.code.matchAll(INLINE_IMPORT))
      take(fileOf(from, file), wanted);
    const bare = found.code.replace(INLINE_IMPORT, "").replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "");
    for (const [word] of bare.matchAll(NAMES)) {
      const source = module.imports.get(word);
      if (source) take(fileOf(source.from, file), source.name);
      else if (module.declared.has(word)) take(file, word);
    }
  };
  for (const [name, { code }] of moduleOf(entry).declared)
    if (code.startsWith("export ")) take(entry, name);
  for (const name of moduleOf(entry).handedOn) {
    const { from, name: wanted } = moduleOf(entry).imports.get(name);
    take(fileOf(from, entry), wanted);
  }
  return `${[...taken.values()].map(({ text }) => text).join("\n")}\nexport {};\n`;
};

const build = (root) => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-types-"));
  try {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const project = join(root, "bin", "tsconfig.types.json");
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "inherit" });
    const text = bundleTypes("simulator.d.ts", (file) => readFileSync(join(folder, file), "utf8"));
    const types = join(root, "dist", "types");
    rmSync(types, { recursive: true, force: true });
    mkdirSync(types);
    writeFileSync(join(types, "simulator.d.ts"), text);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

module.exports = { bundleTypes };

if (require.main === module) build(join(__dirname, ".."));
