import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { CLIENT_PROGRAM, TYPES_PROGRAM } from "./setup/client-programs.ts";

const requireHere = createRequire(import.meta.url);
const requireForeign = createRequire(new URL("../foreign/package.json", import.meta.url));

/** A file of a package; its own declaration need not name it. */
const fileOf = (require: NodeJS.Require, name: string, file: string) => {
  const folders = require.resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name, "package.json")).find(canRead);
  if (found === undefined) throw new Error(`Expected ${name} to be installed`);
  return join(dirname(found), file);
};

const canRead = (file: string) => {
  try {
    return requireHere(file) !== undefined;
  } catch {
    return false;
  }
};

const OPENAPI_TYPESCRIPT = fileOf(requireForeign, "openapi-typescript", "bin/cli.js");
const HEY_API = fileOf(requireForeign, "@hey-api/openapi-ts", "bin/run.js");
const TSC = fileOf(requireForeign, "typescript", "bin/tsc");
const TSX = requireHere.resolve("tsx");
const NODE_TYPES = dirname(dirname(fileOf(requireHere, "@types/node", "package.json")));

const SURFACES = [
  { surface: "platform", path: "/openapi.json" },
  { surface: "control", path: "/control-openapi.json" },
] as const;

let world: TestSimulator;
let folder: string;
let env: NodeJS.ProcessEnv;

/** Runs a program of Node in the folder; the test fails with its output. */
const run = (...args: string[]) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: "pipe" });
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

/** Compiles files with the compiler that the generators' users have. */
const compile = (include: readonly string[], options: object) => {
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...STRICT, ...options }, include }));
  return run(TSC, "--project", config);
};

const NODE = { types: ["node"], typeRoots: [NODE_TYPES] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-sim-clients-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  world = await startTestSimulator();
  await world.sim.listen();
  const { apiUrl, controlUrl, clientId, clientSecret } = world.sim;
  env = {
    PATH: process.env.PATH,
    HOME: folder,
    API_URL: apiUrl,
    CONTROL_URL: controlUrl,
    CREDENTIALS: `${clientId}:${clientSecret}`,
  };
  for (const { surface, path } of SURFACES) {
    const reply = await fetch(controlUrl + path);
    writeFileSync(join(folder, `${surface}.json`), await reply.text());
  }
});

afterAll(async () => {
  await world?.sim.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Problem {
  ruleId: string;
  message: string;
}

/** The validator that openapi-typescript brings with it. */
const { createConfig, lintFromString } = createRequire(OPENAPI_TYPESCRIPT)(
  "@redocly/openapi-core",
) as {
  createConfig(config: object): Promise<object>;
  lintFromString(options: { source: string; config: object }): Promise<Problem[]>;
};

const problemsOf = async (source: string) => {
  const config = await createConfig({ extends: ["spec"] });
  return (await lintFromString({ source, config })).map(({ message }) => message);
};

test.each(SURFACES)("the document of the $surface surface is valid OpenAPI 3.1", async (one) => {
  const text = readFileSync(join(folder, `${one.surface}.json`), "utf8");
  expect(await problemsOf(text)).toEqual([]);
  expect(await problemsOf(text.replace('"requestBody"', '"body"'))).not.toEqual([]);
});

test("openapi-typescript and @hey-api/openapi-ts make strict types of both documents", {
  timeout: 120_000,
}, async () => {
  for (const { surface } of SURFACES) {
    await run(OPENAPI_TYPESCRIPT, `${surface}.json`, "--output", `${surface}.d.ts`);
    await run(HEY_API, "--input", `${surface}.json`, "--output", surface, "--no-log-file");
  }
  writeFileSync(join(folder, "types-program.ts"), TYPES_PROGRAM);
  const types = SURFACES.map(({ surface }) => `${surface}/types.gen.ts`);
  const strict = { exactOptionalPropertyTypes: true, ...NODE };
  await compile(["*.d.ts", "types-program.ts", ...types], strict);
});

test("a program on the types of openapi-typescript runs", async () => {
  expect(JSON.parse(await run("--import", TSX, "types-program.ts"))).toEqual({
    name: "Analytical Engines",
    mode: "manual",
  });
});

test("a program on the clients of @hey-api/openapi-ts is strict, and pays", {
  timeout: 120_000,
}, async () => {
  writeFileSync(join(folder, "client-program.ts"), CLIENT_PROGRAM);
  // The declarations of the compiler's own libraries were checked with the types.
  const options = { skipLibCheck: true, ...NODE };
  await compile(["platform", "control", "client-program.ts"], options);
  expect(JSON.parse(await run("--import", TSX, "client-program.ts"))).toEqual({
    source: true,
    fired: ["payment.settle"],
    refused: "CONFLICT",
    seen: expect.arrayContaining(["TEST", "OUTGOING_PAYMENT.PENDING", "25000 USD sent"]),
  });
});
