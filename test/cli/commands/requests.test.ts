import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatRequest, formatRequests } from "../../../src/cli/commands/requests.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import { formatWhy } from "../../../src/cli/text/why-lines.ts";
import type { CallDetails } from "../../../src/contract/control/requests.ts";
import { documentOf, type RunningCli, waitUntil } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";
import { styleOn } from "../setup/styles.ts";
import { Workbench } from "../setup/workbench.ts";

const QUOTE = "Quote:019b8d62-0000-7000-8000-2f11aa1c07ab";

const ALL = { line: "service-sim requests", isFiltered: false };

const request = (differs: Partial<CallDetails>): CallDetails => ({
  id: "req-1-128",
  at: "2026-01-05T09:00:20.000Z",
  method: "GET",
  path: `/quotes/${QUOTE}`,
  operation: "getQuote",
  status: 200,
  tookMs: 1,
  caused: [],
  ...differs,
});

describe("what they print", () => {
  let short: Style;
  let whole: Style;

  beforeAll(async () => {
    short = await styleOn(true);
    whole = await styleOn(false);
  });

  const executed = {
    method: "POST",
    path: `/quotes/${QUOTE}/execute`,
    at: "2026-01-05T09:00:13.000Z",
  };
  const data = [
    request({}),
    request({
      ...executed,
      id: "req-1-126",
      status: 409,
      error: { code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" },
    }),
    request({ ...executed, id: "req-1-125", tookMs: 12 }),
  ];

  test("one row each, a failed one explained on the line below it", () => {
    expect(formatRequests({ data, hasMore: true, nextCursor: "7" }, ALL, short)).toEqual([
      "AT        REQUEST                        STATUS  TOOK   ID",
      "09:00:20  GET   /quotes/…1c07ab          ✓ 200    1 ms  req-1-128",
      "09:00:13  POST  /quotes/…1c07ab/execute  ✗ 409    1 ms  req-1-126",
      "                CONFLICT, QUOTE_ALREADY_EXECUTED",
      "09:00:13  POST  /quotes/…1c07ab/execute  ✓ 200   12 ms  req-1-125",
      "older: service-sim requests --cursor 7",
    ]);
  });

  test("what a rewind undid is marked, in the list and alone", () => {
    const undone = request({ undone: true });
    expect(
      formatRequests({ data: [undone], hasMore: false }, ALL, short)
        .at(-1)
        ?.trim(),
    ).toBe("undone by a rewind");
    expect(formatRequest(undone, short)).toContain("undone     by a rewind");
  });

  test("off a terminal ids are whole, and none is one sentence", () => {
    const [, row = ""] = formatRequests({ data, hasMore: false }, ALL, whole);
    expect(row).toContain(`/quotes/${QUOTE} `);
    const none = { data: [], hasMore: false };
    expect(formatRequests(none, ALL, whole)).toEqual(["no request yet"]);
    expect(formatRequests(none, { ...ALL, isFiltered: true }, whole)).toEqual([
      "no matching request",
    ]);
  });

  test("one request with its bodies, a cut one as it is", () => {
    const lines = formatRequest(
      request({
        caused: ["Webhook:1", "payment.settle Transaction:1"],
        requestBody: '{"a":1}',
        responseBody: '{"b":[1,2…',
      }),
      short,
    );
    expect(lines).toEqual([
      `req-1-128    GET /quotes/${QUOTE}`,
      "at         2026-01-05 09:00:20Z",
      "operation  getQuote",
      "status     ✓ 200, 1 ms",
      "caused     Webhook:1",
      "           payment.settle Transaction:1",
      "",
      "request body",
      "{",
      '  "a": 1',
      "}",
      "",
      "response body",
      '{"b":[1,2…',
    ]);
  });
});

test.each([
  {
    replay: { of: "req-1-9" },
    says: "req-1-9: same Idempotency-Key, same body",
  },
  {
    replay: { of: "req-1-9", bodyDiffered: true as const },
    says: "req-1-9: same Idempotency-Key, another body",
  },
])("a repeated answer says of which call: $says", async ({ replay, says }) => {
  const style = await styleOn(true);
  const again = request({ replay });
  expect(formatRequest(again, style)).toContain(`repeats    ${says}`);
  const [, , line] = formatRequests({ data: [again], hasMore: false }, ALL, style);
  expect(line).toBe(`                repeats ${says}`);
  const story = { id: again.id, kind: "request", chain: [], replay };
  expect(formatWhy(story, style)).toContain(`repeats ${says}`);
});

describe("with a simulator", () => {
  let place: Workbench;
  let simulator: RunningCli;
  let receiver: Receiver;

  beforeAll(async () => {
    place = new Workbench();
    simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
    receiver = await new Receiver().start();
    await simulator.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    await simulator.call("GET", "/quotes/none");
  });

  afterAll(async () => {
    await place.close();
    await receiver.stop();
  });

  test("they are listed, filtered, and shown one by one", async () => {
    const { code, stdout } = await place.run("requests");
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(1, -1).join(" "))).toEqual([
      "REQUEST STATUS TOOK",
      expect.stringMatching(/^GET \/quotes\/none ✗ 404 [0-9]+ ms$/),
      "",
      expect.stringMatching(/^PATCH \/config ✓ 200 [0-9]+ ms$/),
      "",
    ]);
    const failed = documentOf(await place.run("requests --status 4xx --json"));
    expect(failed).toMatchObject({ hasMore: false, data: [{ path: "/quotes/none" }] });
    const one = await place.run(`requests ${failed.data[0].id}`);
    expect(one.stdout).toContain('"code": "QUOTE_NOT_FOUND"');
  });

  test("no secret is printed", async () => {
    const { stdout } = await place.run("requests req-1-1 --json");
    expect(stdout).not.toContain(simulator.ready.clientSecret);
  });

  test.each([
    { words: "req-1-9999", code: 1, error: "ID_NOT_FOUND" },
    { words: "--status maybe", code: 2, error: "INVALID_INPUT" },
    { words: "--all", code: 2, error: "USAGE" },
    { words: "--follow --status 404", code: 2, error: "USAGE" },
    { words: "req-1-1 --follow", code: 2, error: "USAGE" },
    { words: "--verbose", code: 2, error: "USAGE" },
    { words: "--operation createQuot", code: 2, error: "USAGE" },
    { words: "req-1-1 --limit 3", code: 2, error: "USAGE" },
  ])("requests $words exits $code with $error", async ({ words, code, error }) => {
    const ended = await place.run(`requests ${words} --json`);
    expect(ended.code).toBe(code);
    expect(documentOf(ended).error).toMatchObject({ code: error, exitCode: code });
  });
});

