import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asCalled, commandWords, hintWith } from "../../../src/cli/text/called-as.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "called-as-")));
});

afterEach(() => rmSync(root, { recursive: true }));

const at = (path: string) => join(root, path);

const write = (path: string, text = "") => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};

const link = (from: string, to: string) => {
  mkdirSync(dirname(at(from)), { recursive: true });
  symlinkSync(at(to), at(from));
};

/** The program below a folder, and its link below another, as npm lays them. */
const install = (modules: string, bin = `${modules}/.bin`) => {
  const program = `${modules}/service-sim/bin/service-sim.js`;
  write(program);
  link(`${bin}/service-sim`, program);
};

const wordsOf = (script: string, { cwd = "work", path = [] as string[] } = {}) => {
  mkdirSync(at(cwd), { recursive: true });
  const searchPath = ["usr/bin", ...path].map(at).join(delimiter);
  return commandWords({ script: at(script), cwd: at(cwd), searchPath });
};

describe("started by npx", () => {
  const NPX = "cache/_npx/c6c0f8";
  const SCRIPT = `${NPX}/node_modules/.bin/service-sim`;

  const askedFor = (wanted: string, ...packages: string[]) => {
    install(`${NPX}/node_modules`);
    const content = { dependencies: { "service-sim": wanted }, _npx: { packages } };
    write(`${NPX}/package.json`, JSON.stringify(content));
  };

  test.each([
    { cwd: "work", words: "npx --yes ../packed/service-sim-0.1.0.tgz" },
    { cwd: "packed", words: "npx --yes ./service-sim-0.1.0.tgz" },
    { cwd: "packed/deep er", words: "npx --yes ../service-sim-0.1.0.tgz" },
  ])("of a tarball it is named from $cwd", ({ cwd, words }) => {
    askedFor("file:../../../packed/service-sim-0.1.0.tgz", "./service-sim-0.1.0.tgz");
    expect(wordsOf(SCRIPT, { cwd })).toBe(words);
  });

  test("of a tarball with a space or a quote in its path is quoted for a shell", () => {
    askedFor("file:../../../my pack's/service-sim-0.1.0.tgz");
    expect(wordsOf(SCRIPT)).toBe("npx --yes '../my pack'\\''s/service-sim-0.1.0.tgz'");
  });

  test.each([
    { cwd: "clone", words: "npx service-sim" },
    { cwd: "clone/test", words: "npx service-sim" },
    { cwd: "clone2", words: "npx --yes ../clone" },
    { cwd: "work", words: "npx --yes ../clone" },
  ])("of a clone it is the name inside it, and its path in $cwd", ({ cwd, words }) => {
    askedFor("file:../../../clone", at("clone"));
    expect(wordsOf(SCRIPT, { cwd })).toBe(words);
  });

  test.each([
    { wanted: "^0.1.0", asked: "service-sim", words: "npx service-sim" },
    { wanted: "0.1.0", asked: "service-sim@0.1.0", words: "npx service-sim@0.1.0" },
    { wanted: "github:a/b", asked: "github:a/b", words: "npx github:a/b" },
  ])("of $asked it is as asked for", ({ wanted, asked, words }) => {
    askedFor(wanted, asked);
    expect(wordsOf(SCRIPT)).toBe(words);
  });

  test("of a folder that says nothing it is the name", () => {
    install(`${NPX}/node_modules`);
    expect(wordsOf(SCRIPT)).toBe("npx service-sim");
    write(`${NPX}/package.json`, "{");
    expect(wordsOf(SCRIPT)).toBe("npx service-sim");
  });
});

test("started out of an archive of Yarn it is Yarn's", () => {
  const script = ".yarn/cache/service-sim-1.zip/node_modules/service-sim/bin/service-sim.js";
  install(".yarn/cache/service-sim-1.zip/node_modules");
  expect(wordsOf(script)).toBe("yarn service-sim");
});

