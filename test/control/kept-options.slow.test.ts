import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SimulatorStatus } from "../../src/contract/control/status.ts";
import { type Change, encodeChange } from "../../src/runtime/change.ts";
import { createSimulator, type SimulatorOptions } from "../../src/simulator.ts";
import { encodeChecked } from "../../src/storage/format/checked-file.ts";
import { readIdentityFile } from "../setup/identity-file.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

let directory: StateDirectory;
let world: TestSimulator;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

/** Defaults that a later revision has, and the key that it shows. */
const LATER_DEFAULTS = {
  cardEvents: "upper",
  walletCredential: "email",
  otpSignerPublicKey: expect.stringMatching(/^04[0-9a-f]{128}$/),
};

const DEFAULTS = {
  crypto: "both",
  walletCredential: "none",
  approvals: "ask",
  cardEvents: "lower",
  revision: "2025-10",
  endUserTerms: "off",
  codes: "fixed",
  webhookSignature: "base64",
  oidcIssuers: [],
  sandboxUmaDomains: ["sandbox.uma.test"],
  rateLimit: "none",
  clock: "real",
  clientId: "sandbox",
  webhookKey: expect.stringMatching(/^[0-9a-f]{8}$/),
};

/** One row per option: as a start gives it, as status shows it, and another value. */
const OPTIONS: {
  option: keyof SimulatorOptions;
  value: unknown;
  other: unknown;
  shown?: keyof SimulatorStatus["settings"];
}[] = [
  { option: "crypto", value: "strict", other: "magic-only" },
  { option: "walletCredential", value: "email", other: "none" },
  { option: "approvals", value: "reject", other: "approve" },
  { option: "cardEvents", value: "upper", other: "lower" },
  { option: "revision", value: "2026-08", other: "2025-10" },
  { option: "endUserTerms", value: "required", other: "off" },
  { option: "codes", value: "424242", other: "random" },
  { option: "webhookSignature", value: "json", other: "base64" },
  { option: "oidcIssuers", value: ["https://a.test"], other: [] },
  { option: "sandboxUmaDomains", value: ["uma.a.test"], other: ["uma.b.test"] },
  { option: "rateLimit", value: "10/s", other: "100/m" },
  { option: "clock", value: "manual", other: "real" },
  { option: "clock", value: "60x", other: "auto" },
  { option: "clientId", value: "ada", other: "ben" },
  {
    option: "webhookEndpoint",
    value: "http://127.0.0.1:9/a",
    other: "http://127.0.0.1:9/b",
  },
];

const settings = async () => (await world.control("GET", "/status")).body.settings;

const again = async (options: SimulatorOptions = {}) => {
  await world.sim.close();
  const { url: storage } = directory;
  const unsaid = { clock: undefined } as unknown as SimulatorOptions;
  world = await reopen(directory, { ...unsaid, ...options, storage });
};

test("status lists every setting that a start decides, as it is in force", async () => {
  world = await startTestSimulator({ clock: "real" });
  expect(await settings()).toEqual(DEFAULTS);
});

describe.each(OPTIONS)("$option is kept with the state", ({ option, value, other }) => {
  test("over a restart and a reset that do not say it; a start that says it outranks it", async () => {
    world = await startTestSimulator({ storage: directory.url, clock: "real", [option]: value });
    expect((await settings())[option]).toEqual(value);
    await again();
    expect((await settings())[option]).toEqual(value);
    await world.control("POST", "/reset");
    expect((await settings())[option]).toEqual(value);
    await again({ [option]: other });
    expect((await settings())[option]).toEqual(other);
    await world.control("POST", "/reset");
    await again();
    expect((await settings())[option]).toEqual(other);
  });

  test("and does not touch the others", async () => {
    world = await startTestSimulator({ storage: directory.url, clock: "real" });
    await again({ [option]: value });
    const kept = { ...DEFAULTS, ...(option === "revision" && LATER_DEFAULTS), [option]: value };
    expect(await settings()).toEqual(kept);
    await world.control("POST", "/reset");
    expect(await settings()).toEqual(kept);
  });
});

test("client secret and webhook key are kept, and a start outranks them", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const webhookKey = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  world = await startTestSimulator({ storage: directory.url, clientSecret: "one" });
  const { webhookPublicKey } = world.sim;
  await again();
  expect(world.sim).toMatchObject({ clientSecret: "one", webhookPublicKey });
  await again({ clientSecret: "two", webhookKey });
  const { webhookPublicKey: given } = world.sim;
  expect(given).not.toBe(webhookPublicKey);
  await again();
  expect(world.sim).toMatchObject({ clientSecret: "two", webhookPublicKey: given });
  expect((await world.call("GET", "/config")).status).toBe(200);
});

test("GET /config shows none of it", async () => {
  world = await startTestSimulator({ webhookSignature: "json", crypto: "strict" });
  expect(Object.keys((await world.call("GET", "/config")).body).sort()).toEqual([
    "createdAt",
    "id",
    "isRegulatedFinancialInstitution",
    "supportedCurrencies",
    "umaDomain",
    "updatedAt",
  ]);
});

test("an empty list of UMA domains goes back to the default", async () => {
  world = await startTestSimulator({ storage: directory.url, sandboxUmaDomains: ["uma.a.test"] });
  await again({ sandboxUmaDomains: [] });
  expect((await settings()).sandboxUmaDomains).toEqual(["sandbox.uma.test"]);
});

test("an operation changes it until the next reset; a restart keeps the change", async () => {
  world = await startTestSimulator({ storage: directory.url, approvals: "reject" });
  await world.control("PUT", "/approvals", { mode: "ask" });
  await again();
  expect((await settings()).approvals).toBe("ask");
  await world.control("POST", "/reset");
  expect((await settings()).approvals).toBe("reject");
});

test("a start that says what is kept already writes nothing", async () => {
  const said = { crypto: "strict", webhookEndpoint: "http://127.0.0.1:9/a" } as const;
  world = await startTestSimulator({ storage: directory.url, ...said });
  const { records } = world.sim.status().storage;
  await again(said);
  expect(world.sim.status().storage.records).toBe(records);
});

/** A journal of a version in which a world did not keep the options of its starts. */
const withoutOpening = (journal: string) =>
  journal
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const change = JSON.parse(line.slice(line.indexOf("{"))) as Change;
      for (const [kind, record] of change.put ?? [])
        if (kind === "PlatformConfig") delete record.opening;
      return encodeChange(change);
    })
    .join("");

test("state from before the settings were kept continues with those it has, also after a reset", async () => {
  world = await startTestSimulator({ storage: directory.url, crypto: "strict" });
  await world.sim.close();
  const [segment = ""] = directory.segments();
  const text = readFileSync(directory.segment(segment), "utf8");
  directory.write(segment, Buffer.from(withoutOpening(text)));
  const file = directory.world("identity.json");
  const { openedAtMs: _opened, ...identity } = readIdentityFile(file);
  writeFileSync(file, encodeChecked("identity", identity));
  world = await reopen(directory);
  expect((await settings()).crypto).toBe("strict");
  await world.control("POST", "/reset");
  expect((await settings()).crypto).toBe("strict");
  expect(world.sim.status().now).toBe("2026-01-05T09:00:00.000Z");
});

test("a simulator in memory takes all of them at once", async () => {
  const said = Object.fromEntries(OPTIONS.map(({ option, value }) => [option, value]));
  const sim = await createSimulator(said);
  expect(sim.status().settings).toMatchObject(said);
  await sim.close();
  world = await startTestSimulator();
});
