import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, type Ended, Workplace } from "../../setup/cli.ts";
import { copyPacked } from "../../setup/installed.ts";
import { installedBy, installWith, type Manager, ours, TARBALL } from "../../setup/packed.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

let place: Workplace;

const node = (args: readonly string[], folder = "npm") =>
  place.spawn([process.execPath, ...args], { folder }).ended;

/** Output of each manager at the installation. */
const said = {} as Record<Manager, Ended>;

beforeAll(async () => {
  place = new Workplace();
  await copyPacked(place);
  await Promise.all(
    (["npm", "pnpm"] as const).map(async (manager) => {
      said[manager] = await installWith(place, manager);
    }),
  );
});

afterAll(() => place.close());

const RUNNERS_TYPED = `
import { defineConfig } from "vitest/config";
import { expect, test } from "service-sim/vitest";
import type { Simulator } from "service-sim";

export default defineConfig({
  test: {
    globalSetup: "service-sim/vitest/setup",
    provide: { serviceSim: { fixture: "payouts-demo", clock: "manual" } },
  },
});
test("typed", async ({ sim }) => {
  const world: Simulator = sim;
  const { id } = await world.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  await expect(sim).toHaveReceived({ type: "OUTGOING_PAYMENT.COMPLETED", about: id, count: 2 });
  await expect(sim).not.toHaveReceived("TEST");
  await expect(sim).toBalance();
  // @ts-expect-error no webhook has this type
  await expect(sim).toHaveReceived("OUTGOING_PAYMENT.LOST");
});
`;

/** Loads the library by both ways and tells what each gives. */
const BOTH = `
const required = require("service-sim");
import("service-sim").then(async (imported) => {
  const names = Object.keys(imported).filter((name) => !["default", "module.exports"].includes(name));
  const error = await imported.createSimulator({ storage: "floppy:" }).catch((error) => error);
  const sim = await required.createSimulator({ clock: "manual" });
  const { complete } = await sim.advance("6m");
  await sim.close();
  console.log(JSON.stringify({
    names: names.sort(),
    different: Object.keys(required).filter((name) => required[name] !== imported[name]),
    isOurs: error instanceof required.OptionError && error instanceof imported.OptionError,
    message: error.message,
    complete,
  }));
});
`;

describe.each(["npm", "pnpm"] as const)("installed with %s", (manager) => {
  test("it is one package", () => {
    expect(installedBy(place, manager)).toEqual(["service-sim"]);
  });

  test("the installation warns of nothing and asks for no script", () => {
    const { stdout, stderr } = said[manager];
    expect(stderr).toBe("");
    expect(stdout).not.toMatch(/warn|script|deprecated/i);
  });

  test("require and import load the same library", async () => {
    writeFileSync(place.file(manager, "both.cjs"), BOTH);
    const { stdout, stderr } = await node(["both.cjs"], manager);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      names: [
        "ApiError",
        "JournalDamage",
        "JournalFailure",
        "LeftAside",
        "MissingPackage",
        "NoAnswer",
        "OptionError",
        "OtherFormat",
        "ServedElsewhere",
        "SimulatorClosed",
        "StateDamage",
        "StateLocked",
        "StoreRefused",
        "StoreTrouble",
        "TimersFaked",
        "WorldExists",
        "connect",
        "createSimulator",
      ],
      different: [],
      isOurs: true,
      message:
        "Expected storage to be memory:, file:<directory> or " +
        'postgres://<user>:<password>@<host>:<port>/<database> but found "floppy:"',

      complete: true,
    });
  });
});

const JEST = `
const { createSimulator, OptionError, StateLocked } = require("service-sim");

let sim;
beforeEach(async () => {
  sim = await createSimulator({ seed: 7, clock: "manual", fixture: "payouts-demo" });
});
afterEach(() => sim.close());

const authorization = () => "Basic " + btoa(sim.clientId + ":" + sim.clientSecret);

test("calls in the process, time and a port", async () => {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  post.headers.authorization = authorization();
  const body = JSON.stringify({ customerType: "INDIVIDUAL" });
  const made = await sim.fetch(new Request(sim.apiUrl + "/customers", { ...post, body }));
  expect(made.status).toBe(201);
  expect(await sim.advance("6m")).toMatchObject({ complete: true });
  const { url } = await sim.listen();
  const live = await fetch(url + "/_sim/live");
  expect(live.status).toBe(200);
  await live.text();
});

test("parts that are loaded when they are needed", async () => {
  const form = new FormData();
  form.append("file", new Blob(["first_name\\nAda\\n"]), "people.csv");
  const bulk = { method: "POST", headers: { authorization: authorization() }, body: form };
  const reply = await sim.fetch(new Request(sim.apiUrl + "/customers/bulk/csv", bulk));
  expect(reply.status).toBe(202);
  const page = await sim.fetch(new Request(sim.controlUrl + "/docs/guide/getting-started"));
  expect(page.status).toBe(200);
});

test("errors are instances of the exported classes", async () => {
  await expect(createSimulator({ storage: "floppy:" })).rejects.toBeInstanceOf(OptionError);
  const storage = "file:" + __dirname + "/state";
  const owner = await createSimulator({ storage });
  await expect(createSimulator({ storage })).rejects.toBeInstanceOf(StateLocked);
  await owner.close();
});
`;

