import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEMBER_ARGUMENTS } from "../../src/library/member-arguments.ts";
import { connect, createSimulator, type Simulator } from "../../src/simulator.ts";

const START = "2026-01-05T09:00:00.000Z";

// Mistakes that types refuse too: tests are also written in JavaScript.
type Loose = ReturnType<typeof JSON.parse>;

let local: Simulator & { listen(place?: Loose): Promise<{ url: string }> };
let connected: Simulator;

beforeAll(async () => {
  local = await createSimulator({ seed: "test", clock: "manual", now: START });
  const { clientId, clientSecret } = local;
  const { url } = await local.listen();
  connected = await connect(url, { clientId, clientSecret });
});

afterAll(async () => {
  await connected.close();
  await local.close();
});

const promise = Promise.resolve("Quote:1");
const record = { id: "Quote:1" };

type Row = [call: string, run: (sim: Loose) => Promise<unknown>, message: string];

const SPAN = 'to be a span like "90s", "6m", "1h30m" or "7d" but found';

const ROWS: Row[] = [
  [
    "a number as a span",
    (sim) => sim.advance(360_000),
    `Expected span of advance ${SPAN} the number 360000: ` +
      'a number has no unit, so write "360000ms" or "360000s", or a span like "6m"',
  ],
  [
    "a negative span",
    (sim) => sim.advance("-5m"),
    `Expected span of advance ${SPAN} a negative one, "-5m": ` +
      'time only goes forward here, so write sim.rewind("5m") to go back',
  ],
  [
    "a negative number as a span",
    (sim) => sim.advance(-5),
    `Expected span of advance ${SPAN} a negative one, the number -5: ` +
      'time only goes forward here, so write sim.rewind("5m") to go back',
  ],
  ["no span", (sim) => sim.advance(), `Expected span of advance ${SPAN} undefined`],
  [
    "an object as a span",
    (sim) => sim.advance({ by: "5m" }),
    `Expected span of advance ${SPAN} an object with by: pass only its by`,
  ],
  [
    "a number as an instant",
    (sim) => sim.advanceTo(1_767_603_600_000),
    'Expected instant of advanceTo to be an instant like "2026-01-05T09:00:00Z" but found ' +
      "the number 1767603600000: new Date(1767603600000).toISOString()",
  ],
  [
    "a record to wait for",
    (sim) => sim.advanceUntil(record, "COMPLETED"),
    "Expected id of advanceUntil to be an id but found an object with id: pass its id member",
  ],
  [
    "no status",
    (sim) => sim.advanceUntil("Quote:1"),
    'Expected status of advanceUntil to be text like "COMPLETED" but found undefined',
  ],
  [
    "a negative rewind",
    (sim) => sim.rewind("-5m"),
    'Expected goal of rewind to be a span like "10m", or an object like { to: instant } or ' +
      '{ before: id } but found a negative one, "-5m": ' +
      "a rewind goes back by itself, so write it without the sign",
  ],
  [
    "a flat fault",
    (sim) => sim.faults.add({ operation: "createQuote", status: 500 }),
    "Expected fault of faults.add to be an object with match and fault but found operation, status " +
      'beside them: write { match: { operation: "createQuote" }, fault: { status: 500 } }',
  ],
  [
    "a fault whose effect is flat",
    (sim) => sim.faults.add({ match: { operation: "createQuote" }, latencyMs: 50 }),
    "Expected fault of faults.add to be an object with match and fault but found latencyMs " +
      'beside them: write { match: { operation: "createQuote" }, fault: { latencyMs: 50 } }',
  ],
  [
    "a switch in place of its id",
    (sim) => sim.faults.remove({ id: "Fault:1" }),
    "Expected id of faults.remove to be an id but found an object with id: pass its id member",
  ],
  [
    "a type in place of what is wanted",
    (sim) => sim.webhooks.wait("TEST"),
    "Expected wanted of webhooks.wait to be an object with type, about, count, timeoutMs but found " +
      '"TEST": write { type: "OUTGOING_PAYMENT.COMPLETED" }',
  ],
  [
    "a span as milliseconds",
    (sim) => sim.webhooks.wait({ type: "TEST", timeoutMs: "5s" }),
    "Expected wanted of webhooks.wait to be an object with type, about, count, timeoutMs but found " +
      '"5s" in timeoutMs: timeoutMs is a number',
  ],
  [
    "an option that is not there",
    (sim) => sim.webhooks.wait({ type: "TEST", timeoutms: 100 }),
    "Expected wanted of webhooks.wait to be an object with type, about, count, timeoutMs but found " +
      "the member timeoutms: the closest one is timeoutMs",
  ],
  [
    "a record that a webhook tells of, not awaited",
    (sim) => sim.webhooks.wait({ type: "TEST", about: promise }),
    "Expected wanted of webhooks.wait to be an object with type, about, count, timeoutMs but found " +
      "a promise in about: await the call that it comes from",
  ],
  [
    "an object as a type",
    (sim) => sim.webhooks.trigger({ type: "TEST" }),
    'Expected type of webhooks.trigger to be text like "OUTGOING_PAYMENT.COMPLETED" but found ' +
      "an object with type: pass only its type",
  ],
  [
    "an object as a mode",
    (sim) => sim.clock.set({ mode: "auto" }),
    'Expected mode of clock.set to be text like "manual" but found an object with mode: ' +
      "pass only its mode",
  ],
  [
    "a speed beside the mode",
    (sim) => sim.clock.set("real", 60),
    "Expected options of clock.set to be an object with speed but found the number 60: " +
      "write { speed: 60 }",
  ],
  [
    "a span to postpone by",
    (sim) => sim.timers.postpone("x", "5m"),
    'Expected until of timers.postpone to be an object like { by: "1h" } or { to: instant } but ' +
      'found "5m": write { by: "5m" }',
  ],
  [
    "a subject as text",
    (sim) => sim.outcomes.next("quotedPayment.003", "Customer:1"),
    "Expected options of outcomes.next to be an object with for, times but found " +
      '"Customer:1": write { for: id }',
  ],
  [
    "a simulator in place of its world",
    (sim) => sim.removeWorld({ world: "w-1" }),
    "Expected name of removeWorld to be a name but found an object with world: pass its world member",
  ],
  [
    "no name",
    (sim) => sim.snapshot(),
    "Expected name of snapshot to be a name but found undefined",
  ],
  [
    "a flag",
    (sim) => sim.restore("x", true),
    "Expected options of restore to be an object with keepClock but found the boolean true: " +
      "write { keepClock: true }",
  ],
  [
    "an options object as a name",
    (sim) => sim.fork({ name: "x" }),
    "Expected name of fork to be a name but found an object with name: pass its name member",
  ],
  [
    "a path",
    (sim) => sim.seed("./x.json"),
    "Expected fixture of seed to be the name of a bundled fixture, or a fixture but found " +
      '"./x.json": read a file yourself, and pass what it holds: JSON.parse(await readFile(path))',
  ],
  [
    "a call that was not awaited",
    (sim) => sim.why(promise),
    "Expected id of why to be an id but found a promise: await the call that it comes from",
  ],
  [
    "an account as text",
    (sim) => sim.ledger("InternalAccount:1"),
    "Expected query of ledger to be an object with account, from, to, limit, cursor but found " +
      '"InternalAccount:1": write { account: id }',
  ],
  [
    "an address as text",
    (sim) => sim.inbox.wait("ada@example.com"),
    "Expected query of inbox.wait to be an object with to, timeoutMs but found " +
      '"ada@example.com": write { to: "ada@example.com" }',
  ],
  [
    "an action in place of its id",
    (sim) => sim.approvals.approve({ id: "AgentAction:1" }),
    "Expected actionId of approvals.approve to be an id but found an object with id: " +
      "pass its id member",
  ],
  [
    "no fake timers",
    (sim) => sim.followFakeTimers(),
    "Expected timers of followFakeTimers to be what fakes timers but found undefined: " +
      "pass vi or jest",
  ],
  [
    "an address to fetch",
    (sim) => sim.fetch("http://127.0.0.1/"),
    'Expected request of fetch to be a Request but found "http://127.0.0.1/": ' +
      "write new Request(url)",
  ],
  [
    "a flat body",
    (sim) => sim.call.createQuote({ source: {} }),
    "Expected params, query, body, headers, token in the input of createQuote but found source: " +
      "write createQuote({ body: { … } })",
  ],
  [
    "an id as input",
    (sim) => sim.call.getQuote("Quote:1"),
    'Expected an object as the input of getQuote but found "Quote:1": ' +
      "write getQuote({ params: { quoteId: … } })",
  ],
  [
    "another parameter",
    (sim) => sim.call.getQuote({ params: { id: "Quote:1" } }),
    "Expected params.quoteId of getQuote but found id: write getQuote({ params: { quoteId: … } })",
  ],
  [
    "a parameter that is undefined",
    (sim) => sim.call.getQuote({ params: { quoteId: undefined } }),
    "Expected params.quoteId of getQuote but found undefined: " +
      "await the call that it comes from, and take it from the reply",
  ],
  [
    "a promise as a parameter",
    (sim) => sim.call.getQuote({ params: { quoteId: promise } }),
    "Expected a value in params.quoteId of getQuote but found a promise: " +
      "await the call that it comes from",
  ],
  [
    "a promise in a body",
    (sim) => sim.call.createQuote({ body: { source: { accountId: promise } } }),
    "Expected a value in body.source.accountId of createQuote but found a promise: " +
      "await the call that it comes from",
  ],
];

