import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";
import { waitUntil } from "../setup/cli.ts";
import { blockWith as blockOf, textOfPage } from "./setup/doc-blocks.ts";
import { freePort } from "./setup/page-script.ts";

const place = placePerTest();

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PAGE = "src/docs/guide/recipes.md";

const blockWith = (text: string) => blockOf(PAGE, text);

/** Blocks that are files say so in their first line. */
const writeFile = (name: string) => writeFileSync(place().file(name), blockWith(`// ${name}\n`));

/** A project with this package and vitest, whose e2e script prints its settings. */
beforeEach(() => {
  mkdirSync(place().file("node_modules", "@playwright", "test"), { recursive: true });
  mkdirSync(place().file("node_modules", ".bin"));
  symlinkSync(ROOT, place().file("node_modules", "service-sim"));
  symlinkSync(`${ROOT}node_modules/vitest`, place().file("node_modules", "vitest"));
  symlinkSync(`${ROOT}bin/service-sim.js`, place().file("node_modules", ".bin", "service-sim"));
  writeFileSync(place().file("e2e.mjs"), E2E);
  const scripts = { e2e: "node e2e.mjs" };
  writeFileSync(place().file("package.json"), JSON.stringify({ type: "module", scripts }));
});

const E2E = `
const { SERVICE_SIM_API_URL: api, SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } =
  process.env;
const headers = { authorization: "Basic " + btoa(id + ":" + secret) };
const { status } = await fetch(api + "/config", { headers });
console.log("e2e", process.argv[2], new URL(api).port, status);
if (process.argv[2] === process.env.FAILS) process.exitCode = 1;
`;

/** Runs lines with the built program in the place of npx's, which the README's lines go through. */
const shell = (lines: string, env: Record<string, string> = {}) =>
  place().shell(`npx() { "$@"; }\n${lines}`, { env });

/** Lines of the e2e script: its shard, the port it called and the answer. */
const told = (stdout: string) =>
  [...stdout.matchAll(/^e2e (\S+) (\d+) (\d+)$/gm)].map(([, shard, port, status]) => ({
    shard,
    port: Number(port),
    status,
  }));

test("the vitest recipe's test passes", async () => {
  for (const name of ["vitest.config.ts", "simulator.ts", "customers.test.ts"]) writeFile(name);
  const run = place().spawn([process.execPath, "node_modules/vitest/vitest.mjs", "run"]);
  const { code, stdout, stderr } = await run.ended;
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/1 passed/);
});

interface PlaywrightConfig {
  webServer: { command: string; url: string; env: Record<string, string> }[];
}

/** Starts and polls the server of the config as Playwright does, without its runner. */
test("the Playwright recipe's server is ready at its address, with its credentials", async () => {
  writeFile("playwright.config.ts");
  const stub = { name: "@playwright/test", type: "module", exports: "./index.js" };
  const folder = place().file("node_modules", "@playwright", "test");
  writeFileSync(`${folder}/package.json`, JSON.stringify(stub));
  writeFileSync(`${folder}/index.js`, "export const defineConfig = (config) => config;\n");
  writeFileSync(
    place().file("show.mts"),
    'import config from "./playwright.config.ts";\nconsole.log(JSON.stringify(config));\n',
  );
  const tsx = `${ROOT}node_modules/tsx/dist/cli.mjs`;
  const shown = await place().spawn([process.execPath, tsx, "show.mts"]).ended;
  expect(shown.code, shown.stderr).toBe(0);
  const { webServer } = JSON.parse(shown.stdout) as PlaywrightConfig;
  const [server] = webServer;
  if (!server) throw new Error("Expected a server in playwright.config.ts");
  const port = String(await freePort());
  const here = (text: string) => text.replaceAll("4747", port);
  const started = place().spawn(["sh", "-c", here(server.command)], { env: server.env });
  const answers = (url: string, headers?: Record<string, string>) =>
    fetch(url, headers && { headers }).then(
      ({ status }) => status,
      () => 0,
    );
  await waitUntil("the server", async () => (await answers(here(server.url))) === 200);
  const { SERVICE_SIM_API_URL: api = "", SERVICE_SIM_CLIENT_ID: id } = server.env;
  const authorization = `Basic ${btoa(`${id}:${server.env.SERVICE_SIM_CLIENT_SECRET}`)}`;
  expect(await answers(`${here(api)}/config`, { authorization })).toBe(200);
  const stopped = await place().run(`stop --url ${here("http://127.0.0.1:4747")}`);
  expect(stopped.code, stopped.stderr).toBe(0);
  await started.ended;
});

