import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { MAY_IMPORT } from "./setup/layers.ts";
import { files, inLayer, layerOf, linesWith, textOf } from "./setup/source-files.ts";

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
    payments: ["core", "money", "accounts", "platform", "cards"],
    cards: ["core", "money"],
    agents: ["core", "payments"],
    webhooks: ["core", "accounts", "customers", "platform", "payments", "cards", "agents"],
    control: ["core", "wallets", "platform", "agents", "webhooks"],
  },
  http: {
    // The parts of a request and of a reply, wherever they come from.
    message: [],
    sockets: ["message"],
    body: ["message"],
    log: [],
    hop: ["message", "sockets", "body"],
    door: ["message", "body", "log"],
    openapi: ["door"],
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
      "cards",
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
    cards: ["core"],
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
    seed: ["core"],
    why: ["core"],
    feed: ["core", "why"],
    past: ["core", "why"],
    webhooks: ["core", "why"],
  },
  coverage: {
    exercises: [],
  },
  storage: {
    port: [],
    format: ["port"],
    engine: ["port", "format"],
    postgres: ["port", "engine"],
    world: ["port", "format"],
    file: ["port", "format", "world"],
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

test("the imports are read: the layers are known to be joined in a running world", () => {
  expect(importsOf("worlds/running-world.ts")).toEqual(
    expect.arrayContaining(["storage/open-world.ts", "webhooks/collected.ts", "version.ts"]),
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

/** `domain/core` of `domain/core/draft.ts`. */
const placeOf = (file: string) => dirname(file).split("/").slice(0, 2).join("/");

test.each(Object.keys(MAY_IMPORT))(
  "%s imports nothing but what it may, all of it below",
  (layer) => {
    const listed = MAY_IMPORT[layer] ?? [];
    const layers = Object.keys(MAY_IMPORT);
    const below = layers.slice(0, layers.indexOf(layer));
    expect(listed.filter((one) => !below.includes(one.split("/")[0] ?? ""))).toEqual([]);
    const imports = inLayer(layer)
      .flatMap((file) => importsOf(file).map((other) => ({ file, other })))
      .filter(({ other }) => layerOf(other) !== layer);
    const broken = imports.filter(
      ({ other }) => !listed.includes(layerOf(other)) && !listed.includes(placeOf(other)),
    );
    expect(broken.map(({ file, other }) => `${file} imports ${other}`)).toEqual([]);
    const met = new Set(imports.flatMap(({ other }) => [layerOf(other), placeOf(other)]));
    expect(listed.filter((one) => !met.has(one))).toEqual([]);
  },
);

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
  const may = ["cli", "runners", "replay"];
  expect(importers.filter((file) => !may.includes(layerOf(file)))).toEqual([]);
});

test("one file makes the servers, so that none of them drops headers", () => {
  const makers = files.filter((file) =>
    /\bcreateServer\b[^;]*from "node:http|\bcreate(Secure)?Server\b[^;]*from "node:http[s2]/.test(
      textOf(file),
    ),
  );
  expect(makers).toEqual(["http/sockets/http-server.ts"]);
});

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("/node_modules/"));
  const all = [...files.map((file) => `src/${file}`), ...tests];
  expect(all.length).toBeGreaterThan(1_500);
  const long = all.filter((file) => readFileSync(file, "utf8").split("\n").length - 1 > MAX_LINES);
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
  // The entry of the package names what it publishes.
  const others = linesWith(/^export .*\bfrom "/).filter(
    (line) => !line.startsWith("simulator.ts:"),
  );
  expect(others).toEqual([]);
});
