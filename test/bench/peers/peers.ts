import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer } from "../platform-call.ts";

const SCALAR_SERVER = fileURLToPath(new URL("scalar-server.mjs", import.meta.url));

/** Inputs of a peer's command line. */
export interface Served {
  /** Folder that its packages are installed in, and that it may write to. */
  folder: string;
  /** File of our OpenAPI document. */
  document: string;
  port: number;
  /** Our own answers, for those that serve stubs. */
  answers: { get: Answer; post: Answer };
}

/** Another program that people take for the same purpose. */
export interface Peer {
  name: string;
  /** Packages of npm, with versions. */
  packages: readonly string[];
  /** Program that it runs on; Node.js by default. */
  program?: string;
  /** Prefix of its paths. */
  base: (apiPath: string) => string;
  /** Its arguments; writes what it reads at its start. */
  argsOf(served: Served): string[];
}

const onRoot = () => "";

const stub = (method: string, url: object, { status, text }: Answer) => ({
  request: { method, ...url },
  response: { status, body: text, headers: { "content-type": "application/json" } },
});

const jarIn = (folder: string) => {
  const build = join(folder, "node_modules", "wiremock", "build");
  const [jar] = readdirSync(build).filter((name) => name.endsWith(".jar"));
  if (jar === undefined) throw new Error(`Expected a jar in ${build} but found none`);
  return join(build, jar);
};

const scalar = (version: string): Peer => ({
  name: `Scalar mock server ${version}`,
  packages: [`@scalar/mock-server@${version}`, "@hono/node-server@1"],
  base: onRoot,
  argsOf: ({ folder, document, port }) => {
    const script = join(folder, "scalar-server.mjs");
    cpSync(SCALAR_SERVER, script);
    return [script, document, String(port)];
  },
});

/** Programs that serve our OpenAPI document, or stubs of it. */
export const PEERS: readonly Peer[] = [
  scalar("0.14.4"),
  // The newest that does not check requests, and so answers faster.
  scalar("0.9.15"),
  {
    name: "WireMock 3.13.2",
    packages: ["wiremock@3.13.2"],
    program: "java",
    base: onRoot,
    argsOf: ({ folder, port, answers }) => {
      const root = join(folder, "stubs");
      mkdirSync(join(root, "mappings"), { recursive: true });
      const mappings = [
        stub("GET", { urlPathPattern: "/quotes/.*" }, answers.get),
        stub("POST", { urlPath: "/quotes" }, answers.post),
      ];
      writeFileSync(join(root, "mappings", "quotes.json"), JSON.stringify({ mappings }));
      const options = ["--no-request-journal", "--disable-banner", "--bind-address", "127.0.0.1"];
      return ["-jar", jarIn(folder), "--port", String(port), "--root-dir", root, ...options];
    },
  },
  {
    name: "Mockoon 9.9.0",
    packages: ["@mockoon/cli@9.9.0"],
    base: (apiPath) => apiPath,
    argsOf: ({ folder, document, port }) => [
      join(folder, "node_modules", "@mockoon", "cli", "bin", "run.js"),
      "start",
      ...["--data", document, "--port", String(port), "--hostname", "127.0.0.1"],
      "--disable-log-to-file",
    ],
  },
  {
    name: "Prism 5.16.0",
    packages: ["@stoplight/prism-cli@5.16.0"],
    base: onRoot,
    argsOf: ({ folder, document, port }) => [
      join(folder, "node_modules", "@stoplight", "prism-cli", "dist", "index.js"),
      "mock",
      document,
      ...["-p", String(port), "-h", "127.0.0.1"],
    ],
  },
];
