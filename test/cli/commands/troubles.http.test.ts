import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

const BALANCE = "INTERNAL_ACCOUNT.BALANCE_UPDATED";

let world: TestSimulator;
let receiver: Receiver;
let url: string;

beforeEach(async () => {
  receiver = await new Receiver().start();
  world = await startTestSimulator({ webhookEndpoint: receiver.url });
  ({ url } = await world.sim.listen());
});

afterEach(async () => {
  await world.sim.close();
  await receiver.stop();
});

const run = async (...args: string[]) => {
  const printed = await runInProcess([...args, "--url", url]);
  return { ...printed, lines: printed.stdout.trimEnd().split("\n") };
};

const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);

// spec/webhooks.md#release
test("what is held is listed, and released", async () => {
  expect(await json("webhooks", "hold", "--type", BALANCE)).toMatchObject({
    do: "hold",
    type: BALANCE,
    met: 0,
  });
  await createPayer(world);
  const { lines } = await run("webhooks", "troubles");
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^Trouble:\S+ +hold +1 +INTERNAL_ACCOUNT\.BALANCE_UPDATED, held until/),
    "~ 1 webhook held",
  ]);
  expect((await run("webhooks", "list")).stdout).toContain("held: webhooks release sends it");
  expect((await run("status")).stdout).toContain("0 accepted, 1 held, 0 retrying");
  const advanced = await run("advance", "1m");
  expect(advanced.code).toBe(0);
  expect(advanced.stdout).toContain("1 open: 1 held: webhooks release sends them");
  expect((await run("webhooks", "release")).lines).toEqual([
    expect.stringMatching(/1 webhook released, 1 trouble ended$/),
  ]);
  await run("advance", "1ms");
  expect(receiver.received.map(({ type }) => type)).toEqual([BALANCE]);
});

test.each([
  { words: ["duplicate"], body: { do: "duplicate", times: 1 } },
  { words: ["reorder", "--times", "3"], body: { do: "reorder", times: 3 } },
  { words: ["reorder", "--any-record"], body: { do: "reorder", anyRecord: true } },
  { words: ["delay", "--by", "30m"], body: { do: "delay", times: 1, byMs: 1_800_000 } },
  { words: ["delay"], body: { do: "delay", times: 1, byMs: 600_000 } },
  { words: ["drop", "--times", "2"], body: { do: "drop", times: 2 } },
])("webhooks $words adds a trouble, and lift ends it", async ({ words, body }) => {
  expect(await json("webhooks", ...words)).toMatchObject(body);
  const { id } = (await world.control("GET", "/webhooks/troubles")).body.data[0];
  expect(await json("webhooks", "lift", id.slice(-6))).toEqual({ lifted: 1, released: 0 });
  expect((await run("webhooks", "troubles")).lines).toEqual(["no troubles"]);
});

test("faults damage answers, and the list says how", async () => {
  await json("faults", "add", "--garble", "--times", "1");
  expect(await json("faults", "add", "--drip", "10/100ms", "--cut-after", "30")).toMatchObject({
    fault: { drip: { bytes: 10, everyMs: 100 }, cutAfterBytes: 30 },
  });
  const { stdout } = await run("faults", "list");
  expect(stdout).toContain("garbles the body");
  expect(stdout).toContain("drips 10 bytes every 100ms, cuts the body after 30 bytes");
});

test("faults limit shows the limit, sets it, and refuses what is none", async () => {
  expect(await json("faults", "limit", "10/s")).toEqual({ limit: "10/s" });
  expect(await json("faults", "limit")).toEqual({ limit: "10/s" });
  const refused = await run("faults", "limit", "many");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    'Expected calls by second, minute or hour like 10/s or 100/m, or none but found "many"',
  );
});

test.each([
  { word: "60x", shown: { mode: "real", speed: 60 } },
  { word: "auto", shown: { mode: "auto" } },
  { word: "run", shown: { mode: "real" } },
  { word: "freeze", shown: { mode: "manual" } },
])("clock $word sets the clock's pace", async ({ word, shown }) => {
  const { mode, speed } = await json("clock", word);
  expect({ mode, ...(speed !== undefined && { speed }) }).toEqual(shown);
});
