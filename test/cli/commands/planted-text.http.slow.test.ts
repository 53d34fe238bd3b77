import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cameThrough, PLANT, UNSEEN_PLANT } from "../../setup/plants.ts";
import { runInProcess } from "../setup/in-process.ts";
import { type PlantedWorld, plantWorld } from "../setup/planted-world.ts";

let planted: PlantedWorld;
let folder: string;

beforeAll(async () => {
  planted = await plantWorld();
  folder = mkdtempSync(join(tmpdir(), "service-sim-planted-"));
});
afterAll(async () => {
  await planted.close();
  rmSync(folder, { recursive: true });
});

/** All that a command line prints, on both streams. */
const printedBy = async (args: readonly string[]) => {
  const { stdout, stderr } = await runInProcess(args);
  return stdout + stderr;
};

const reaching = (...args: string[]) => printedBy([...args, "--url", planted.url]);

const asked = async (path: string) => (await planted.world.control("GET", path)).body.data;

/** Commands that show records; each runs with color and without. */
const SHOWING: readonly (readonly string[])[] = [
  ["status"],
  ["clock"],
  ["timers"],
  ["requests"],
  ["requests", "--status", "4xx", "--limit", "100"],
  ["webhooks", "list"],
  ["approvals", "list"],
  ["approvals", "mode"],
  ["faults", "list"],
  ["inbox"],
  ["policy", "rows"],
  ["outcomes"],
  ["webhooks", "key"],
];

describe.each(["always", "never"])("with color %s nothing planted comes through", (color) => {
  const shown = async (...args: string[]) => {
    const text = await reaching(...args, "--color", color);
    expect(cameThrough(text)).toEqual([]);
    return text;
  };

  test.each(SHOWING.map((args) => [args.join(" "), args] as const))("%s", async (_, args) => {
    expect(await shown(...args)).not.toBe("");
  });

  test("why, about every record", async () => {
    for (const id of Object.values(planted.ids)) expect(await shown("why", id)).toContain(":");
  });

  test("every request in full", async () => {
    for (const { id } of await asked("/requests?limit=100")) await shown("requests", id);
  });

  test("every webhook in full, with the receiver's answers", async () => {
    for (const { id } of await asked("/webhooks?limit=100")) await shown("webhooks", "show", id);
  });

  test("what is typed is told back without it", async () => {
    await shown("why", PLANT);
    await shown("advance", PLANT);
    await shown("webhooks", "list", "--status", PLANT);
    await shown(PLANT);
    await shown("faults", "add", PLANT, "--status", "503");
    await shown("policy", "explain", PLANT, "--amount", "1", "--to", PLANT);
    await shown("start", "--fixture", PLANT, "--storage", "memory:");
  });

  test("a fixture's names and mistakes", async () => {
    const file = join(folder, `world-${color}.json`);
    writeFileSync(file, JSON.stringify({ name: PLANT, [PLANT]: [{ [PLANT]: PLANT }] }));
    await shown("seed", file);
    writeFileSync(file, `{"a": ${PLANT}`);
    await shown("seed", file);
  });
});

test("texts that commands change are told without it", async () => {
  const { waiting: _kept, approved = "", rejected = "", agent = "", payee = "" } = planted.ids;
  const texts = [
    await reaching("policy", "explain", agent, "--amount", "32500", "--to", payee),
    await reaching("approvals", "approve", approved),
    await reaching("approvals", "reject", rejected, "--reason", PLANT),
    await reaching("webhooks", "resend", "--failed"),
    await reaching("webhooks", "doctor"),
    await reaching("webhooks", "trigger", "TEST"),
    await reaching("webhooks", "vector", "tampered-body"),
    await reaching("oidc", "token", "--email", PLANT, "--sub", PLANT),
    await reaching("advance", "1h"),
    await reaching("why", rejected),
    await reaching("keys", "rotate"),
  ];
  for (const text of texts) expect([cameThrough(text), text === ""]).toEqual([[], false]);
});

test.each([["faults", "list"], ["approvals", "list"], ["requests"], ["status"], ["inbox"]])(
  "--json of %s %s is the same document, with nothing planted in its text",
  async (...args) => {
    const text = await reaching(...args.filter(Boolean), "--json");
    expect(cameThrough(text)).toEqual([]);
    JSON.parse(text);
  },
);

test("--json keeps what was planted", async () => {
  const { data } = JSON.parse(await reaching("approvals", "list", "--json"));
  expect(data[0].agentName).toBe(UNSEEN_PLANT);
  const faults = JSON.parse(await reaching("faults", "list", "--json"));
  expect(faults.data[0].match.path).toBe(`/customers/${PLANT.replaceAll(/\s/g, "")}`);
});

test("what was planted is there to be seen", async () => {
  expect(await reaching("approvals", "list")).toContain("a^{202e}a^{2060}a^{2066}");
  expect(await reaching("faults", "list")).toContain(
    "a^[[31mPLANTEDa^[]0;PLANTED^Ga^{9b}2JPLANTED",
  );
  expect(await reaching("why", planted.ids.waiting ?? "")).toContain("a^{202e}a");
  expect(await reaching("status")).toContain("a^{202e}a");
});
