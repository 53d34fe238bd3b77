#!/usr/bin/env node
const { existsSync } = require("node:fs");
const modules = require("node:module");
const { join } = require("node:path");

if (existsSync(join(__dirname, "../dist/cli.cjs"))) {
  // Node 22.1 and newer can cache compiled code between runs; older versions lack the function.
  modules.enableCompileCache?.();
  require("../dist/cli.cjs");
} else {
  console.error("error  this checkout is not built yet\nnext   npm ci --include=dev");
  process.exitCode = 1;
}
