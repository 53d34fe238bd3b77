import { expect, onTestFinished, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";

const place = benchPerTest();

const startAtNine = () => place().start("--clock manual --now 2026-01-05T09:00:00Z");

test("advance 6m tells what fired and what was sent, each at its instant", async () => {
  const simulator = await startAtNine();
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  await simulator.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const { transactionId } = await sendSlowPayment(simulator);
  const { code, stdout, stderr } = await place().run("advance 6m");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines[0]).toBe(
    "clock  2026-01-05 09:00:00Z → 09:06:00Z    +6m, frozen, moves only with advance",
  );
  const rows = lines.filter((line) => line.startsWith("09:06:00")).map((row) => row.split(/ {2,}/));
  expect(rows[0]).toEqual([
    "09:06:00",
    "payment.settle",
    transactionId,
    "COMPLETED, rule quotedPayment.003",
  ]);
  expect(rows[1]).toEqual([
    "09:06:00",
    "→ OUTGOING_PAYMENT.COMPLETED",
    receiver.received.at(-1)?.id,
    expect.stringMatching(/^✓ 200, \d+ ms$/),
  ]);
  expect(lines.at(-2)).toMatch(/^✓ 1 timer fired, [0-9]+ webhook attempts?, 0 open/);
});

test("advance --json prints the reply of the control surface", async () => {
  const simulator = await startAtNine();
  const { transactionId } = await sendSlowPayment(simulator);
  const ended = await place().run("advance --json 6m");
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(documentOf(ended)).toMatchObject({
    from: "2026-01-05T09:00:00.000Z",
    to: "2026-01-05T09:06:00.000Z",
    complete: true,
    mode: "manual",
    fired: [{ at: "2026-01-05T09:06:00.000Z", timer: "payment.settle", subject: transactionId }],
    firedCount: 1,
    webhooks: [],
    webhookCount: 0,
    open: 0,
  });
});

test.each([
  { words: "6m", now: "2026-01-05T09:06:00.000Z" },
  { words: "1h30m", now: "2026-01-05T10:30:00.000Z" },
  { words: "PT6M", now: "2026-01-05T09:06:00.000Z" },
  { words: "7d", now: "2026-01-12T09:00:00.000Z" },
  { words: "--to 2026-02-01T00:00:00Z", now: "2026-02-01T00:00:00.000Z" },
  { words: "--to 2026-01-05T09:00:00Z", now: "2026-01-05T09:00:00.000Z" },
])("advance $words brings the clock to $now", async ({ words, now }) => {
  const { control } = await startAtNine();
  expect(await place().run(`advance ${words}`)).toMatchObject({ code: 0 });
  expect(await control("GET", "/clock")).toMatchObject({ body: { now } });
});

test("advance --next stops at the first thing that happens", async () => {
  const simulator = await startAtNine();
  const { transactionId } = await sendSlowPayment(simulator);
  const ended = await place().run("advance --next --json");
  expect(ended).toMatchObject({ code: 0 });
  expect(documentOf(ended)).toMatchObject({
    to: "2026-01-05T09:06:00.000Z",
    fired: [{ timer: "payment.settle", subject: transactionId }],
  });
});

test("advance --until stops where the record has the status", async () => {
  const simulator = await startAtNine();
  const { transactionId } = await sendSlowPayment(simulator);
  for (const [id, after] of [
    [transactionId, "after 6m; the clock stops at 09:06:00"],
    [transactionId.slice(-6), "already"],
  ]) {
    const { code, stdout, stderr } = await place().run(`advance --until ${id}=COMPLETED`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").at(-2)).toBe(`✓ ${transactionId} is COMPLETED ${after}`);
  }
});

test("advance --until exits 1 when the record ends otherwise, and says how", async () => {
  const simulator = await startAtNine();
  const { transactionId } = await sendSlowPayment(simulator);
  const words = `advance --until ${transactionId}=FAILED`;
  const { code, stderr } = await place().run(words);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      `error  Expected ${transactionId} to be FAILED but found COMPLETED\n` +
      "next   service-sim timers\n",
  });
  const json = await place().run(`${words} --json`);
  expect(json).toMatchObject({ code: 1, stderr: "" });
  expect(documentOf(json)).toMatchObject({
    until: { id: transactionId, wanted: "FAILED", found: "COMPLETED", reached: false },
    error: { code: "UNTIL_NOT_REACHED", exitCode: 1 },
  });
});

const duration = (found: string) =>
  `error  Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "${found}"\n` +
  "next   service-sim advance 6m\n";

const usage = (sentence: string, next: string) => `error  ${sentence}\nnext   ${next}\n`;

test("what cannot be done exits 2, says why, and leaves the clock alone", async () => {
  const { control } = await startAtNine();
  const refused: Record<string, string> = {
    nonsense: duration("nonsense"),
    "6": duration("6"),
    "0m": duration("0m"),
    "-5m": duration("-5m"),
    "--to 2026-01-05T08:59:59Z": usage(
      "Expected an instant after 2026-01-05T09:00:00.000Z but found 2026-01-05T08:59:59Z",
      "service-sim advance 6m      moves the clock forward",
    ),
    "--to tomorrow": usage(
      'Expected an instant like 2026-01-05T09:06:20Z but found "tomorrow"',
      "service-sim clock      shows the current time",
    ),
    "": usage("say how far, for example: advance 6m", "service-sim advance 6m"),
    "6m --to 2026-02-01T00:00:00Z": usage(
      "use only one: a span, --to, --next or --until",
      "service-sim advance 6m",
    ),
    "--next 6m": usage("use only one: a span, --to, --next or --until", "service-sim advance 6m"),
    "--until COMPLETED": usage(
      "--until needs an id and a status, for example: --until Transaction:…9f3c2e=COMPLETED",
      "service-sim advance --until Transaction:…9f3c2e=COMPLETED",
    ),
    "6m 7m": usage(
      'Expected nothing after advance 6m but found "7m"',
      "service-sim advance --help",
    ),
    "6m --budget soon": usage(
      'Expected --budget in milliseconds but found "soon"',
      "service-sim advance 6m --budget 5000",
    ),
  };
  const found = Object.keys(refused).map(async (words) => {
    const { code, stdout, stderr } = await place().run(`advance ${words}`);
    return [words, { code, stdout, stderr }] as const;
  });
  const wanted = Object.entries(refused).map(([words, stderr]) => [
    words,
    { code: 2, stdout: "", stderr },
  ]);
  expect(await Promise.all(found)).toEqual(wanted);
  expect(await control("GET", "/clock")).toMatchObject({
    body: { now: "2026-01-05T09:00:00.000Z" },
  });
});

test("a receiver that never answers spends the budget: exit 1, naming it", async () => {
  const { call } = await startAtNine();
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  receiver.behaviour = () => {};
  await call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const { code, stdout, stderr } = await place().run("advance 6m --budget 300");
  expect(code).toBe(1);
  expect(stdout).toContain("clock  2026-01-05 09:00:00Z → 09:00:00Z ");
  expect(stderr).toContain(`error  no answer in time to `);
  expect(stderr).toContain(` at ${receiver.url}; the clock stops at 2026-01-05T09:00:00.000Z`);
  const json = await place().run("advance 6m --budget 300 --json");
  expect(json).toMatchObject({ code: 1, stderr: "" });
  expect(documentOf(json)).toMatchObject({
    complete: false,
    endpoint: receiver.url,
    to: "2026-01-05T09:00:00.000Z",
  });
  await receiver.stop();
});
