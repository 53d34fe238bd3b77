import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatWebhooks } from "../../../src/cli/commands/webhooks/list.ts";
import { formatResent } from "../../../src/cli/commands/webhooks/resend.ts";
import { formatWebhook } from "../../../src/cli/commands/webhooks/show.ts";
import { formatWait } from "../../../src/cli/commands/webhooks/wait.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import type { Webhook, WholeWebhook } from "../../../src/contract/control/webhooks.ts";
import { documentOf, type RunningCli } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";
import { styleOn } from "../setup/styles.ts";
import { Workbench } from "../setup/workbench.ts";

const WEBHOOK = "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8";
const PAYMENT = "Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e";

const ALL = { line: "service-sim webhooks list", isFiltered: false };

const webhook: Webhook = {
  id: WEBHOOK,
  type: "OUTGOING_PAYMENT.COMPLETED",
  about: PAYMENT,
  status: 200,
  state: "ACCEPTED",
  attempt: 2,
  createdAt: "2026-01-05T09:06:12.000Z",
  sentAt: "2026-01-05T09:06:12.000Z",
  tookMs: 4,
};

describe("what they print", () => {
  let short: Style;

  beforeAll(async () => {
    short = await styleOn(true);
  });

  test("list: one row each, newest first, in columns below their heads", () => {
    const data: Webhook[] = [
      webhook,
      { ...webhook, type: "INTERNAL_ACCOUNT.BALANCE_UPDATED", status: 409, attempt: 1 },
    ];
    expect(formatWebhooks({ data, hasMore: true, nextCursor: "abc" }, ALL, short)).toEqual([
      "CREATED   WEBHOOK  TYPE                              RESULT",
      "09:06:12  …0c41d8  OUTGOING_PAYMENT.COMPLETED        ✓ 200, attempt 2",
      "09:06:12  …0c41d8  INTERNAL_ACCOUNT.BALANCE_UPDATED  ✓ 409, duplicate",
      "older: service-sim webhooks list --cursor abc",
    ]);
    const none = { data: [], hasMore: false };
    const retried = { ...webhook, sentAt: "2026-01-06T09:06:13.000Z" };
    expect(formatWebhooks({ data: [webhook, retried], hasMore: false }, ALL, short)).toEqual([
      "CREATED         WEBHOOK  TYPE                        RESULT",
      "01-05 09:06:12  …0c41d8  OUTGOING_PAYMENT.COMPLETED  ✓ 200, attempt 2",
      "01-05 09:06:12  …0c41d8  OUTGOING_PAYMENT.COMPLETED  ✓ 200, attempt 2, at 01-06 09:06:13",
    ]);
    expect(formatWebhooks(none, ALL, short)).toEqual(["no webhook yet"]);
    expect(formatWebhooks(none, { ...ALL, isFiltered: true }, short)).toEqual([
      "no matching webhook",
    ]);
  });

  test.each<{ differs: Partial<Webhook>; result: string }>([
    { differs: { attempt: 0, status: null, state: "WAITING" }, result: "~ waiting" },
    {
      differs: {
        attempt: 8,
        status: 503,
        state: "RETRYING",
        nextAttemptAt: "2026-01-05T09:08:23.000Z",
      },
      result: "~ 503, attempt 8, next at 09:08:23",
    },
    {
      differs: { attempt: 160, status: null, state: "GIVEN_UP", error: "ECONNREFUSED" },
      result: "✗ ECONNREFUSED, attempt 160, given up",
    },
    {
      differs: { attempt: 0, status: null, state: "UNDELIVERABLE" },
      result: "- not sent, no endpoint",
    },
    {
      differs: { attempt: 0, status: null, state: "GIVEN_UP", reason: "outbox full" },
      result: "✗ given up: outbox full",
    },
    {
      differs: { attempt: 3, status: 503, state: "GIVEN_UP", reason: "outbox full" },
      result: "✗ 503, attempt 3, given up: outbox full",
    },
    { differs: { attempt: 2, status: 500 }, result: "✓ accepted, then 500, attempt 2" },
  ])("a result reads $result", ({ differs, result }) => {
    const [, row = ""] = formatWebhooks(
      { data: [{ ...webhook, ...differs }], hasMore: false },
      ALL,
      short,
    );
    expect(row.slice(row.indexOf("COMPLETED") + "COMPLETED  ".length)).toBe(result);
  });

  test("show: cause, attempts, signature, and the body indented", () => {
    const whole: WholeWebhook = {
      ...webhook,
      cause: {
        kind: "timer",
        id: `payment.settle ${PAYMENT}`,
        timer: "payment.settle",
        subject: PAYMENT,
        rule: "quotedPayment.003",
      },
      attempts: [
        {
          attempt: 1,
          at: "2026-01-05T09:06:12.000Z",
          status: 500,
          tookMs: 9,
          reply: "db\n\u001bdown",
        },
        { attempt: 2, at: "2026-01-05T09:06:13.000Z", status: 200, tookMs: 4, reply: "" },
      ],
      headers: { "X-Service-Signature": "MEUCIQDx9kV0abcdefghijklm3Zk3Q==" },
      signature: { key: "5d0a91c7", valid: true },
      body: '{"id":"Webhook:1"}',
    };
    expect(formatWebhook(whole, short)).toEqual([
      `${WEBHOOK}    OUTGOING_PAYMENT.COMPLETED    ACCEPTED`,
      `about      ${PAYMENT}`,
      "because    timer payment.settle, test rule quotedPayment.003",
      'attempts   1  09:06:12  ✗ 500  9 ms  "db\\n\\u001bdown"',
      "           2  09:06:13  ✓ 200  4 ms",
      "signature  X-Service-Signature: MEUCIQDx9kV0…m3Zk3Q==    --raw prints it all",
      "           verifies with key 5d0a91c7; the PEM is at /_sim/webhooks/key",
      "body       18 bytes, shown indented    --body prints the exact bytes",
      "{",
      '  "id": "Webhook:1"',
      "}",
    ]);
  });

  test("resend and wait: how it went, in a line", () => {
    expect(formatResent(webhook, short)).toEqual([
      "✓ 200  4 ms  Webhook:…0c41d8  OUTGOING_PAYMENT.COMPLETED, attempt 2",
    ]);
    expect(formatResent({ ...webhook, status: null, error: "ECONNREFUSED" }, short)).toEqual([
      "✗ ECONNREFUSED  4 ms  Webhook:…0c41d8  OUTGOING_PAYMENT.COMPLETED, attempt 2",
    ]);
    const lines = formatWait({ data: [webhook], hasMore: false, count: 1 }, short);
    expect(lines.at(-1)).toBe("✓ 1 webhook accepted");
  });
});

