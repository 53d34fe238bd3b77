import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const JOURNAL = ".service-sim/worlds/sandbox/line-0/journal";
const SEGMENT = `${JOURNAL}/1-1`;

/** Customers of a first run, whose records are the last ones of its only segment. */
let customers: string[];
let lines: string[];
/** The note beside the segment while the run continues. */
let begun: Buffer;

beforeEach(async () => {
  const { call, started } = await place().start();
  customers = [];
  for (let count = 0; count < 5; count += 1) {
    const { body } = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
    customers.push(body.id);
  }
  begun = readFileSync(place().file(JOURNAL, "begun"));
  await started.kill();
  const text = readFileSync(place().file(SEGMENT), "latin1");
  lines = text.split(/(?<=\n)/);
  expect(lines.at(-1)).toContain(customers.at(-1));
});

/** Leaves the note of a run that was killed in place of that of a clean stop. */
const asKilled = () => {
  rmSync(place().file(JOURNAL, "end"));
  writeFileSync(place().file(JOURNAL, "begun"), begun);
};

const statusesOf = async () => {
  const { call, started } = await place().startProcess();
  const answers = customers.map(async (id) => (await call("GET", `/customers/${id}`)).status);
  const statuses = await Promise.all(answers);
  return { statuses, stderr: (await started.kill()).stderr };
};

test.each([
  { torn: "its line end", bytes: () => 1 },
  { torn: "40 bytes", bytes: () => 40 },
  { torn: "all but its first byte", bytes: () => Number(lines.at(-1)?.length) - 1 },
])(
  "a last record without $torn is cut off behind a kill, which is noted, and the rest serves",
  async (row) => {
    asKilled();
    const segment = place().file(SEGMENT);
    const length = lines.join("").length;
    truncateSync(segment, length - row.bytes());
    const left = Number(lines.at(-1)?.length) - row.bytes();
    const atMs = Number(/"at":(\d+)/.exec(lines.at(-2) ?? "")?.[1]);
    expect(await statusesOf()).toEqual({
      statuses: [200, 200, 200, 200, 404],
      stderr:
        `note   removed an unfinished change of ${left} bytes from the journal; ` +
        `${lines.length - 1} changes were read\n` +
        "note   the last run did not stop cleanly: the last change read is number " +
        `${lines.length - 1}, of ${new Date(atMs).toISOString()}; ` +
        "a kill loses no acknowledged change, a power cut without --fsync may\n",
    });
    expect(readFileSync(segment, "latin1")).toBe(lines.slice(0, -1).join(""));
    expect(await statusesOf()).toMatchObject({ stderr: "" });
  },
);

test("behind a clean stop it is missed: exit 4, and nothing changes", async () => {
  const segment = place().file(SEGMENT);
  truncateSync(segment, lines.join("").length - 1);
  const before = stateFiles();
  const { code, stderr } = await place().run("start --port 0");
  expect(code).toBe(4);
  expect(stderr).toContain(`${segment} but found`);
  expect(stderr).toContain("doctor --repair");
  expect(stateFiles()).toEqual(before);
});

/** Every file of the state except its locks: each start adds one. */
const stateFiles = () =>
  readdirSync(place().file(".service-sim"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("lock."))
    .map(({ parentPath, name }) => [name, readFileSync(`${parentPath}/${name}`, "latin1")])
    .sort();

test("a changed byte in the middle exits 4 naming file and byte, and changes nothing", async () => {
  const segment = place().file(SEGMENT);
  const whole = readFileSync(segment);
  const offset = Number(lines[0]?.length) + Number(lines[1]?.length);
  const changed = Buffer.from(whole);
  changed[offset + 100] = 0x7e;
  writeFileSync(segment, changed);
  const before = stateFiles();
  const message =
    `Expected a whole change at byte ${offset} of ${segment} but found a wrong checksum; ` +
    "2 changes before it are intact, nothing changed";

  for (const again of ["first", "second"]) {
    const ended = await place().run("start --port 0 --json");
    expect(ended.code, again).toBe(4);
    expect(ended.stderr).toContain(`error  ${message}\nnext   service-sim `);
    expect(documentOf(ended).error).toMatchObject({
      code: "STATE_DAMAGED",
      message,
      details: { file: segment, offset, wholeRecords: 2 },
      exitCode: 4,
    });
    expect(stateFiles()).toEqual(before);
  }

  writeFileSync(segment, whole);
  expect(await statusesOf()).toEqual({ statuses: [200, 200, 200, 200, 200], stderr: "" });
});

test("doctor --repair keeps what is before the damage, and sets the rest aside", async () => {
  const segment = place().file(SEGMENT);
  const [first = "", second = "", ...others] = lines;
  writeFileSync(segment, first + second + others.join("").replace("INDIVIDUAL", "individual"));
  expect(await place().run("doctor")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `✗ state     a wrong checksum at byte ${first.length + second.length} of ${segment}; ` +
        "2 changes before it are intact\n",
    ),
  });
  const repair = await place().run("doctor --repair --json");
  expect(repair).toMatchObject({ code: 0, stderr: "" });
  const { ok, repaired } = documentOf(repair);
  expect({ ok, repaired }).toMatchObject({
    ok: true,
    repaired: { kept: 2, givenUp: others.length },
  });
  expect(readFileSync(segment, "latin1")).toBe(first + second);
  expect(readdirSync(repaired.asideIn).length).toBeGreaterThan(0);
  expect(await statusesOf()).toEqual({ statuses: [200, 404, 404, 404, 404], stderr: "" });
});

test("a damaged state does not keep a run in memory from working", async () => {
  writeFileSync(place().file(SEGMENT), "garbage\n");
  expect(await place().run("start --port 0")).toMatchObject({ code: 4 });
  expect(await place().start("--storage memory:")).toBeDefined();
});

const IDENTITY = ".service-sim/worlds/sandbox/identity.json";

test("a lost identity exits 4 with the way out; a repair says what changes for whom", async () => {
  const file = place().file(IDENTITY);
  writeFileSync(file, "");
  const message =
    `Expected the secret and keys of this state in ${file} but found an empty file; ` +
    "its clients and receivers know no others, nothing changed";
  const refused = await place().run("start --port 0 --json");
  expect(refused).toMatchObject({
    code: 4,
    stderr:
      `error  ${message}\n` +
      "next   service-sim doctor --repair            move it aside and list the changes\n" +
      "       service-sim start --storage memory:    or run in memory\n",
  });
  expect(documentOf(refused).error).toMatchObject({
    code: "STATE_DAMAGED",
    details: { file, found: "an empty file" },
  });
  const looked = await place().run("doctor");
  expect(looked).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`✗ state     ${message}`),
  });

  const { code, stdout } = await place().run("doctor --repair");
  expect(code).toBe(0);
  expect(stdout).toContain(
    "  the client secret is new: give it to every client; env prints it\n" +
      "  the webhook key is new: give it to every receiver; webhooks key prints it\n",
  );
  expect(await statusesOf()).toMatchObject({ statuses: [200, 200, 200, 200, 200] });
});
