#!/usr/bin/env node
const modules = require("node:module");

// Node 22.1 and newer keep compiled code between runs; older ones have no such function.
modules.enableCompileCache?.();

require("../dist/cli.cjs");
