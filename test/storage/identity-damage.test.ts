import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { repairState } from "../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../src/storage/file/doctor/state-check.ts";
import { decodeChecked } from "../../src/storage/format/checked-file.ts";
import { readIdentityFile } from "../setup/identity-file.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "./setup/reopen.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let directory: StateDirectory;
let file: string;
let whole: Buffer;

beforeEach(async () => {
  directory = new StateDirectory();
  file = directory.world("identity.json");
  const options = { storage: directory.url, clientId: "acme", seed: "kept-seed" };
  const { call, sim } = await startTestSimulator(options);
  await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await sim.close();
  whole = readFileSync(file);
});

afterEach(() => directory.remove());

const flipped = (bit: number) => {
  const bytes = Buffer.from(whole);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  return bytes;
};

const messageOf = (found: string) =>
  `Expected the secret and keys of this state in ${file} but found ${found}; ` +
  "its clients and receivers know no others, nothing changed";

const damages: { what: string; damage: () => void; found: string }[] = [
  { what: "missing", damage: () => rmSync(file), found: "no file" },
  { what: "empty", damage: () => writeFileSync(file, ""), found: "an empty file" },
  { what: "zeroed", damage: () => writeFileSync(file, Buffer.alloc(900)), found: "no header" },
  {
    what: "cut",
    damage: () => writeFileSync(file, whole.subarray(0, 500)),
    found: "a wrong length",
  },
  {
    what: "flipped",
    damage: () => writeFileSync(file, flipped(8 * 300)),
    found: "a wrong checksum",
  },
  {
    what: "without its header",
    damage: () => writeFileSync(file, JSON.stringify(readIdentityFile(file))),
    found: "no header",
  },
];

test.each(damages)("an identity that is $what beside records is refused by name", async (row) => {
  row.damage();
  const bytes = existsSync(file) ? readFileSync(file) : undefined;
  for (const secret of [{}, { clientSecret: "given" }])
    await expect(createSimulator({ storage: directory.url, ...secret })).rejects.toMatchObject({
      name: "StateDamage",
      file,
      found: row.found,
      message: messageOf(row.found),
    });
  expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(bytes);
  expect((await checkState(directory.path)).lost?.message).toBe(messageOf(row.found));
});

test("no flipped bit of an identity is taken", () => {
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const read = decodeChecked("identity", flipped(bit));
    if (!("found" in read)) throw new Error(`Expected bit ${bit} to be noticed`);
  }
});

test("a repair makes a new identity, keeps what the records know, and says what changes", async () => {
  const old = readIdentityFile(file);
  writeFileSync(file, "");
  const repaired = await repairState(directory.path);
  expect(repaired).toEqual({
    kept: 2,
    givenUp: 0,
    asideIn: join(directory.path, "damaged", "2"),
    changes: [
      "the client secret is new: give it to every client; env prints it",
      "the webhook key is new: give it to every receiver; webhooks key prints it",
      "retired webhook keys are lost: older signatures can no longer be checked",
      "the issuer key is new: ID tokens issued before are rejected",
      "the seed is kept, from the records: kept-seed",
    ],
  });
  expect(readFileSync(join(directory.path, "damaged", "2", "identity.json"), "utf8")).toBe("");

  const { sim, call, control } = await reopen(directory);
  expect(sim).toMatchObject({ clientId: "acme", opened: { seed: "kept-seed" } });
  expect(sim.clientSecret).not.toBe(old.clientSecret);
  expect(readIdentityFile(file).webhookKeyPem).not.toBe(old.webhookKeyPem);
  expect((await call("GET", "/customers")).body.totalCount).toBe(1);
  expect((await control("GET", "/clock")).body.mode).toBe("manual");
  await sim.close();
  expect(await repairState(directory.path)).toBeUndefined();
});

test("state without a record gets a new identity in place of a damaged one", async () => {
  rmSync(directory.journal, { recursive: true });
  writeFileSync(file, "garbage");
  const { sim } = await startTestSimulator({ storage: directory.url });
  expect(sim.opened.isNew).toBe(true);
  await sim.close();
  expect(readIdentityFile(file).clientSecret).toBe(sim.clientSecret);
});

test("one repair mends a damaged journal, identity and fixture", async () => {
  const segment = directory.segment("1-1");
  const [first = ""] = readFileSync(segment, "latin1").split(/(?<=\n)/);
  writeFileSync(segment, `${first}garbage\n`, "latin1");
  writeFileSync(file, "garbage");
  writeFileSync(directory.world("fixture.json"), "garbage");
  const repaired = await repairState(directory.path);
  expect(repaired).toMatchObject({ kept: 1, givenUp: 1 });
  expect(repaired?.changes).toHaveLength(6);
  expect(repaired?.changes).toContain(
    "the fixture is lost: a reset brings back the world without it",
  );
  expect(await checkState(directory.path)).toEqual({
    records: 1,
    tornBytes: 0,
    passedOver: [],
    damagedFolders: [],
    toldFolders: [],
  });
  const { sim } = await reopen(directory);
  await sim.close();
});
