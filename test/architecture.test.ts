import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

/** Layers that each layer may import; every layer may import itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  crypto: ["contract/core/stable-words.ts"],
  domain: ["contract", "crypto"],
  runtime: ["contract", "domain"],
  http: ["contract", "domain", "runtime"],
  api: ["contract", "crypto", "domain", "runtime", "http"],
  control: ["contract", "crypto", "domain", "runtime", "http"],
  webhooks: ["contract", "crypto", "domain", "runtime"],
  // Marks, amounts, instants and spans look the same in every command, so their code is shared.
  tui: [
    "contract",
    "control/client.ts",
    "control/feed/event-reader.ts",
    "cli/text/layout.ts",
    "cli/text/marks.ts",
    "cli/text/safe-text.ts",
    "cli/text/screen-codes.ts",
    "cli/text/text-width.ts",
    "domain/core/durations.ts",
    "domain/lifecycles/payment-ends.ts",
  ],
  coverage: ["contract", "crypto", "domain", "runtime", "http", "api", "control"],
  version: [],
  "simulator-options": ["contract", "crypto", "domain", "runtime", "http"],
  "option-forms": ["contract", "crypto", "simulator-options"],
  "jwks-options": ["contract", "domain", "runtime", "control", "simulator-options"],
  "simulator-summary": [],
  // What a test does with a world: calls alone, so that a client loads no server.
  library: [
    "contract",
    "http/loopback.ts",
    "runtime/faked-timers.ts",
    "runtime/host-time.ts",
    "simulator-summary",
  ],
  worlds: [
    "simulator-options",
    "contract",
    "crypto",
    "domain",
    "http",
    "runtime",
    "api",
    "control",
    "webhooks",
    "coverage",
    "version",
  ],
  simulator: [
    "capsules/live-recordings.ts",
    "simulator-options",
    "simulator-summary",
    "option-forms",
    "jwks-options",
    "library",
    "worlds",
    "contract",
    "domain",
    "runtime",
    "http",
    "control",
    "coverage",
    "webhooks",
  ],
  runners: ["library", "simulator", "coverage/coverage-text.ts"],
  capsules: [
    "contract",
    "control",
    "crypto",
    "domain",
    "http",
    "runtime",
    "webhooks",
    "worlds",
    "simulator",
    "simulator-options",
    "version",
  ],
  cli: [
    "capsules",
    "contract",
    "crypto",
    "domain",
    "runtime",
    "http",
    "api",
    "control",
    "webhooks",
    "coverage",
    "tui",
    "simulator",
    "simulator-options",
    "version",
  ],
};

/**
 * Rooms of the layers, each with the rooms of the same layer that it may enter.
 * Files beside the rooms stand above them: they enter every room, and no room imports them.
 */
const ROOMS: Record<string, Record<string, readonly string[]>> = {
  contract: {
    core: [],
    money: ["core"],
    accounts: ["core", "money"],
    wallets: ["core"],
    customers: ["core"],
    platform: ["core", "money"],
    payments: ["core", "money", "accounts", "platform"],
    cards: ["core", "money"],
    agents: ["core", "payments"],
    webhooks: ["core", "accounts", "customers", "platform", "payments", "cards", "agents"],
    control: ["core", "wallets", "platform", "agents", "webhooks"],
  },
  domain: {
    records: [],
    core: ["records"],
    outcomes: ["records", "core"],
    lifecycles: ["core"],
    money: ["core"],
    accounts: ["records", "core", "outcomes", "money"],
    wallets: ["records", "core", "outcomes", "accounts"],
    customers: ["records", "core", "outcomes", "money", "accounts", "wallets"],
    payments: [
      "records",
      "core",
      "outcomes",
      "lifecycles",
      "money",
      "accounts",
      "wallets",
      "customers",
    ],
    cards: [
      "records",
      "core",
      "outcomes",
      "lifecycles",
      "money",
      "accounts",
      "wallets",
      "customers",
    ],
    agents: [
      "records",
      "core",
      "outcomes",
      "lifecycles",
      "money",
      "accounts",
      "wallets",
      "payments",
    ],
    platform: ["records", "core", "lifecycles", "accounts", "wallets", "customers"],
    webhooks: ["records", "core", "money", "accounts", "payments", "platform"],
  },
  api: {
    cards: [],
    core: [],
    customers: [],
    money: [],
    platform: [],
    wallets: [],
    webhooks: [],
    accounts: ["core"],
    agents: ["core"],
    payments: ["core"],
  },
  control: {
    core: [],
    "docs-page": ["core"],
    seed: ["core"],
    scenarios: ["core", "seed"],
    why: ["core"],
    feed: ["core", "why"],
    past: ["core", "why"],
    webhooks: ["core", "why"],
  },
  coverage: {
    exercises: [],
  },
  cli: {
    text: [],
    completion: ["frame"],
    frame: ["text"],
    tasks: ["text", "frame"],
    commands: ["text", "completion", "frame", "tasks"],
  },
};

