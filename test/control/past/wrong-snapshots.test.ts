import { afterAll, beforeAll, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { bodiesOf, edited, sealedTexts } from "../../setup/sealed-lines.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

type Body = ReturnType<typeof JSON.parse>;

let world: TestSimulator;
let file: string;

beforeAll(async () => {
  world = await startTestSimulator({ webhookEndpoint: "http://127.0.0.1:9/hooks" });
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${quote.id}/execute`);
  await world.control("PUT", "/snapshots/s");
  file = (await world.control("GET", "/snapshots/s/export")).body;
});

afterAll(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const take = async (text: string) => world.control("POST", "/snapshots/import", { file: text });

const record = (bodies: Body[], kind: string): Body => bodies.find(({ k }) => k === kind)?.r;
const balances = (bodies: Body[]): Body => bodies.find((body) => body.balances)?.balances;
const funding = (bodies: Body[]) => balances(bodies).find(([of]: Body) => of === "Ledger:funding");
const payerOf = (bodies: Body[]) =>
  balances(bodies).find(([of, , minor]: Body) => of.startsWith("Internal") && minor !== "0");

test("the file as it was exported is taken in", async () => {
  expect((await take(edited(file, () => undefined))).status).toBe(201);
});

const put = (of: Body, name: string | number, value: unknown): undefined => {
  of[name] = value;
};

const adding = (list: Body[], one: unknown): undefined => {
  list.push(one);
};

const dropLast = (list: Body[]): undefined => {
  list.pop();
};

const ROWS: { what: string; edit: (bodies: Body[]) => Body[] | undefined; says: RegExp }[] = [
  {
    what: "no configuration of the platform",
    edit: (bodies) => bodies.filter(({ k }) => k !== "PlatformConfig"),
    says: /^Expected one configuration of the platform but found none; nothing changed$/,
  },
  {
    what: "a last change beyond dates",
    edit: ([head]) => put(head, "at", 9e15),
    says: /^Expected the instant of the last change from 0 to 253402300799999 but found 9000000000000000;/,
  },
  {
    what: "a clock beyond dates",
    edit: ([head]) => put(head, "clock", { mode: "manual", offsetMs: 0, instantMs: 8.64e15 }),
    says: /^Expected an instant of the clock from 0 to 253402300799999/,
  },
  {
    what: "a clock of no mode",
    edit: ([head]) => put(head.clock, "mode", "quick"),
    says: /in clock\.mode of line 1 but found "quick"/,
  },
  {
    what: "a speed of nothing",
    edit: ([head]) => put(head.clock, "speed", 0),
    says: /in clock\.speed of line 1 but found 0/,
  },
  {
    what: "a counter that overflows",
    edit: ([head]) => put(head, "counter", Number.MAX_SAFE_INTEGER),
    says: /^Expected the number of ids from 0 to 281474976710656/,
  },
  {
    what: "more changes than there are numbers",
    edit: ([head]) => put(head, "seq", 2 ** 33),
    says: /^Expected the number of changes from 0 to 4294967296/,
  },
  {
    what: "changes near to the bound",
    edit: ([head]) => put(head, "seq", 2 ** 32),
    says: /^Expected the number of changes from 0 to 2147483648 but found 4294967296;/,
  },
  {
    what: "ids near to the bound",
    edit: ([head]) => put(head, "counter", 2 ** 48),
    says: /^Expected the number of ids from 0 to 140737488355328 but found 281474976710656;/,
  },
  {
    what: "a real clock near to the last date",
    edit: ([head]) =>
      put(head, "clock", { mode: "real", offsetMs: 0, instantMs: 253_402_214_397_000 }),
    says: /^Expected an instant of the clock from 0 to 253370764800000 but found 253402214397000;/,
  },
  {
    what: "a balance that makes money",
    edit: (bodies) => put(payerOf(bodies), 2, "99999999"),
    says: /^Expected balances in USD that sum to 0 but found a sum of/,
  },
  {
    what: "two balances that make money and sum to zero",
    edit: (bodies) => {
      put(payerOf(bodies), 2, String(BigInt(payerOf(bodies)[2]) + 5n));
      return put(funding(bodies), 2, String(BigInt(funding(bodies)[2]) - 5n));
    },
    says: /^Expected -?\d+ USD in the postings of .+ but found -?\d+;/,
  },
  {
    what: "a balance in no digits",
    edit: (bodies) => put(payerOf(bodies), 2, "much"),
    says: /^Expected minor units in digits in balances\.\d+\.2 of line \d+ but found "much"/,
  },
  {
    what: "a balance below zero",
    edit: (bodies) => {
      const sum = BigInt(payerOf(bodies)[2]) + 1n;
      put(payerOf(bodies), 2, "-1");
      return put(funding(bodies), 2, String(BigInt(funding(bodies)[2]) + sum));
    },
    says: /^Expected a balance from 0 to 9007199254740991 on InternalAccount:\S+ but found -1 USD/,
  },
  {
    what: "a balance of an account that is not there",
    edit: (bodies) => adding(balances(bodies), ["InternalAccount:none", "USD", "0"]),
    says: /^Expected a balance of an account but found one of InternalAccount:none/,
  },
  {
    what: "a posting that is gone",
    edit: (bodies) => dropLast(bodies.find((body) => body.postings).postings),
    says: /in the postings of/,
  },
  {
    what: "a member of another type",
    edit: (bodies) => put(record(bodies, "Customer"), "currencies", "USD"),
    says: /^Expected an array in Customer Customer:\S+ currencies but found "USD"/,
  },
  {
    what: "an unknown status",
    edit: (bodies) => put(record(bodies, "Quote"), "status", "PAID"),
    says: /in Quote Quote:\S+ status but found "PAID"/,
  },
  ...[
    ["webhookEndpoint", "nonsense", "Expected the URL of a receiver"],
    ["webhookEndpoint", "file:///etc", "Expected the URL of a receiver"],
    ["webhookEndpoint", "http://169.254.169.254/", "Expected the URL of a receiver"],
    ["webhookCa", "garbage", "Expected certificates as PEM"],
    [
      "rateLimit",
      "garbage",
      "Expected calls by second, minute or hour like 10/s or 100/m, or none",
    ],
    ["codes", "garbage", "Expected a choice of codes"],
    ["codes", "random", "Expected a choice of codes"],
    ["umaDomain", "\r\nx y", "Expected a domain name"],
  ].map(([member = "", value = "", says = ""]) => ({
    what: `the ${member} ${JSON.stringify(value)}`,
    edit: (bodies: Body[]) => put(record(bodies, "PlatformConfig"), member, value),
    says: new RegExp(`^${says} in PlatformConfig \\S+ ${member} but found `),
  })),
  ...[
    { what: "an issuer that breaks lines", settings: { oidcIssuers: ["z\r\nz"] } },
    { what: "a domain of the sandbox with a space", settings: { sandboxUmaDomains: ["x y"] } },
    { what: "a rate limit of a start", settings: { rateLimit: "10/day" } },
  ].map(({ what, settings }) => ({
    what,
    edit: (bodies: Body[]): undefined => {
      Object.assign(record(bodies, "PlatformConfig").opening.settings, settings);
    },
    says: /^Expected .+ in PlatformConfig \S+ opening settings \w+( 0)? but found "/,
  })),
  {
    what: "the receiver of a start that is no URL",
    edit: (bodies) => put(record(bodies, "PlatformConfig").opening, "webhookEndpoint", "x"),
    says: /^Expected the URL of a receiver in PlatformConfig \S+ opening webhookEndpoint but/,
  },
  {
    what: "a path of a brand that breaks lines",
    edit: (bodies) =>
      put(record(bodies, "PlatformConfig"), "brand", {
        word: "acme",
        paths: { "/a\r\nb": "2025-10-13" },
      }),
    says: /^Expected a path like \/acme\/v1 in PlatformConfig \S+ brand paths/,
  },
  {
    what: "an event that is no JSON",
    edit: (bodies) => put(record(bodies, "Event"), "body", "{"),
    says: /^Expected JSON in Event \S+ body but found "{"/,
  },
  {
    what: "rates in no digits",
    edit: (bodies) => adding(bodies, { k: "Rates", r: { id: "Rates", perUsd: { EUR: "much" } } }),
    says: /^Expected a rate in Rates Rates perUsd EUR but found "much"/,
  },
  {
    what: "a timer beyond dates",
    edit: (bodies) => put(record(bodies, "Timer"), "dueAtMs", 9e15),
    says: /^Expected a number of at most 253402300799999 in Timer .+ dueAtMs but found 9000000000000000/,
  },
  {
    what: "a member that no record has",
    edit: (bodies) => put(record(bodies, "Customer"), "isAdmin", true),
    says: /in Customer Customer:\S+ but found the name "isAdmin"/,
  },
  {
    what: "a member that no currency has",
    edit: (bodies) => put(record(bodies, "PlatformConfig").supportedCurrencies[0], "a", 2),
    says: /in PlatformConfig PlatformConfig:\S+ supportedCurrencies 0 but found the name "a"/,
  },
  {
    what: "a payment of nobody",
    edit: (bodies) => bodies.filter(({ k }) => k !== "Customer"),
    says: /^Expected Customer Customer:\S+ of customerId in \w+ \S+ but found none/,
  },
  {
    what: "an event without its delivery",
    edit: (bodies) => bodies.filter(({ k }) => k !== "Delivery"),
    says: /^Expected Delivery Webhook:\S+ of (id|subject) in (Event|Timer) .+ but found none/,
  },
  {
    what: "a record twice",
    edit: (bodies) => [...bodies, bodies.find(({ k }) => k === "Customer")],
    says: /^Expected a whole line \d+ but found Customer Customer:\S+ a second time/,
  },
  {
    what: "a balance twice",
    edit: (bodies) => [...bodies, bodies.find((body) => body.balances)],
    says: /but found the balance of \S+ \w+ a second time/,
  },
  {
    what: "a kind that is not known",
    edit: (bodies) => [...bodies, { k: "Loan", r: { id: "Loan:1" } }],
    says: /in k of line \d+ but found "Loan"/,
  },
  {
    what: "a kind by the name of a method",
    edit: (bodies) => [...bodies, { k: "constructor", r: { id: "x" } }],
    says: /in k of line \d+ but found "constructor"/,
  },
  {
    what: "a history of no instants",
    edit: (bodies) => [...bodies, { past: [["Customer:1", [{ seq: 1, atMs: "now" }]]] }],
    says: /in past\.0\.1\.0\.atMs of line \d+ but found "now"/,
  },
  {
    what: "a branch of no form",
    edit: ([head]) => put(head, "branch", "main"),
    says: /in branch of line 1 but found "main"/,
  },
];

test.each(ROWS)(
  "a file with $what is refused, though its checksums fit",
  async ({ edit, says }) => {
    const { status, body } = await take(edited(file, (bodies) => edit(bodies) ?? undefined));
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: "SNAPSHOT_FILE" });
    expect(body.error.message.split(" Next:")[0]).toMatch(says);
  },
);

test.each([
  { what: "no JSON", line: "{", says: "no JSON" },
  { what: "null", line: "null", says: "no object" },
  { what: "deep JSON", line: "[".repeat(100_000), says: "JSON that is nested too deeply" },
  { what: "__proto__", line: '{"k":"Customer","r":{"id":"x","__proto__":{}}}', says: "__proto__" },
  { what: "an escaped name", line: '{"\\u005f_proto__":{}}', says: "__proto__" },
])("a line of $what is refused", async ({ line, says }) => {
  const texts = bodiesOf(file).map((body) => JSON.stringify(body));
  const { status, body } = await take(sealedTexts([...texts, line]));
  expect({ status, code: body.error?.code }).toEqual({ status: 400, code: "SNAPSHOT_FILE" });
  expect(body.error.message).toContain(says);
});

test("a file behind a byte order mark, with the line ends of Windows, is taken in", async () => {
  expect((await take(`\uFEFF${file.replaceAll("\n", "\r\n")}`)).status).toBe(201);
});

test("a file that an earlier version exported from a branded world is taken in by that brand", async () => {
  const brandedLines = file.replaceAll("serviceApi", "acmeApi");
  expect(brandedLines).not.toBe(file);
  expect((await take(brandedLines)).status).toBe(400);
  const branded = await startTestSimulator({ brand: "acme" });
  const { status } = await branded.control("POST", "/snapshots/import", { file: brandedLines });
  await branded.sim.close();
  expect(status).toBe(201);
});
