#!/usr/bin/env node
const { existsSync } = require("node:fs");
const { join, relative } = require("node:path");

const root = join(__dirname, "..");
const dist = join(root, "dist");

if (existsSync(join(dist, "cli.cjs"))) {
  const args = process.argv.slice(2);
  const { isQuick } = require("../dist/quick-words.cjs");
  if (!isQuick(args) || !require("../dist/quick.cjs").answerQuickly(args, dist)) {
    require("../dist/code-cache.cjs").cacheCode(args, dist);
    require("../dist/cli.cjs");
  }
} else {
  const folder = relative(process.cwd(), root);
  const elsewhere = folder === "" ? "" : ` --prefix '${folder}'`;
  console.error(`error  service-sim is not built yet\nnext   npm ci --include=dev${elsewhere}`);
  process.exitCode = 1;
}