const MAX_LINES = 400;

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll("\\", "/"))
  .sort();

const textOf = (file: string) => readFileSync(join("src", file), "utf8");

/** `runtime` of `runtime/clock.ts`, `simulator` of `simulator.ts`. */
const layerOf = (file: string) => (file.split("/")[0] as string).replace(/\.ts$/, "");

const IMPORTS = [
  /^\s*(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"/gm,
  /^\s*import\s+"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"\s*\)/g,
];

/** Imports of a file, including types: our files by their path below `src`, without plain texts. */
const importsOf = (file: string) => {
  const text = textOf(file);
  const specifiers = IMPORTS.flatMap((form) => [...text.matchAll(form)].map(([, name]) => name));
  return specifiers
    .filter((name): name is string => name?.startsWith(".") === true && !name.endsWith("?raw"))
    .map((name) => normalize(join(dirname(file), name)));
};

/** Lines of the files that match a forbidden pattern, as `file:line text`. */
const linesWith = (pattern: RegExp, inFiles = files) =>
  inFiles.flatMap((file) =>
    textOf(file)
      .split("\n")
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );

const inLayer = (layer: string) => files.filter((file) => layerOf(file) === layer);

test("the imports are read: the layers are known to be joined in a running world", () => {
  expect(importsOf("worlds/running-world.ts")).toEqual(
    expect.arrayContaining([
      "runtime/storage/open-world.ts",
      "webhooks/dispatcher.ts",
      "version.ts",
    ]),
  );
  expect(importsOf("runtime/engine.ts")).toContain("domain/core/draft.ts"); // by `import type` alone
  expect(files.flatMap(importsOf).filter((file) => !existsSync(join("src", file)))).toEqual([]);
});

test("the folders are the layers", () => {
  const found = new Set(files.map(layerOf));
  const wanted = Object.keys(MAY_IMPORT);
  expect([...found].filter((layer) => !Object.hasOwn(MAY_IMPORT, layer))).toEqual([]);
  expect(wanted.filter((layer) => !found.has(layer))).toEqual([]);
});

test.each(Object.keys(MAY_IMPORT))("%s imports nothing but what it may", (layer) => {
  const allowed = [layer, ...(MAY_IMPORT[layer] ?? [])];
  const broken = inLayer(layer).flatMap((file) =>
    importsOf(file)
      .filter((other) => !allowed.includes(layerOf(other)) && !allowed.includes(other))
      .map((other) => `${file} imports ${other}`),
  );
  expect(broken).toEqual([]);
});

/** `money` of `domain/money/ledger.ts`; undefined for a file beside the rooms of its layer. */
const roomOf = (file: string) => {
  const [, room, name] = file.split("/");
  return name === undefined ? undefined : room;
};

