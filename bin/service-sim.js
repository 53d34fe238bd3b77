#!/usr/bin/env node
const { existsSync } = require("node:fs");
const modules = require("node:module");
const { join, relative } = require("node:path");

const root = join(__dirname, "..");

if (existsSync(join(root, "dist", "cli.cjs"))) {
  // Node 22.1 and newer can cache compiled code between runs; older versions lack the function.
  modules.enableCompileCache?.();
  require("../dist/cli.cjs");
} else {
  const folder = relative(process.cwd(), root);
  const elsewhere = folder === "" ? "" : ` --prefix '${folder}'`;
  console.error(`error  service-sim is not built yet\nnext   npm ci --include=dev${elsewhere}`);
  process.exitCode = 1;
}
