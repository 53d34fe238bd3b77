import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";

const { bundleTypes } = createRequire(import.meta.url)("../../../bin/bundle-types.js") as {
  bundleTypes(entry: string, read: (file: string) => string): string;
};

const bundled = (files: Record<string, string>) =>
  bundleTypes("entry.d.ts", (file) => {
    const text = files[file];
    if (text === undefined) throw new Error(`no ${file}`);
    return text;
  });

describe("the declarations of the package", () => {
  const text = readFileSync("dist/types/simulator.d.ts", "utf8");

  test("are one file that imports nothing", () => {
    expect(readdirSync("dist/types", { recursive: true })).toEqual(["simulator.d.ts"]);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|\breference\b|\bz\./);
  });

  test("export what the library exports, and nothing else", () => {
    const exported = [...text.matchAll(/^export (?:declare )?\w+ (\w+)/gm)].map(([, name]) => name);
    expect(exported.sort()).toEqual([
      "Activity",
      "AdvanceSummary",
      "ListenOptions",
      "OptionError",
      "Simulator",
      "SimulatorOptions",
      "createSimulator",
    ]);
  });

  test("keep the sentences over their members", () => {
    expect(text).toContain("/** Bearer token of the control surface beyond loopback. */");
    expect(text).toMatch(/@throws OptionError.*\n \*\/\nexport declare const createSimulator/);
  });
});

describe("many declaration files become one", () => {
  test("with what is named, however far, and nothing that is not", () => {
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
      "unused.d.ts": 'import "h3";\n',
    };
    expect(bundled(files)).toBe(`/** Outer. */
export interface Outer extends Base {
    /** Inner, in words that name Unused. */
    inner: Inner[];
}
interface Base {
    kind: "Unused" | "b";
}
type Inner = {
    kind: (typeof KINDS)[number];
    other: Other;
    shape(z: string): void;
} | undefined;
interface Other {
    a?: 1;
}
declare const KINDS: readonly ["a"];
export {};
`);
  });

  test.each([
    {
      says: "a package",
      files: { "entry.d.ts": 'import * as z from "zod";\nexport type A = z.ZodType;\n' },
      found: "Expected published types of our own but found zod in entry.d.ts",
    },
    {
      says: "a package named in a type",
      files: { "entry.d.ts": 'export type A = import("h3").H3;\n' },
      found: "Expected published types of our own but found h3 in entry.d.ts",
    },
    {
      says: "two of one name",
      files: {
        "entry.d.ts":
          'import { A } from "./a.ts";\nexport type B = A | C;\ninterface C {\n    d: D;\n}\ninterface D {\n}\n',
        "a.d.ts": 'import { D } from "./d.ts";\nexport type A = D;\n',
        "d.d.ts": "export type D = 1;\n",
      },
      found: "Expected one D but found it in d.d.ts and entry.d.ts",
    },
    {
      says: "another name",
      files: { "entry.d.ts": 'import { A as B } from "./a.ts";\nexport type C = B;\n' },
      found: "Expected no other name but found A as B in entry.d.ts",
    },
    {
      says: "a barrel",
      files: { "entry.d.ts": 'export * from "./a.ts";\n' },
      found: 'Expected a declaration but found export * from "./a.ts"; in entry.d.ts',
    },
    {
      says: "what is not there",
      files: {
        "entry.d.ts": 'import { A } from "./a.ts";\nexport type B = A;\n',
        "a.d.ts": "export {};\n",
      },
      found: "Expected A in a.d.ts but found no such type",
    },
  ])("or say why they cannot: $says", ({ files, found }) => {
    expect(() => bundled(files)).toThrow(found);
  });
});