describe.each(Object.entries(ROOMS))("the rooms of %s", (layer, rooms) => {
  test("are its folders", () => {
    const found = new Set(inLayer(layer).map(roomOf));
    expect([...found].filter((room) => room !== undefined).sort()).toEqual(
      Object.keys(rooms).sort(),
    );
  });

  test.each(Object.entries(rooms))("%s enters no room but those it may", (room, entered) => {
    const broken = inLayer(layer)
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => importsOf(file).map((other) => ({ file, other })))
      .filter(({ other }) => layerOf(other) === layer && roomOf(other) !== room)
      .filter(({ other }) => !entered.includes(roomOf(other) ?? "the files beside the rooms"));
    expect(broken.map(({ file, other }) => `${file} imports ${other}`)).toEqual([]);
  });

  test("are entered as listed, so that the list says what is so", () => {
    const unused = Object.entries(rooms).flatMap(([room, entered]) => {
      const used = inLayer(layer)
        .filter((file) => roomOf(file) === room)
        .flatMap(importsOf)
        .filter((other) => layerOf(other) === layer)
        .map(roomOf);
      return entered.filter((other) => !used.includes(other)).map((other) => `${room}: ${other}`);
    });
    expect(unused).toEqual([]);
  });
});

test("the world in time knows nothing of how it is stored", () => {
  const timeless = inLayer("runtime").filter((file) => roomOf(file) !== "storage");
  const stored = timeless.flatMap(importsOf).filter((file) => file.startsWith("runtime/storage/"));
  expect(stored).toEqual([]);
});

test("no room leads back to itself", () => {
  const leadsTo = (layer: string, room: string, seen = new Set<string>()): Set<string> => {
    for (const next of ROOMS[layer]?.[room] ?? [])
      if (!seen.has(next)) leadsTo(layer, next, seen.add(next));
    return seen;
  };
  const circles = Object.entries(ROOMS).flatMap(([layer, rooms]) =>
    Object.keys(rooms).filter((room) => leadsTo(layer, room).has(room)),
  );
  expect(circles).toEqual([]);
});

test("no file imports itself, however far around", () => {
  const done = new Set<string>();
  const cyclesFrom = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(" -> ")];
    if (done.has(file)) return [];
    const cycles = importsOf(file).flatMap((other) => cyclesFrom(other, [...path, file]));
    done.add(file);
    return cycles;
  };
  expect(files.flatMap((file) => cyclesFrom(file, []))).toEqual([]);
});

test("only the command line, the test runners and the replay import the simulator", () => {
  const importers = files.filter((file) => importsOf(file).includes("simulator.ts"));
  const may = ["cli", "runners", "capsules"];
  expect(importers.filter((file) => !may.includes(layerOf(file)))).toEqual([]);
});

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = files.filter((file) => textOf(file).split("\n").length - 1 > MAX_LINES);
  expect(long).toEqual([]);
});

test("files are kebab-case, each named by the question it answers", () => {
  const names = files.map((file) => basename(file));
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(name))).toEqual([]);
  const vague =
    /^(utils?|helpers?|common|manager|service|misc|index)\b|-(utils?|helpers?|manager)\b/;
  expect(names.filter((name) => vague.test(name))).toEqual([]);
});

