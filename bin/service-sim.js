#!/usr/bin/env node
const { existsSync } = require("node:fs");
const { join, relative } = require("node:path");

const root = join(__dirname, "..");
const dist = join(root, "dist");

/** Compiled code saves time and nothing else. */
const cacheCode = (args) => {
  try {
    require("../dist/code-cache.cjs").cacheCode(args, dist);
  } catch {
    // The program compiles all of its code, as it does at its first run.
  }
};

const run = (args) => {
  const { isQuick } = require("../dist/quick-words.cjs");
  if (isQuick(args) && require("../dist/quick.cjs").answerQuickly(args, dist)) return;
  cacheCode(args);
  require("../dist/cli.cjs");
};

const fail = (sentence, next) => {
  console.error(`error  ${sentence}\nnext   ${next}`);
  process.exitCode = 1;
};

const failUnbuilt = () => {
  const folder = relative(process.cwd(), root);
  const elsewhere = folder === "" ? "" : ` --prefix '${folder}'`;
  fail("service-sim is not built yet", `npm ci --include=dev${elsewhere}`);
};

try {
  if (existsSync(join(dist, "cli.cjs"))) run(process.argv.slice(2));
  else failUnbuilt();
} catch (error) {
  const [found] = String(error instanceof Error ? error.message : error).split("\n");
  fail(`service-sim cannot be loaded: ${found}`, "install it again");
}
