import { type ExecFileException, execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const SECRET = "a-secret-of-ours-0123456789";

/** A test that fails, under a runner of its own. */
const failing = (imports: string, check: string) => `${imports}
test("is something else", async () => {
  const now = "2026-01-01T00:00:00Z";
  const sim = await createSimulator({ clientSecret: process.env.SECRET, clock: "manual", now });
  try {
    ${check}
  } finally {
    await sim.close();
  }
});
`;

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "simulator-summary-"));
  mkdirSync(join(root, "node_modules"));
  for (const [name, path] of [
    ["service-sim", "."],
    ["vitest", "node_modules/vitest"],
  ] as const)
    symlinkSync(resolve(path), join(root, "node_modules", name));
});

afterAll(() => rmSync(root, { recursive: true }));

const IMPORTED = 'import { createSimulator } from "service-sim";';
const foreign = createRequire(new URL("foreign/package.json", import.meta.url));

const RUNNERS = [
  {
    runner: "jest",
    file: "summary-of-jest.cjs",
    text: failing(
      'const { createSimulator } = require("service-sim");',
      "expect(sim).toEqual({ a: 1 });",
    ),
    args: [
      foreign.resolve("jest/bin/jest"),
      ...[
        "--config",
        '{"testMatch":["**/summary-of-jest.cjs"],"transform":{},"cacheDirectory":"jest"}',
      ],
    ],
  },
  {
    runner: "vitest",
    file: "summary.test.mjs",
    text: failing(
      `import { expect, test } from "vitest";\n${IMPORTED}`,
      "expect(sim).toEqual({ a: 1 });",
    ),
    args: [resolve("node_modules/vitest/vitest.mjs"), "run"],
  },
  {
    runner: "node:test",
    file: "summary-of-node.mjs",
    text: failing(
      `import assert from "node:assert/strict";\nimport { test } from "node:test";\n${IMPORTED}`,
      "assert.deepEqual(sim, { a: 1 });",
    ),
    args: ["--test", "--test-reporter=spec", "summary-of-node.mjs"],
  },
];

test.each(RUNNERS)("a failed assertion of $runner shows no secret", async (one) => {
  writeFileSync(join(root, one.file), one.text);
  const env = { ...process.env, NO_COLOR: "1", SECRET };
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, one.args, { cwd: root, env }, (error, stdout, stderr) => {
      expect((error as ExecFileException | null)?.code).toBe(1);
      done(stdout + stderr);
    });
  });
  expect(said).toContain("2026-01-01T00:00:00.000Z");
  expect(said).toContain("in this process");
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain("PRIVATE KEY");
});
