import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "../../../src/api/openapi.ts";
import { controlOpenApiDocument } from "../../../src/control/openapi.ts";

interface Document {
  components: { schemas: object };
}

const { bundleTypes } = (await import(pathToFileURL("bin/bundle-types.mjs").href)) as {
  bundleTypes(entry: string, folder: string): Promise<void>;
};

describe("the declarations of the package", () => {
  const text = readFileSync("dist/simulator.d.cts", "utf8");

  test("are one file that imports nothing, which modules hand on", () => {
    const declared = readdirSync("dist", { recursive: true, encoding: "utf8" });
    expect(declared.filter((name) => /\.d\.\w*ts$/.test(name)).sort()).toEqual([
      "coverage-reporter.d.mts",
      "jest-reporter.d.cts",
      "jest-setup.d.cts",
      "jest-teardown.d.cts",
      "jest.d.cts",
      "playwright.d.cts",
      "playwright.d.mts",
      "simulator.d.cts",
      "simulator.d.mts",
      "vitest-setup.d.mts",
      "vitest.d.mts",
    ]);
    expect(readFileSync("dist/simulator.d.mts", "utf8")).toBe('export * from "./simulator.cjs";\n');
    // The library's own `await using`: a part of the language, not a package.
    const others = text.replace('/// <reference lib="esnext.disposable" />\n', "");
    expect(others).not.toMatch(/^import\b|\bimport\(|\brequire\(|^\/\/\/ <reference\b|\bz\./m);
  });

  test("export what the library exports, each shape of the contract, and nothing else", () => {
    const [, list = "", ...others] = text.split(/^export /m);
    expect(others).toEqual([]);
    const documents = [openApiDocument("0"), controlOpenApiDocument("0")] as unknown as Document[];
    const shapes = documents.flatMap(({ components }) => Object.keys(components.schemas));
    expect(shapes.length).toBeGreaterThan(650);
    const names = new Set(shapes.map((name) => (name === "Error" ? "ApiErrorBody" : name)));
    const exported = list.match(/\b(?!type |as )[\w$]+/g)?.filter((name) => !/\$\d$/.test(name));
    expect([...names].filter((name) => !exported?.includes(name))).toEqual([]);
    // The later revision's own types have its name.
    const own = exported?.filter((name) => name.endsWith("In202608")) ?? [];
    expect(own).toContain("OperationCallsIn202608");
    const rest = exported?.filter((name) => !names.has(name) && !own.includes(name));
    expect(rest?.sort()).toEqual([
      "Activity",
      "AdvanceSummary",
      "AgentCallOptions",
      "ApiError",
      "ApprovalCalls",
      "CallOptions",
      "CallsOf",
      "ClockCalls",
      "ConnectOptions",
      "EventOf",
      "FaultCalls",
      "ForkOptions",
      "InboxCalls",
      "JournalDamage",
      "JournalFailure",
      "LedgerOptions",
      "LeftAside",
      "ListenOptions",
      "LocalSimulator",
      "MissingPackage",
      "NoAnswer",
      "OperationCalls",
      "OptionError",
      "OtherFormat",
      "OutcomeCalls",
      "PageOptions",
      "ReceivedWebhook",
      "RequestCalls",
      "RewindGoal",
      "ServedElsewhere",
      "Simulator",
      "SimulatorClosed",
      "SimulatorOptions",
      "SnapshotCalls",
      "StateDamage",
      "StateLocked",
      "StateName",
      "StoreRefused",
      "StoreTrouble",
      "TimerCalls",
      "TimerQuery",
      "TimersFaked",
      "WantedWebhook",
      "WebhookCalls",
      "WorldExists",
      "connect",
      "createSimulator",
    ]);
  });

  test("keep the sentences over their members", () => {
    expect(text).toContain("\n  /** Bearer token of the control surface beyond loopback. */\n");
    expect(text).toMatch(/@throws OptionError[^/]*\n \*\/\ndeclare const createSimulator/);
    expect(text).not.toMatch(/\S \/\*\*/);
  });
});

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "published-types-"));
});

afterEach(() => rmSync(root, { recursive: true }));

/** The one file that the bundler writes in place of these. */
const bundled = async (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  await bundleTypes(join(root, "entry.d.ts"), join(root, "out"));
  expect(readdirSync(join(root, "out"))).toEqual(["entry.d.ts"]);
  return readFileSync(join(root, "out", "entry.d.ts"), "utf8");
};

describe("many declaration files become one", () => {
  test("with what is named, however far, and nothing that is not", async () => {
    const files = {
      "entry.d.ts": `import type { Inner } from "./deep/inner.ts";
import { type Unused } from "./unused.js";
/** Outer. */
export interface Outer extends Base {
    /** Inner, in words that name Unused. */
    inner: Inner[];
}
interface Base {
    kind: "Unused" | "b";
}
declare const hidden: Unused;
`,
      "deep/inner.d.ts": `import { KINDS } from "../kinds.ts";
import * as z from "zod";
export type Inner = {
    kind: (typeof KINDS)[number];
    other: import("./other.ts").Other;
    shape(z: string): void;
} | undefined;
export declare const shape: z.ZodType;
`,
      "deep/other.d.ts": "export interface Other {\n    a?: 1;\n}\n",
      "kinds.d.ts": 'export declare const KINDS: readonly ["a"];\nexport {};\n',
      "unused.d.ts": 'import "h3";\nexport type Unused = 1;\n',
    };
    expect(await bundled(files)).toBe(`interface Other {
  a?: 1;
}
declare const KINDS: readonly ["a"];
type Inner = {
  kind: (typeof KINDS)[number];
  other: Other;
  shape(z: string): void;
} | undefined;
/** Outer. */
interface Outer extends Base {
  /** Inner, in words that name Unused. */
  inner: Inner[];
}
interface Base {
  kind: "Unused" | "b";
}
export { Outer };`);
  });

  test("and two of one name stay two", async () => {
    const files = {
      "entry.d.ts":
        'import { A } from "./a.ts";\nexport type B = A | D;\ninterface D {\n    d: 2;\n}\n',
      "a.d.ts": 'import { D } from "./d.ts";\nexport type A = D;\n',
      "d.d.ts": "export type D = 1;\n",
    };
    expect(await bundled(files)).toBe(`type D$1 = 1;
type A = D$1;
type B = A | D;
interface D {
  d: 2;
}
export { B };`);
  });

  test.each([
    {
      says: "a package",
      files: { "entry.d.ts": 'import * as z from "zod";\nexport type A = z.ZodType;\n' },
      found: "Expected published types of our own but found zod",
    },
    {
      says: "a package named in a type",
      files: { "entry.d.ts": 'export type A = import("h3").H3;\n' },
      found: "Expected published types of our own but found h3",
    },
    {
      says: "a package handed on",
      files: { "entry.d.ts": 'export * from "zod";\n' },
      found: "Expected published types of our own but found zod",
    },
    {
      says: "a module of Node",
      files: { "entry.d.ts": 'import { Hash } from "node:crypto";\nexport type A = Hash;\n' },
      found: "Expected published types of our own but found node:crypto",
    },
    {
      says: "a type that is not there",
      files: {
        "entry.d.ts": 'import { A } from "./a.ts";\nexport type B = A;\n',
        "a.d.ts": "export {};\n",
      },
      found: "not exported by",
    },
  ])("or the build ends with why: $says", async ({ files, found }) => {
    await expect(bundled(files)).rejects.toThrow(found);
  });
});
