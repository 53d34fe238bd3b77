import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { addChecksums } from "../../../src/runtime/storage/add-checksums.ts";
import { JournalDirectory } from "../../../src/runtime/storage/journal-directory.ts";
import { checkState } from "../../../src/runtime/storage/state-check.ts";
import { openKeyValue } from "../../../src/runtime/storage/storage.ts";
import { isCampaign, runsOf } from "../../setup/campaign.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { fillState, openSmall } from "../setup/filled-state.ts";
import { imageFiles, makeOld, withoutHeader } from "../setup/old-state.ts";
import { imageOf } from "../setup/random-world.ts";

let directory: string;
let before: ReturnType<typeof imageOf>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "seal-state-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  before = imageOf(await fillState(directory));
  await makeOld(directory);
});

const isSealed = () => new JournalDirectory(join(directory, "journal")).isSealed();

const beginnings = async () =>
  (await imageFiles(directory)).map((file) => readFileSync(file, "latin1").slice(0, 19));

/** A world without the record of its upgrade to this version. */
const worldOf = ({ meta, ...rest }: ReturnType<typeof imageOf>) => {
  const { seq: _seq, ...others } = meta;
  return { ...rest, meta: others };
};

test("state of before checksums is read once, and has them from then on", async () => {
  expect(isSealed()).toBe(false);
  for (const text of await beginnings()) expect(text).toMatch(/^\{"/);
  expect(await checkState(directory)).toMatchObject({ passedOver: [] });

  const world = await openSmall(directory);
  expect(worldOf(imageOf(world.engine.state))).toEqual(worldOf(before));
  expect(world.engine.state.seq).toBe(before.meta.seq + 1);
  const { clientSecret } = world.identity;
  await world.close();

  expect(isSealed()).toBe(true);
  expect(await beginnings()).toEqual(Array(3).fill("service-sim image 4"));
  const again = await openSmall(directory);
  expect(again.engine.state.seq).toBe(before.meta.seq + 1);
  expect(again.identity.clientSecret).toBe(clientSecret);
  await again.close();
});

test("from then on the old form is damage, in every file", async () => {
  await (await openSmall(directory)).close();
  const files = await imageFiles(directory);
  const whole = new Map(files.map((file) => [file, readFileSync(file)]));
  for (const file of files) {
    withoutHeader(file);
    const { lost, passedOver } = await checkState(directory);
    expect([lost, ...passedOver].filter(Boolean)).toMatchObject([{ file, found: "no checksum" }]);
    writeFileSync(file, whole.get(file) as Buffer);
  }
});

test("a kill between the rewriting and its record loses nothing", async () => {
  const storage = openKeyValue({ kind: "file", directory });
  await addChecksums(storage, "fixture.json");
  const [first = ""] = await imageFiles(directory);
  withoutHeader(first);
  expect(isSealed()).toBe(false);
  const world = await openSmall(directory);
  expect(worldOf(imageOf(world.engine.state))).toEqual(worldOf(before));
  await world.close();
  expect(await beginnings()).toEqual(Array(3).fill("service-sim image 4"));
});

test("a sealed file with a flipped bit is never taken for an old one", async () => {
  const storage = openKeyValue({ kind: "file", directory });
  await addChecksums(storage, "fixture.json");
  const files = (await imageFiles(directory)).filter((name) => name.includes("checkpoint"));
  expect(files).toHaveLength(2);
  for (const file of files) {
    const whole = readFileSync(file);
    // The header's name, version and kind; image.test.ts tries every other bit. A campaign tries
    // all eight of a byte.
    const bits = Array.from({ length: runsOf(28 * 8, 28) }, (_, at) =>
      isCampaign ? at : 8 * at + (at % 8),
    );
    for (const bit of bits) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      writeFileSync(file, bytes);
      const { passedOver } = await checkState(directory);
      if (passedOver.length !== 1) throw new Error(`Expected bit ${bit} of ${file} to be told`);
    }
    writeFileSync(file, whole);
  }
});

test.each([
  {
    what: "a chunk's checksum is text",
    change: (text: string) => text.replace(/"crc":[0-9]+/, '"crc":"1"'),
  },
  {
    what: "a number is none",
    change: (text: string) => text.replace(/"from":[0-9]+/, '"from":"x"'),
  },
  {
    what: "the state's record is another",
    change: (text: string) => text.replace(/"seq":[0-9]+/, '"seq":1'),
  },
  { what: "nothing is in it", change: () => "{}" },
])("an old manifest is passed over when $what", async ({ change }) => {
  const file = (await imageFiles(directory)).filter((name) => name.includes("checkpoint")).at(-1);
  writeFileSync(file as string, change(readFileSync(file as string, "utf8")));
  expect((await checkState(directory)).passedOver).toEqual([
    { file, found: "members that do not fit" },
  ]);
  const world = await openSmall(directory);
  expect(worldOf(imageOf(world.engine.state))).toEqual(worldOf(before));
  await world.close();
});

test("a fixture of before checksums is kept too, and a reset puts it in", async () => {
  const own = mkdtempSync(join(tmpdir(), "seal-state-"));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  const storage = `file:${own}`;
  const first = await startTestSimulator({ storage, fixture: "payouts-demo" });
  await first.sim.close();
  await makeOld(own);
  const asKept = { seed: undefined, now: undefined } as object;
  const world = await startTestSimulator({ ...asKept, storage });
  expect((await world.control("GET", "/status")).body.fixture).toBe("payouts-demo");
  await world.sim.close();
  const text = readFileSync(join(own, "fixture.json"), "latin1");
  expect(text.slice(0, 27)).toBe("service-sim image 4 fixture");

  writeFileSync(join(own, "fixture.json"), text.replace("payouts", "payoutz"));
  await expect(startTestSimulator({ ...asKept, storage })).rejects.toMatchObject({
    name: "StateDamage",
    part: "fixture",
    file: join(own, "fixture.json"),
    found: "a wrong checksum",
  });
});