test.each([
  { fails: "none", code: 0 },
  { fails: "--shard=1/2", code: 1 },
  { fails: "--shard=2/2", code: 1 },
])("shards run beside each other, and $fails fails the run", async ({ fails, code }) => {
  const ended = await shell(blockWith("first=$!"), { FAILS: fails });
  expect(ended.code, ended.stderr).toBe(code);
  const shards = told(ended.stdout);
  expect(shards.map(({ shard }) => shard).sort()).toEqual(["--shard=1/2", "--shard=2/2"]);
  expect(new Set(shards.map(({ port }) => port)).size).toBe(2);
});

test("shards with folders of their own run beside each other", async () => {
  const lines = blockWith("SERVICE_SIM_STORAGE=");
  const runs = await Promise.all(["1", "2"].map((SHARD) => shell(lines, { SHARD })));
  for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
  const shards = runs.flatMap(({ stdout }) => told(stdout));
  expect(shards.map(({ shard, status }) => [shard, status])).toEqual([
    ["--shard=1/2", "200"],
    ["--shard=2/2", "200"],
  ]);
  expect(new Set(shards.map(({ port }) => port)).size).toBe(2);
});

test("the control token lets commands in from elsewhere", async () => {
  const lines = blockWith("docker compose exec").split("\n");
  const { ready } = await place().start("--host 0.0.0.0 --storage file:data");
  const program = /node -p '(.*)'/.exec(lines.join("\n"))?.[1] ?? "";
  const asked = program.replace("/data", place().file("data"));
  const token = (await place().spawn([process.execPath, "-p", asked]).ended).stdout.trim();
  const last = lines.filter(Boolean).at(-1) ?? "";
  const line = last.replace("npx ", "").replace("4747", String(ready.port));
  const env = { SERVICE_SIM_CONTROL_TOKEN: token };
  expect(await place().shell(line, { env, folder: "elsewhere" })).toMatchObject({ code: 0 });
  expect(await place().shell(line, { folder: "elsewhere" })).toMatchObject({ code: 1 });
});

const { load } = createRequire(import.meta.url)("js-yaml") as { load: (text: string) => unknown };

test("there is a recipe for each way to use it", () => {
  const names = [...textOfPage(PAGE).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(names).toEqual([
    "Beside the program you write",
    "vitest",
    "Playwright",
    "Parallel shards",
    "GitHub Actions",
    "docker compose",
  ]);
});

test("local integration runs as printed", async () => {
  const { code, stdout, stderr } = await place().shell(
    `npx() { "$@"; }\n${blockWith("--fixture payouts-demo")}`,
    { env: { SERVICE_SIM_PORT: "0" } },
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"customerType":"INDIVIDUAL"');
  expect(stdout).toContain("back at fixture payouts-demo");
  expect(stdout).toContain("stopped pid");
});

interface Workflow {
  jobs: { e2e: { steps: { uses?: string; with?: Record<string, unknown> }[] } };
}

test.each([
  { uses: "/service-sim@v0.1.0", file: "action.yml" },
  { uses: "/service-sim/report@v0.1.0", file: "report/action.yml" },
])(
  "the workflow gives $file inputs that it has, and all that it needs",
  ({ uses: wanted, file }) => {
    const { jobs } = load(blockWith("runs-on:")) as Workflow;
    const step = jobs.e2e.steps.find(({ uses }) => uses?.endsWith(wanted));
    const { inputs } = load(readFileSync(file, "utf8")) as {
      inputs: Record<string, { required?: boolean }>;
    };
    const given = Object.keys(step?.with ?? {});
    expect(given.length).toBeGreaterThan(0);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
    const needed = Object.keys(inputs).filter((name) => inputs[name]?.required);
    expect(given).toEqual(expect.arrayContaining(needed));
  },
);

interface Compose {
  services: Record<
    "service-sim" | "shop",
    { volumes: string[]; ports: string[]; environment: Record<string, string> }
  >;
}

test("the simulator of the compose file starts with its variables, as the shop expects it", async () => {
  const { services } = load(blockWith("depends_on:")) as Compose;
  const { volumes, ports, environment } = services["service-sim"];
  expect(volumes).toEqual(["service-sim:/data"]);
  expect(ports).toEqual(["127.0.0.1:4747:4747"]);
  const running = await place().start("--host 0.0.0.0", { env: environment });
  const shop = services.shop.environment;
  const { clientId, clientSecret, apiUrl } = running.ready;
  expect(shop).toEqual({
    SERVICE_SIM_API_URL: `http://service-sim:4747${new URL(apiUrl).pathname}`,
    SERVICE_SIM_CLIENT_ID: clientId,
    SERVICE_SIM_CLIENT_SECRET: clientSecret,
  });
  const { body } = await running.call("GET", "/config");
  expect(body.webhookEndpoint).toBe("http://shop:3000/hooks");
});