test("jest runs a test that requires it, without flags", async () => {
  writeFileSync(place.file("npm", "shop.test.js"), JEST);
  const { code, stderr } = await node([ours("jest", "bin", "jest.js"), "--watchman=false", "--ci"]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining("Tests:       3 passed, 3 total"),
  });
});

const TYPED = `
import { type Activity, createSimulator, OptionError, StateLocked } from "service-sim";
import { ApiError, connect } from "service-sim";
import type { LocalSimulator, Simulator, SimulatorOptions } from "service-sim";

const onActivity = (activity: Activity): string => {
  if (activity.kind === "request") return activity.path;
  // @ts-expect-error a webhook is in a state that there is
  if (activity.kind === "webhook" && activity.status === "LOST") return activity.type;
  return activity.kind === "timer" ? activity.subject : activity.id;
};
const options: SimulatorOptions = { seed: 7, clock: "manual", onActivity };
export const use = async () => {
  const sim: LocalSimulator = await createSimulator(options);
  const reply: Response = await sim.fetch(new Request(sim.apiUrl));
  const { to, complete }: { to: string; complete: boolean } = await sim.advance("6m");
  const records: number = sim.status().storage.records;
  const { url, port }: { url: string; port: number } = await sim.listen({ port: 0 });
  await sim.close();
  return { complete, port, records, reply, to, url };
};
const source = { sourceType: "ACCOUNT", accountId: "a" } as const;
const destination = { destinationType: "ACCOUNT", accountId: "b" } as const;
const amounts = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 100 } as const;
/** The same in process and over HTTP. */
export const pay = async (url?: string) => {
  const sim: Simulator = url === undefined ? await createSimulator() : await connect(url, { world: "w" });
  const quote = await sim.call.createQuote({ body: { source, destination, ...amounts } });
  const total: number = quote.totalSendingAmount;
  // @ts-expect-error a quote is never lost
  if (quote.status === "LOST") return total;
  // @ts-expect-error a quote is got by its id
  await sim.call.getQuote();
  // @ts-expect-error an agent has a token
  await sim.call.agentGetMe({});
  // @ts-expect-error a customer has a type
  await sim.call.createCustomer({ body: {} });
  await sim.advanceUntil(quote.transactionId, "COMPLETED");
  const [done] = await sim.webhooks.wait({ type: "OUTGOING_PAYMENT.COMPLETED", count: 2 });
  const id: string | undefined = done?.event.data.id;
  // @ts-expect-error no webhook has this type
  await sim.webhooks.wait({ type: "OUTGOING_PAYMENT.LOST" });
  const fork: Simulator = await sim.fork();
  const records: number = (await fork.status()).storage.records;
  await fork[Symbol.asyncDispose]();
  return { id, records, total };
};
export const refused = (error: unknown) =>
  error instanceof ApiError ? [error.status + 0, error.code.length, error.details["field"]] : [];
export const told = (error: unknown): string | number | undefined =>
  error instanceof OptionError ? error.option : error instanceof StateLocked ? error.owner.pid : 0;
// @ts-expect-error a clock is real or manual
export const wrong: SimulatorOptions = { clock: "sometimes" };
`;

/**
 * Compilers and their module resolutions that must find the declarations. With `isWhole` they check
 * the declarations too: the package must hold every type they name.
 */
const RESOLUTIONS = [
  { by: "typescript-5", module: "CommonJS", moduleResolution: "node10", files: ["typed.ts"] },
  { by: "typescript-5", module: "Node16", files: ["typed.cts", "typed.mts"], isWhole: true },
  { by: "typescript-7", module: "NodeNext", files: ["typed.cts", "typed.mts"], isWhole: true },
  { by: "typescript-7", module: "ESNext", moduleResolution: "Bundler", files: ["typed.ts"] },
];

const COMPILERS: Record<string, string> = {
  "typescript-5": join(ROOT, "test", "foreign", "node_modules", "typescript", "bin", "tsc"),
  "typescript-7": join(ROOT, "node_modules", "typescript", "bin", "tsc"),
};

test.each(RESOLUTIONS)("$by finds its types by $module $moduleResolution", async (resolution) => {
  const { by, files, isWhole = false, ...how } = resolution;
  for (const name of files) writeFileSync(place.file("npm", name), TYPED);
  const options = {
    ...how,
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: !isWhole,
    types: [],
  };
  const config = JSON.stringify({ compilerOptions: options, files });
  writeFileSync(place.file("npm", "tsconfig.json"), config);
  const compiled = await node([COMPILERS[by] ?? "", "-p", "."]);
  expect(compiled).toMatchObject({ code: 0, stdout: "" });
});