describe("with a simulator and a receiver", () => {
  let place: Workbench;
  let simulator: RunningCli;
  let receiver: Receiver;
  let completed: string;

  beforeAll(async () => {
    place = new Workbench();
    simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
    receiver = await new Receiver().start();
    await simulator.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    await sendSlowPayment(simulator);
    await place.run("advance 6m");
    const listed = await place.run("webhooks list --type OUTGOING_PAYMENT.COMPLETED --json");
    completed = documentOf(listed).data[0].id;
  });

  afterAll(async () => {
    await place.close();
    await receiver.stop();
  });

  test("list filters, and says where to continue", async () => {
    const ended = await place.run("webhooks list --state ACCEPTED --limit 2 --json");
    const { data, hasMore, nextCursor } = documentOf(ended);
    expect({ count: data.length, hasMore }).toEqual({ count: 2, hasMore: true });
    const next = documentOf(
      await place.run(`webhooks list --state ACCEPTED --cursor ${nextCursor} --limit 2 --json`),
    );
    expect(next.data.map(({ id }: { id: string }) => id)).not.toContain(data[0].id);
    const { stdout } = await place.run("webhooks list --type TEST");
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).at(-1))).toEqual([
      "RESULT",
      "✓ 200",
      "",
    ]);
  });

  test("list about a record takes its short id", async () => {
    const { about } = documentOf(await place.run(`webhooks show ${completed} --json`));
    const ended = await place.run(`webhooks list --about ${about.slice(-6)} --json`);
    expect(documentOf(ended).data.map(({ type }: { type: string }) => type)).toEqual([
      "OUTGOING_PAYMENT.COMPLETED",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.PENDING",
    ]);
  });

  test("show --body prints the very bytes the receiver got, and nothing else", async () => {
    const got = receiver.received.find(({ id }) => id === completed);
    const { code, stdout, stderr } = await place.run(`webhooks show ${completed.slice(-6)} --body`);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: got?.body, stderr: "" });
    const raw = await place.run(`webhooks show ${completed} --raw`);
    expect(raw.stdout).toBe(
      `content-type: application/json\nX-Service-Signature: ${got?.signature}\n\n${got?.body}`,
    );
  });

  test("show --json is the control surface's reply", async () => {
    const { body } = await simulator.control("GET", `/webhooks/${completed}`);
    expect(documentOf(await place.run(`webhooks show ${completed} --json`))).toEqual(body);
  });

  test("show takes one form at a time", async () => {
    const { code, stderr } = await place.run(`webhooks show ${completed} --body --json`);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("use only one of --body, --raw and --json"),
    });
  });

  test("resend exits 0 when it is taken, 1 when it is not", async () => {
    const before = receiver.received.length;
    const taken = await place.run(`webhooks resend ${completed.slice(-6)}`);
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ 200 {2}/) });
    expect(receiver.received).toHaveLength(before + 1);
    receiver.behaviour = (_event, response) => {
      response.writeHead(500).end("db down");
    };
    const refused = await place.run(`webhooks resend ${completed} --json`);
    receiver.behaviour = (_event, response) => {
      response.end();
    };
    expect(refused.code).toBe(1);
    expect(documentOf(refused)).toMatchObject({ id: completed, status: 500, reply: "db down" });
  });

  test("wait counts what was accepted already", async () => {
    const ended = await place.run("webhooks wait --type OUTGOING_PAYMENT.PROCESSING");
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("✓ 1 webhook accepted"),
    });
  });

  test("wait returns when it comes", async () => {
    const waiting = place.command("webhooks wait --type TEST --count 2 --timeout 20s --json");
    await simulator.call("POST", "/sandbox/webhooks/test");
    const ended = await waiting.ended;
    expect(ended.code).toBe(0);
    expect(documentOf(ended)).toMatchObject({ count: 2 });
  });

  test("wait exits 1 and says so when it does not come", async () => {
    const words = "webhooks wait --type OUTGOING_PAYMENT.FAILED --timeout 50ms";
    expect(await place.run(words)).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "error  Expected 1 × OUTGOING_PAYMENT.FAILED accepted within 50ms but found 0\n" +
        "next   service-sim webhooks list      shows what was sent, and how it went\n",
    });
    const ended = await place.run(`${words} --json`);
    expect(documentOf(ended).error).toMatchObject({ code: "WEBHOOK_DID_NOT_COME", exitCode: 1 });
  });

  test.each([
    { words: "show 0000aa", code: 1, error: "ID_NOT_FOUND" },
    { words: "resend 0000aa", code: 1, error: "ID_NOT_FOUND" },
    { words: "wait", code: 2, error: "USAGE" },
    { words: "wait --type TEST --timeout soon", code: 2, error: "INVALID_DURATION" },
    { words: "wait --type TEST --count none", code: 2, error: "INVALID_INPUT" },
    { words: "wait --type NOTHING", code: 2, error: "USAGE" },
    { words: "list --state accepted", code: 2, error: "USAGE" },
    { words: "list --limit 0", code: 2, error: "INVALID_INPUT" },
    { words: "show", code: 2, error: "USAGE" },
  ])("webhooks $words exits $code with $error", async ({ words, code, error }) => {
    const ended = await place.run(`webhooks ${words} --json`);
    expect(ended.code).toBe(code);
    const failure = documentOf(ended).error;
    expect(failure).toMatchObject({ code: error, exitCode: code });
    // Steps that the control surface offers for a request do not fit a command line.
    if (error.startsWith("INVALID_"))
      expect(failure.next).toEqual([`service-sim webhooks ${words.split(" ")[0]} --help`]);
  });
});

describe("a wrong word after webhooks", () => {
  test.each([
    { words: "lst", sentence: 'no command "lst"', next: "webhooks --help" },
    {
      words: "list --bogus",
      sentence: "no option --bogus here",
      next: "webhooks list --help",
    },
    {
      words: "show 1 2",
      sentence: 'Expected nothing after webhooks show 1 but found "2"',
      next: "webhooks show --help",
    },
  ])("with $words exits 2 and names the help to read", async ({ words, sentence, next }) => {
    const place = new Workbench();
    const { code, stdout, stderr } = await place.run(`webhooks ${words}`);
    await place.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error  ${sentence}\nnext   service-sim ${next}`);
  });
});