test("every file of the rules and of the runtime exports something, none is a barrel", () => {
  const silent = [...inLayer("domain"), ...inLayer("runtime")].filter(
    (file) => !/^export /m.test(textOf(file)),
  );
  expect(silent).toEqual([]);
  expect(linesWith(/^export .*\bfrom "/)).toEqual([]);
});

const IMPURE = [
  { what: "looks at the machine's clock", pattern: /Date\.now|new Date\(\)|performance\./ },
  { what: "rolls a die", pattern: /Math\.random|randomBytes|randomUUID|getRandomValues/ },
  { what: "waits", pattern: /\basync\b|\bawait\b|\bPromise\b/ },
  { what: "sets a timer of the machine's", pattern: /setTimeout|setInterval|setImmediate/ },
  { what: "touches the process, files or the network", pattern: /\bprocess\.|"node:|\bfetch\(/ },
];

test.each(IMPURE)("no rule $what", ({ pattern }) => {
  expect(linesWith(pattern, inLayer("domain"))).toEqual([]);
});

/** The files that take the machine's time; every other file of the library asks them. */
const TAKES_TIME = ["runtime/host-time.ts", "runtime/host-globals.ts", "runtime/faked-timers.ts"];

/** Time and chance that tests fake, unless they come from `hostTime`. */
const PAST_HOST_TIME = new RegExp(
  [
    String.raw`(?<![.\w])(?:globalThis\.)?(?:set|clear)(?:Timeout|Interval|Immediate)\b`,
    String.raw`\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bperformance\.|node:perf_hooks`,
    String.raw`(?<!["\w])(?:nextTick|queueMicrotask)\b|\bhrtime\b|\bAbortSignal\.timeout\b`,
    String.raw`node:timers|\bMath\.random\b`,
  ].join("|"),
);

const reachesPastHostTime = (line: string) =>
  !/^\s*(?:\/\/|\/?\*)/.test(line) && PAST_HOST_TIME.test(line);

test("the library takes time and timers from one place, which faked timers do not reach", () => {
  const library = files.filter(
    (file) => !["cli", "tui"].includes(layerOf(file)) && !TAKES_TIME.includes(file),
  );
  const broken = library.flatMap((file) =>
    textOf(file)
      .split("\n")
      .filter(reachesPastHostTime)
      .map((line) => `${file} ${line.trim()}`),
  );
  expect(broken).toEqual([]);
});

test.each([
  "const nowMs = Date.now();",
  "const now = new Date();",
  "const text = Date();",
  'import { performance } from "node:perf_hooks";',
  "const startedMs = performance.now();",
  "const timer = setTimeout(run, 5);",
  "const pause = promisify(setTimeout);",
  "globalThis.setInterval(run, 5);",
  "clearInterval(timer);",
  "new Promise((resolve) => setImmediate(resolve));",
  "clearImmediate(waiting);",
  "process.nextTick(run);",
  "queueMicrotask(run);",
  "const startedNs = process.hrtime.bigint();",
  "const signal = AbortSignal.timeout(5000);",
  'import { setTimeout as pause } from "node:timers/promises";',
  "const share = Math.random();",
])("reaching past it is noticed: %s", (line) => {
  expect(reachesPastHostTime(line)).toBe(true);
});

test.each([
  "hostTime.setTimeout(run, 5);",
  "const nowMs = hostTime.nowMs();",
  "const text = new Date(atMs).toISOString();",
  "sent.setTimeout(timeoutMs, () => sent.destroy());",
  "/** Longest delay that `setTimeout` accepts. */",
])("keeping to it is not: %s", (line) => {
  expect(reachesPastHostTime(line)).toBe(false);
});

test("nothing in the sources points at the machine they were written on, or is left undone", () => {
  expect(linesWith(/\/work\/|\/root\b|\/home\//)).toEqual([]);
  expect(linesWith(/\bTODO\b|\bFIXME\b|\bXXX\b/)).toEqual([]);
});

/**
 * Places that read the environment: by default `connect` takes an address from it, and a variable
 * names the folder for the counts of every process of a run, libraries included.
 */
const TALKS_TO_PROCESS = ["cli", "runners", "library/connect.ts", "coverage/coverage-file.ts"];

test("only the command line talks to the process that runs it", () => {
  const others = files.filter(
    (file) => ![file, layerOf(file)].some((one) => TALKS_TO_PROCESS.includes(one)),
  );
  expect(linesWith(/process\.(exit|argv|env|stdout|stderr|stdin)\b|console\./, others)).toEqual([]);
});
