#!/usr/bin/env node
const modules = require("node:module");

// Node 22.1 and newer can cache compiled code between runs; older versions lack the function.
modules.enableCompileCache?.();

require("../dist/cli.cjs");
