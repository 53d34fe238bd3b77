import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const requireHere = createRequire(import.meta.url);
const requireForeign = createRequire(new URL("../../foreign/package.json", import.meta.url));

const canRead = (file: string) => {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
};

/** A file of a package; its own declaration need not name it. */
const fileOf = (require: NodeJS.Require, name: string, file: string) => {
  const folders = require.resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name, "package.json")).find(canRead);
  if (found === undefined) throw new Error(`Expected ${name} to be installed`);
  return join(dirname(found), file);
};

/** Programs that make clients of an OpenAPI document. */
export const OPENAPI_TYPESCRIPT = fileOf(requireForeign, "openapi-typescript", "bin/cli.js");
export const HEY_API = fileOf(requireForeign, "@hey-api/openapi-ts", "bin/run.js");
export const SWAGGER_TYPESCRIPT = fileOf(requireForeign, "swagger-typescript-api", "dist/cli.mjs");

const TSC = fileOf(requireForeign, "typescript", "bin/tsc");
export const TSX = requireHere.resolve("tsx");
const NODE_TYPES = dirname(dirname(fileOf(requireHere, "@types/node", "package.json")));

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
};

/** Compiler options of a program that runs in Node.js. */
export const NODE = { types: ["node"], typeRoots: [NODE_TYPES] };

/** A folder of generated clients, and programs that are run in it. */
export class ClientFolder {
  readonly path = mkdtempSync(join(tmpdir(), "service-sim-clients-"));
  env: NodeJS.ProcessEnv = {};

  constructor() {
    this.write("package.json", JSON.stringify({ type: "module" }));
  }

  /** Makes packages importable, as if they were installed here. */
  link(...names: string[]) {
    mkdirSync(join(this.path, "node_modules"), { recursive: true });
    for (const name of names) {
      const folder = dirname(fileOf(requireForeign, name, "package.json"));
      symlinkSync(folder, join(this.path, "node_modules", name));
    }
  }

  read(name: string) {
    return readFileSync(join(this.path, name), "utf8");
  }

  write(name: string, text: string) {
    writeFileSync(join(this.path, name), text);
  }

  /** Runs a program of Node.js in the folder; the test fails with its output. */
  run(...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: this.path, ...this.env };
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd: this.path, env, stdio: "pipe" });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      child.once("error", reject);
      child.once("close", (code) =>
        code === 0 ? resolve(output) : reject(new Error(`${args.join(" ")}\n${output}`)),
      );
    });
  }

  /** Compiles files with the compiler that the generators' users have. */
  compile(include: readonly string[], options: object): Promise<string> {
    const config = JSON.stringify({ compilerOptions: { ...STRICT, ...options }, include });
    this.write("tsconfig.json", config);
    return this.run(TSC, "--project", "tsconfig.json");
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}