describe("started from a project's own copy", () => {
  test.each([
    { script: "shop/node_modules/.bin/service-sim" },
    // The path as the shims of Windows and of pnpm pass it.
    { script: "shop/node_modules/service-sim/bin/service-sim.js" },
  ])("by $script it is npx's, anywhere in the project", ({ script }) => {
    install("shop/node_modules");
    for (const cwd of ["shop", "shop/packages/till"])
      expect(wordsOf(script, { cwd })).toBe("npx service-sim");
  });

  test("by a script of npm, which puts it on PATH, it is npx's too", () => {
    install("shop/node_modules");
    const path = ["shop/node_modules/.bin"];
    const script = "shop/node_modules/.bin/service-sim";
    expect(wordsOf(script, { cwd: "shop", path })).toBe("npx service-sim");
  });

  test("out of the project it is the program's own path", () => {
    install("shop/node_modules");
    expect(wordsOf("shop/node_modules/.bin/service-sim")).toBe(
      "node ../shop/node_modules/.bin/service-sim",
    );
  });
});

describe("started as a global install", () => {
  test("it is the name", () => {
    install("usr/lib/node_modules", "usr/bin");
    expect(wordsOf("usr/bin/service-sim")).toBe("service-sim");
  });

  test("that another one on PATH hides, it is its path", () => {
    install("usr/lib/node_modules", "usr/bin");
    install("opt/lib/node_modules", "opt/bin");
    expect(wordsOf("opt/bin/service-sim", { path: ["opt/bin"] })).toBe(
      "node ../opt/bin/service-sim",
    );
  });

  test("of Windows, where a script beside the packages starts it, it is the name", () => {
    write("npm/node_modules/service-sim/bin/service-sim.js");
    const script = "npm/node_modules/service-sim/bin/service-sim.js";
    expect(wordsOf(script, { path: ["npm"] })).toBe("service-sim");
  });
});

describe("started as a file of Node's", () => {
  test.each([
    { cwd: "clone", words: "node bin/service-sim.js" },
    { cwd: "clone/bin", words: "node service-sim.js" },
    { cwd: "work", words: "node ../clone/bin/service-sim.js" },
  ])("it is its path from $cwd", ({ cwd, words }) => {
    write("clone/bin/service-sim.js");
    expect(wordsOf("clone/bin/service-sim.js", { cwd })).toBe(words);
  });

  test("it is quoted where a shell would split it", () => {
    write("my clone/bin/service-sim.js");
    expect(wordsOf("my clone/bin/service-sim.js")).toBe("node '../my clone/bin/service-sim.js'");
  });

  test.each([
    { says: "another program", script: () => at("usr/bin/vitest") },
    { says: "no file", script: () => undefined },
    { says: "a file that is gone", script: () => at("gone/service-sim.js") },
  ])("of $says it is the name", ({ script }) => {
    write("usr/bin/vitest");
    expect(commandWords({ script: script(), cwd: root, searchPath: undefined })).toBe(
      "service-sim",
    );
  });
});

describe("a hint", () => {
  const TARBALL = "npx --yes ../service-sim-0.1.0.tgz";

  test.each([
    { hint: "service-sim start", shown: `${TARBALL} start` },
    { hint: "service-sim start --help    or stop", shown: `${TARBALL} start --help    or stop` },
    { hint: "service-sim --help", shown: `${TARBALL} --help` },
    { hint: 'eval "$(service-sim env)"', shown: `eval "$(${TARBALL} env)"` },
    {
      hint: "service-sim stop    then service-sim doctor --repair",
      shown: `${TARBALL} stop    then ${TARBALL} doctor --repair`,
    },
    { hint: "see .service-sim/service-sim.log", shown: "see .service-sim/service-sim.log" },
    { hint: "rm -r .service-sim first", shown: "rm -r .service-sim first" },
    { hint: "start the newer version", shown: "start the newer version" },
    { hint: "service-sim 0.1.0 runs", shown: "service-sim 0.1.0 runs" },
  ])("is shown as it can be pasted: $hint", ({ hint, shown }) => {
    expect(hintWith(TARBALL, hint)).toBe(shown);
  });

  // A detached start repeats the last lines of the process that failed.
  test.each([
    "service-sim",
    "npx service-sim",
    "npx service-sim@0.1.0",
    "npx github:a/service-sim",
    TARBALL,
    "node bin/service-sim.js",
    "node ../shop/node_modules/.bin/service-sim",
  ])("that was put in order stays so: %s", (words) => {
    const hint = hintWith(words, "service-sim start --port 0    takes any free port");
    expect(hint).toBe(`${words} start --port 0    takes any free port`);
    expect(hintWith(words, hint)).toBe(hint);
  });

  test("is the bare name where another program runs these sources", () => {
    expect(asCalled("service-sim start")).toBe("service-sim start");
  });
});
