import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";

const place = placePerTest();

const { run: lint } = createRequire(import.meta.url)("dockerfilelint") as {
  run: (configPath: string, content: string) => { title: string; line: string }[];
};

const DOCKERFILE = readFileSync("Dockerfile", "utf8");

/** Instructions with their arguments, a line each. */
const instructions = DOCKERFILE.replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line)?.slice(1) as [string, string]);

const argumentsOf = (name: string) =>
  instructions.filter(([one]) => one === name).map(([, rest]) => rest);

test("dockerfilelint has nothing to say", () => {
  expect(lint(".", DOCKERFILE)).toEqual([]);
  expect(lint(".", "FROM node\nUSER\n").length).toBeGreaterThan(0);
});

test("it has two stages, and what runs is not root", () => {
  const [built = "", run = ""] = argumentsOf("FROM");
  expect(built).toBe(`${run} AS build`);
  expect(run).toMatch(/^node:22-slim@sha256:[0-9a-f]{64}$/);
  expect(argumentsOf("USER")).toEqual(["node"]);
  expect(argumentsOf("EXPOSE")).toEqual(["4747"]);
  expect(argumentsOf("VOLUME")).toEqual(["/data"]);
});

test("its labels are those of the OCI, and say what the package says", () => {
  const { version, license, homepage, description } = JSON.parse(
    readFileSync("package.json", "utf8"),
  ) as Record<string, string>;
  const pairs = [
    ...argumentsOf("LABEL")
      .join(" ")
      .matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g),
  ];
  expect(Object.fromEntries(pairs.map(([, name, value]) => [name, value]))).toEqual({
    title: "service-sim",
    description,
    version: "$VERSION",
    revision: "$REVISION",
    created: "$CREATED",
    licenses: license,
    url: homepage,
    source: "https://github.com/your-organization/service-sim",
    documentation: "https://github.com/your-organization/service-sim/tree/main/src/docs",
    "base.name": "docker.io/library/node:22-slim",
  });
  expect(argumentsOf("ARG")).toEqual([`VERSION=${version}`, "REVISION=unknown", "CREATED=unknown"]);
});

/** Files and folders that are copied out of the repository. */
const copied = argumentsOf("COPY")
  .filter((rest) => !rest.startsWith("--from"))
  .flatMap((rest) => rest.split(" ").slice(0, -1));

test("what it copies is there, and docker is let see it and nothing else", () => {
  expect(copied).toContain("package-lock.json");
  for (const path of copied) expect(existsSync(path), path).toBe(true);
  const [, all, ...seen] = readFileSync(".dockerignore", "utf8").trim().split("\n");
  expect(all).toBe("*");
  const isBelow = (path: string, entry: string) => `${path}/`.startsWith(`${entry.slice(1)}/`);
  const unseen = copied.filter((path) => !seen.some((entry) => isBelow(path, entry)));
  const uncopied = seen.filter((entry) => !copied.some((path) => isBelow(path, entry)));
  expect({ unseen, uncopied }).toEqual({ unseen: [], uncopied: [] });
});

const healthCheck = () => {
  const [check = ""] = argumentsOf("HEALTHCHECK");
  return JSON.parse(check.slice(check.indexOf("CMD ") + "CMD ".length)) as string[];
};

test("its health check tells a simulator that is ready from none", async () => {
  const { ready, stop } = await place()
    .start("--host 0.0.0.0")
    .then((running) => ({ ready: running.ready, stop: () => running.stop() }));
  const env = { SERVICE_SIM_PORT: String(ready.port) };
  expect(await place().spawn(healthCheck(), { env }).ended).toMatchObject({ code: 0, stderr: "" });
  await stop();
  expect(await place().spawn(healthCheck(), { env }).ended).toMatchObject({ code: 1, stderr: "" });
});

test("with its variables it listens everywhere, and commands beside it have the token", async () => {
  const storage = `file:${place().file("data")}`;
  const env = { SERVICE_SIM_HOST: "0.0.0.0", SERVICE_SIM_STORAGE: storage };
  expect(argumentsOf("ENV").join(" ")).toContain("SERVICE_SIM_HOST=0.0.0.0");
  const running = await place().start("", { env });
  expect((await running.control("GET", "/ready")).status).toBe(200);
  expect(await running.control("GET", "/status")).toMatchObject({
    status: 401,
    body: { error: { code: "CONTROL_TOKEN_NEEDED" } },
  });
  const { code, stdout } = await place().run("status", { env: { SERVICE_SIM_STORAGE: storage } });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("running") });
});
