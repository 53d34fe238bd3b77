import { expect, test } from "vitest";
import { formatReset } from "../../../src/cli/commands/reset.ts";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";
import { styleOn } from "../setup/styles.ts";

const place = benchPerTest();

test("it says what the world is now and what went", async () => {
  const reply = {
    world: "sandbox",
    fixture: "default",
    seed: "7",
    dropped: { records: 1204, timers: 1, webhooks: 41 },
  };
  expect(formatReset(reply, { tookMs: 5.7, style: await styleOn(false) })).toEqual([
    "✓ world sandbox is back at fixture default, seed 7    6 ms",
    "  dropped 1,204 records, 1 timer, 41 webhooks; credentials and webhook key stay",
    "  service-sim snapshot load before-reset    undoes the reset",
  ]);
});

test("the world is back at its start, and what was there is gone", async () => {
  const simulator = await place().start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
  const { transactionId } = await sendSlowPayment(simulator);
  await place().run("advance 1m");
  const { code, stdout, stderr } = await place().run("reset");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^✓ world sandbox is back at fixture default, seed 7 {4}[0-9]+ ms\n/);
  expect((await simulator.call("GET", "/customers")).body.totalCount).toBe(0);
  expect((await place().run("clock")).stdout).toContain("2026-01-05 09:00:00Z");
  expect(await place().run(`why ${transactionId}`)).toMatchObject({ code: 1 });
  const again = await place().run("reset --json");
  expect(documentOf(again)).toMatchObject({
    world: "sandbox",
    seed: "7",
    dropped: { timers: 0, webhooks: 0 },
  });
});

test("without a simulator it exits 3", async () => {
  expect(await place().run("reset")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no simulator is running"),
  });
});