/** Entries that vitest imports. */
const ESM_ENTRIES = ["vitest", "vitest/setup", "vitest/coverage-reporter"];

test("what vitest loads has types", async () => {
  symlinkSync(ours("vitest"), place.file("npm", "node_modules", "vitest"));
  writeFileSync(
    place.file("npm", "runners.mts"),
    `${RUNNERS_TYPED}import "service-sim/vitest/setup";\n`,
  );
  const compilerOptions = {
    module: "NodeNext",
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const config = JSON.stringify({ compilerOptions, files: ["runners.mts"] });
  writeFileSync(place.file("npm", "tsconfig.json"), config);
  const compiled = await node([COMPILERS["typescript-7"] ?? "", "-p", "."]);
  expect(compiled).toMatchObject({ code: 0, stdout: "" });
});

test("publint and attw have nothing to say", async () => {
  const tarball = join("..", TARBALL);
  const folder = "npm/checked";
  const publint = await node([ours("publint", "src", "cli.js"), tarball, "--strict"], folder);
  expect(publint).toMatchObject({ code: 0, stdout: expect.stringContaining("All good!") });
  const program = ours("@arethetypeswrong", "cli", "dist", "index.js");
  const required = ["--exclude-entrypoints", ...ESM_ENTRIES];
  const attw = await node([program, tarball, ...required], folder);
  expect(attw).toMatchObject({ code: 0, stdout: expect.stringContaining("No problems found") });
  // vitest itself is made of modules alone: what it loads cannot be required.
  const imported = ["--profile", "esm-only", "--entrypoints", ...ESM_ENTRIES];
  const modules = await node([program, tarball, ...imported], folder);
  expect(modules).toMatchObject({ code: 0, stderr: "" });
});

/** The program of the project, from any folder. */
const program = (words: string, folder: string) =>
  node(
    [place.file("npm/node_modules/service-sim/bin/service-sim.js"), ...words.split(" ")],
    folder,
  );

test.each(["--https", "--tunnel"])(
  "start %s without listhen says what to install, and leaves no state",
  async (option) => {
    const ended = await program(`start ${option} --port 0 --json`, "extras");
    expect(ended.code).toBe(2);
    expect(documentOf(ended).error).toMatchObject({
      code: "USAGE",
      message: `${option} needs the package listhen, which is not installed`,
      next: ["npm install --save-dev listhen"],
    });
    expect(readdirSync(place.file("extras"))).toEqual([]);
  },
);

test("start on PostgreSQL without pg says what to install, and leaves no state", async () => {
  const storage = "postgres://sim:s3cret@127.0.0.1:1/sim";
  const ended = await program(`start --storage ${storage} --port 0 --json`, "extras");
  expect(ended.code).toBe(2);
  expect(documentOf(ended).error).toMatchObject({
    code: "USAGE",
    message: "postgres:// needs the package pg, which is not installed",
    next: ["npm install --save-dev pg"],
  });
  expect(readdirSync(place.file("extras"))).toEqual([]);
});

test("the library without listhen says what to install", async () => {
  const script = `
    const { createSimulator, MissingPackage } = require("service-sim");
    createSimulator().then(async (sim) => {
      const conveniences = { open: false, https: true, qr: false, tunnel: false };
      const error = await sim.listen({ conveniences }).catch((error) => error);
      console.log(error instanceof MissingPackage, error.message);
      await sim.close();
    });`;
  expect((await node(["-e", script])).stdout).toBe(
    "true listen with https needs the package listhen, which is not installed: " +
      "npm install --save-dev listhen\n",
  );
});

const stripsTypes = "typescript" in process.features && process.features.typescript !== false;

test.skipIf(stripsTypes)(
  "a config file in TypeScript asks for jiti, and then finds it",
  async () => {
    mkdirSync(place.file("typed-config"));
    const file = place.file("typed-config", "service-sim.config.ts");
    writeFileSync(file, "export default { seed: 7 as number };\n");
    const refused = await program("outcomes --json", "typed-config");
    expect(refused.code).toBe(2);
    expect(documentOf(refused).error).toMatchObject({
      message: "service-sim.config.ts needs the package jiti, which is not installed",
      next: ["npm install --save-dev jiti"],
    });
    // Installed in the working directory, where a global program has no other place to find it.
    mkdirSync(place.file("typed-config", "node_modules"));
    symlinkSync(ours("jiti"), place.file("typed-config", "node_modules", "jiti"));
    expect(await program("outcomes --json", "typed-config")).toMatchObject({ code: 0, stderr: "" });
  },
);