describe("--follow", () => {
  let place: Workbench;
  let simulator: RunningCli;
  let receiver: Receiver;

  beforeAll(async () => {
    place = new Workbench();
    simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
    receiver = await new Receiver().start();
    await simulator.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterAll(async () => {
    await place.close();
    await receiver.stop();
  });

  /** Starts following; calls are made until the first one is seen, so that none is missed. */
  const follow = async (words: string, at = place, running = simulator) => {
    const following = at.command(`requests --follow ${words}`);
    let isSeen = false;
    void following.printed("/config").then(() => {
      isSeen = true;
    });
    await waitUntil("the first line", async () => {
      await running.call("GET", "/config");
      return isSeen;
    });
    return following;
  };

  test("prints each call as it is answered, and ends with the simulator", async () => {
    const own = new Workbench();
    const running = await own.start("--storage memory:");
    const following = await follow("", own, running);
    await running.call("GET", "/quotes/none");
    await following.printed("404");
    await running.stop();
    const { code, stdout, stderr } = await following.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "note   the simulator stopped\n" });
    expect(stdout).toMatch(/^[0-9:]{8} < GET \/config +✓ 200 +[0-9]+ ms +req-1-[0-9]+$/m);
    expect(stdout).toMatch(/^[0-9:]{8} < GET \/quotes\/none +✗ 404 QUOTE_NOT_FOUND/m);
    await own.close();
  });

  test("--all tells of webhooks and timers too, in order", async () => {
    const following = await follow("--all");
    await sendSlowPayment(simulator);
    await place.run("advance 6m");
    await following.printed("OUTGOING_PAYMENT.COMPLETED");
    const { stdout } = await following.kill();
    const lines = stdout.split("\n");
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(lines[at("@ payment.settle")]).toMatch(/^09:06:00 .* COMPLETED +Transaction:/);
    expect(lines.filter((line) => line.includes("> OUTGOING_PAYMENT.PROCESSING"))).toHaveLength(1);
    expect(lines[at("> OUTGOING_PAYMENT.COMPLETED")]).toMatch(/^09:06:00 > .* ✓ 200 +[0-9]+ ms/);
    expect(at("@ payment.settle")).toBeLessThan(at("> OUTGOING_PAYMENT.COMPLETED"));
  });

  test("--verbose tells of calls of the control surface too, with their whole path", async () => {
    const following = await follow("--verbose");
    await place.run("timers");
    await following.printed("/_sim/timers");
    const { stdout } = await following.kill();
    expect(stdout).toMatch(/^[0-9-]* ?[0-9:]{8} < GET \/_sim\/timers +✓ 200 +[0-9]+ ms +req-1-/m);
  });

  test("without --verbose calls of the control surface are left out", async () => {
    const following = await follow("");
    await place.run("timers");
    await simulator.call("GET", "/quotes/none");
    await following.printed("404");
    expect((await following.kill()).stdout).not.toContain("_sim");
  });

  test("--json is one document a line, each naming its event", async () => {
    const following = await follow("--json");
    const { stdout } = await following.kill();
    const [first = ""] = stdout.split("\n");
    expect(JSON.parse(first)).toMatchObject({
      event: "request",
      id: expect.stringMatching(/^req-1-/),
      at: expect.any(String),
      method: "GET",
      path: "/config",
      status: 200,
      tookMs: expect.any(Number),
    });
  });

  test("without a simulator it exits 3", async () => {
    expect(await place.run("requests --follow", { folder: "empty" })).toMatchObject({ code: 3 });
  });
});