describe.each(["in this process", "over HTTP"])("a wrong argument %s", (way) => {
  test.each(ROWS)("%s", async (_says, run, message) => {
    const sim = way === "in this process" ? local : connected;
    await expect(async () => run(sim)).rejects.toThrow(new TypeError(message));
  });
});

test("a refusal says that the member of the body was undefined", async () => {
  const body = {
    source: { sourceType: "ACCOUNT", accountId: (promise as Loose).id },
    destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:1" },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100,
  } as Loose;
  await expect(local.call.createQuote({ body })).rejects.toThrow(
    /^createQuote was refused with 400 .*\. body\.source\.accountId is undefined: await the call that it comes from$/,
  );
});

test.each([
  [{ url: "http://127.0.0.1:4747" }, /but found an object with url: write connect\("http:/],
  [4747, /but found the number 4747: write connect\("http:/],
])("connect(%j)", async (url, message) => {
  await expect(connect(url as Loose)).rejects.toThrow(message);
});

test("a port alone", async () => {
  await expect(local.listen(4747)).rejects.toThrow(
    "Expected an object like { port: 4747 } in listen but found a number",
  );
});

/** Members of a simulator that are calls, and those of its groups. */
const callsOf = (sim: Simulator) => {
  const groups = [
    "clock",
    "webhooks",
    "inbox",
    "approvals",
    "faults",
    "requests",
    "timers",
    "outcomes",
    "snapshots",
  ] as const;
  return groups.flatMap((group) => Object.keys(sim[group]).map((name) => `${group}.${name}`));
};

test("every member that takes arguments has their forms", () => {
  const without = [
    "clock.now",
    "clock.read",
    "faults.list",
    "faults.clear",
    "outcomes.list",
    "snapshots.list",
  ];
  expect(
    callsOf(local)
      .filter((name) => !(name in MEMBER_ARGUMENTS))
      .sort(),
  ).toEqual(without.sort());
});

/** Values that people pass by mistake: none is printed as `[object Object]`, nor meets our own code. */
const PLAUSIBLE: unknown[] = [
  undefined,
  null,
  5,
  -1,
  Number.NaN,
  true,
  "",
  [],
  {},
  promise,
  record,
  new Date(0),
  () => {},
];

test("no plausible mistake meets an error of the program itself", async () => {
  const said: string[] = [];
  for (const [member, given] of Object.entries(MEMBER_ARGUMENTS)) {
    if (["connect", "fork", "webhooks.wait", "inbox.wait"].includes(member)) continue;
    const [group = "", name] = member.split(".");
    const at = (name === undefined ? local : (local as Loose)[group]) as Loose;
    const call = at[name ?? group].bind(at);
    for (const value of PLAUSIBLE) {
      const rest = given.slice(1).map(() => undefined);
      const failed = await Promise.resolve(call(value, ...rest)).then(() => "", String);
      said.push(`${member}(${String(value)}): ${failed}`);
    }
  }
  const raw = /\[object|is not a function|Cannot read|undefined \(reading|INTERNAL_ERROR/;
  expect(said.filter((one) => raw.test(one.slice(one.indexOf("): "))))).toEqual([]);
});
