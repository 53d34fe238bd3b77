import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { LATEST_REVISION } from "../../src/contract/core/revision-names.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { ours } from "../setup/packed.ts";

const { contractTypes } = createRequire(import.meta.url)("../../bin/contract-types.mjs") as {
  contractTypes(platform: object, control: object, laterOnes: object): string;
};

const COMPILER = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-sim-types-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) =>
  new Promise<string>((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.once("close", () => resolve(output));
  });

/** Names that the generated file gives to shapes whose own name a global class has. */
const OWN_NAMES: Record<string, string> = { Error: "ApiErrorBody" };

test("each shape is the type that openapi-typescript makes of it, and each operation is there", async () => {
  const documents = {
    platform: openApiDocument("0"),
    control: controlOpenApiDocument("0"),
    later: openApiDocument("0", LATEST_REVISION),
  };
  const generator = ours("openapi-typescript", "bin", "cli.js");
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
    await run(generator, `${name}.json`, "--output", `${name}.ts`);
  }
  const { platform, control, later } = documents;
  const written = contractTypes(platform, control, { [LATEST_REVISION]: later });
  writeFileSync(join(folder, "ours.ts"), written);
  const shapesOf = ({ components }: { components?: unknown }) =>
    Object.keys((components as { schemas: object }).schemas);
  const lines = Object.entries(documents).flatMap(([surface, document]) =>
    shapesOf(document).map((name) => {
      const own = OWN_NAMES[name] ?? name;
      const isChanged = surface === "later" && written.includes(` ${name}In202608 `);
      const type = `ours.${isChanged ? `${name}In202608` : own}`;
      return `export const ${surface}_${name}: Same<${surface}.components["schemas"]["${name}"], ${type}> = true;`;
    }),
  );
  const text = [
    'import type * as ours from "./ours.ts";',
    'import type * as platform from "./platform.ts";',
    'import type * as control from "./control.ts";',
    'import type * as later from "./later.ts";',
    "type Later = keyof later.operations;",
    'type LaterOperation = Exclude<Later, `${string}Event`> | Extract<Later, "recordSecurityEvent">;',
    'export const laterOperations: Same<LaterOperation, keyof ours.CallsOf["2026-08"]> = true;',
    "type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;",
    "type Operation = Exclude<keyof platform.operations, `${string}Event`>;",
    "export const operations: Same<Operation, keyof ours.OperationCalls> = true;",
    ...lines,
  ];
  writeFileSync(join(folder, "same.ts"), text.join("\n"));
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: "nodenext",
    allowImportingTsExtensions: true,
    target: "es2023",
    types: [],
  };
  const config = JSON.stringify({ compilerOptions, files: ["same.ts"] });
  writeFileSync(join(folder, "tsconfig.json"), config);
  const said = (await run(COMPILER, "-p", "."))
    .split("\n")
    .map((line) => {
      const [, at] = /^same\.ts\((\d+),/.exec(line) ?? [];
      return at === undefined ? line : `${line} ${text.join("\n").split("\n")[Number(at) - 1]}`;
    })
    .join("\n");
  expect(said).toBe("");
  expect(lines.length).toBeGreaterThan(500);
  expect(readFileSync(join(folder, "ours.ts"), "utf8")).not.toMatch(/^import /m);
});
