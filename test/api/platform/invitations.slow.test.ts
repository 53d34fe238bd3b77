import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import type { Parsed } from "../../setup/test-simulator.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { expectSoundDeliveries, goTo, timeOf } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const START = "2026-01-05T09:00:00.000Z";
const inviterUma = "$lena@pay.example";
const inviteeUma = "$noor@bank.example";
const NOT_FOUND = { status: 404, code: "INVITATION_NOT_FOUND" };

const world = worldPerTest();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await goTo(world(), "09:00:00.001");
  receiver.received.length = 0;
});

afterEach(async () => {
  expectSoundDeliveries(receiver, world().sim.webhookPublicKey);
  await receiver.stop();
});

const create = (more: object = {}) => world().call("POST", "/invitations", { inviterUma, ...more });
const invite = async (more: object = {}): Promise<Parsed> => (await create(more)).body;
const get = async (code: string) => (await world().call("GET", `/invitations/${code}`)).body;
const claim = (code: string, body: unknown = { inviteeUma }) =>
  world().call("POST", `/invitations/${code}/claim`, body);
const cancel = (code: string) => world().call("POST", `/invitations/${code}/cancel`);

const currency = {
  USD: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
  USDC: { code: "USDC", name: "USD Coin", symbol: "USDC", decimals: 6 },
  MXN: { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 },
};

describe("a new invitation", () => {
  test("has no optional field that was not sent", async () => {
    const { status, body } = await create();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        code: expect.stringMatching(/^[0-9a-f]{8}$/),
        createdAt: "2026-01-05T09:00:00.001Z",
        inviterUma,
        status: "PENDING",
        url: `https://invite.sandbox.test/i/${body.code}`,
      },
    });
    expect(await get(body.code)).toEqual(body);
  });

  test("echoes a name, an amount and an expiry", async () => {
    const body = await invite({
      firstName: "Noor",
      amountToSend: 2_500,
      expiresAt: "2026-03-11T02:00:00.5+02:00",
    });
    expect(body).toMatchObject({
      firstName: "Noor",
      amountToSend: { amount: 2_500, currency: currency.USD },
      expiresAt: "2026-03-11T00:00:00.500Z",
      status: "PENDING",
    });
    expect(await get(body.code)).toEqual(body);
  });

  test("has a code of its own, and sends no event", async () => {
    const codes: string[] = [];
    for (let n = 0; n < 30; n += 1) codes.push((await invite()).code);
    expect(new Set(codes).size).toBe(30);
    await goTo(world(), "09:00:01.000");
    expect(receiver.types()).toEqual([]);
  });
});

/** The currency of the amount (spec/invitations.md#amount). */
describe("the amount to send is in", () => {
  const amountOf = async (uma: string) =>
    (await invite({ inviterUma: uma, amountToSend: 7 })).amountToSend;
  const customer = async (more: object) => {
    const body = { customerType: "INDIVIDUAL", ...more };
    expect((await world().call("POST", "/customers", body)).status).toBe(201);
  };

  test("the first of the inviter's currencies, whatever case its address is in", async () => {
    await customer({ umaAddress: "$ana@pay.example", currencies: ["USDC", "USD"] });
    for (const uma of ["$ana@pay.example", "$Ana@PAY.example"])
      expect(await amountOf(uma)).toEqual({ amount: 7, currency: currency.USDC });
  });

  test("the platform's first currency for an unknown inviter", async () => {
    expect(await amountOf("$nobody@else.example")).toEqual({ amount: 7, currency: currency.USD });
    const bounds = { minAmount: 1, maxAmount: 100 };
    await world().call("PATCH", "/config", {
      supportedCurrencies: ["MXN", "USD"].map((currencyCode) => ({ currencyCode, ...bounds })),
    });
    expect(await amountOf("$nobody@else.example")).toEqual({ amount: 7, currency: currency.MXN });
  });

  test("the currency of its creation, whatever changes later", async () => {
    await customer({ umaAddress: "$ana@pay.example", currencies: ["USDC"] });
    const { code } = await invite({ inviterUma: "$ana@pay.example", amountToSend: 7 });
    const { body } = await world().call("GET", "/customers?umaAddress=$ana@pay.example");
    await world().call("DELETE", `/customers/${body.data[0].id}`);
    expect((await get(code)).amountToSend.currency.code).toBe("USDC");
    expect(await amountOf("$ana@pay.example")).toEqual({ amount: 7, currency: currency.USD });
  });

  test("amounts of 1 and of 9000000000000000", async () => {
    for (const amount of [1, 9_000_000_000_000_000])
      expect((await invite({ amountToSend: amount })).amountToSend.amount).toBe(amount);
  });
});

const amounts = (code: string) => ({ status: 400, code, field: "amountToSend" });
const badUma = (field: string) => ({ status: 400, code: "INVALID_UMA_ADDRESS", field });

test.each([
  { says: "without an inviter", more: { inviterUma: undefined }, refused: invalid("inviterUma") },
  { says: "of a number", more: { inviterUma: 5 }, refused: invalid("inviterUma") },
  { says: "of empty text", more: { inviterUma: "" }, refused: badUma("inviterUma") },
  { says: "of a mail address", more: { inviterUma: "a@b.example" }, refused: badUma("inviterUma") },
  { says: "of $a@b", more: { inviterUma: "$a@b" }, refused: badUma("inviterUma") },
  { says: "to no name", more: { firstName: "" }, refused: invalid("firstName") },
  { says: "to a long name", more: { firstName: "x".repeat(256) }, refused: invalid("firstName") },
  { says: "over a text", more: { amountToSend: "5" }, refused: invalid("amountToSend") },
  { says: "over null", more: { amountToSend: null }, refused: invalid("amountToSend") },
  { says: "over 0", more: { amountToSend: 0 }, refused: amounts("INVALID_AMOUNT") },
  { says: "over -1", more: { amountToSend: -1 }, refused: amounts("INVALID_AMOUNT") },
  { says: "over 0.5", more: { amountToSend: 0.5 }, refused: amounts("INVALID_AMOUNT") },
  {
    says: "over 9000000000000001",
    more: { amountToSend: 9_000_000_000_000_001 },
    refused: amounts("AMOUNT_OUT_OF_RANGE"),
  },
  { says: "until someday", more: { expiresAt: "someday" }, refused: invalid("expiresAt") },
  { says: "until a day", more: { expiresAt: "2026-03-11" }, refused: invalid("expiresAt") },
  {
    says: "until a time without offset",
    more: { expiresAt: "2026-03-11T00:00:00" },
    refused: invalid("expiresAt"),
  },
])("an invitation $says is refused", async ({ more, refused }) => {
  await expectNothing(world(), () => create(more), refused);
});

test("no invitation is made while the platform has no UMA domain", async () => {
  const { code } = await invite();
  await world().call("PATCH", "/config", { umaDomain: null });
  const refused = { status: 400, code: "INVITATIONS_NOT_CONFIGURED" };
  await expectNothing(world(), () => create(), refused);
  expectRefused(await create({ inviterUma: "x" }), badUma("inviterUma"));
  expect((await claim(code)).status).toBe(200);
  await world().call("PATCH", "/config", { umaDomain: "pay.example" });
  expect((await create()).status).toBe(201);
});

describe("a claim", () => {
  test("sends one event, with the invitation of the reply", async () => {
    const made = await invite({ firstName: "Noor", amountToSend: 2_500 });
    await goTo(world(), "09:00:05.000");
    const { status, body } = await claim(made.code);
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...made, status: "CLAIMED", claimedAt: "2026-01-05T09:00:05.000Z", inviteeUma },
    });
    await goTo(world(), "09:00:06.000");
    expect(receiver.received.map((event) => [timeOf(event), event.type, event.data])).toEqual([
      ["09:00:05.000", "INVITATION.CLAIMED", body],
    ]);
    expect(await get(made.code)).toEqual(body);
  });

  test("is named by its code in its webhook and in why", async () => {
    const { code } = await invite();
    await claim(code);
    await goTo(world(), "09:00:06.000");
    const { body: webhooks } = await world().control("GET", "/webhooks?type=INVITATION.CLAIMED");
    expect(webhooks.data[0].about).toBe(code);
    const { body: story } = await world().control("GET", `/why/${code}`);
    expect(story).toMatchObject({ kind: "Invitation", status: "CLAIMED" });
    expect(story.chain.map(({ status }: Parsed) => status)).toEqual(["PENDING", "CLAIMED"]);
  });

  test("may be made by any address: unknown, a customer's, the inviter's", async () => {
    for (const uma of ["$x@nowhere.example", inviterUma, "$SUCCESS.usd@sandbox.uma.test"]) {
      const { code } = await invite();
      expect((await claim(code, { inviteeUma: uma })).body.inviteeUma).toBe(uma);
    }
  });

  test.each([
    { says: "an omitted invitee", body: {}, refused: invalid("inviteeUma") },
    { says: "a number", body: { inviteeUma: 5 }, refused: invalid("inviteeUma") },
    { says: "null", body: { inviteeUma: null }, refused: invalid("inviteeUma") },
    { says: "no address", body: { inviteeUma: "noor" }, refused: badUma("inviteeUma") },
    { says: "an empty text", body: { inviteeUma: "" }, refused: badUma("inviteeUma") },
  ])("by $says is refused, and the invitation stays PENDING", async ({ body, refused }) => {
    const { code } = await invite();
    await expectNothing(world(), () => claim(code, body), refused);
    expect((await get(code)).status).toBe("PENDING");
  });
});

test("a canceled invitation is CANCELLED, without an event", async () => {
  const made = await invite({ expiresAt: "2026-01-05T09:00:10Z" });
  const { status, body } = await cancel(made.code);
  expect({ status, body }).toEqual({ status: 200, body: { ...made, status: "CANCELLED" } });
  await goTo(world(), "09:00:20.000");
  expect(receiver.types()).toEqual([]);
  expect(await get(made.code)).toEqual(body);
});

const EXPIRES = "2026-01-05T09:00:10.000Z";

/** Ways in which an invitation reaches each of its states. */
const REACHED: Record<string, () => Promise<string>> = {
  PENDING: async () => (await invite({ expiresAt: EXPIRES })).code,
  CLAIMED: async () => {
    const { code } = await invite({ expiresAt: EXPIRES });
    await claim(code);
    return code;
  },
  CANCELLED: async () => {
    const { code } = await invite({ expiresAt: EXPIRES });
    await cancel(code);
    return code;
  },
  EXPIRED: async () => (await invite({ expiresAt: START })).code,
};

const CLAIMED = { status: 400, code: "INVITATION_ALREADY_CLAIMED" };
const CANCELLED = { status: 400, code: "INVITATION_CANCELLED" };
const EXPIRED = { status: 400, code: "INVALID_INPUT", reason: "INVITATION_EXPIRED" };
/** Expiry by the clock, without a call. */
const expire = () => goTo(world(), "09:00:10.000");

/**
 * Every state with every trigger, and the new state or the refusal (spec/invitations.md#lifecycle).
 */
const CELLS = [
  { from: "PENDING", on: "claim", to: "CLAIMED" },
  { from: "PENDING", on: "cancel", to: "CANCELLED" },
  { from: "PENDING", on: "expire", to: "EXPIRED" },
  { from: "CLAIMED", on: "claim", to: "CLAIMED", refused: CLAIMED },
  { from: "CLAIMED", on: "cancel", to: "CLAIMED", refused: CLAIMED },
  { from: "CLAIMED", on: "expire", to: "CLAIMED" },
  { from: "CANCELLED", on: "claim", to: "CANCELLED", refused: CANCELLED },
  { from: "CANCELLED", on: "cancel", to: "CANCELLED", refused: CANCELLED },
  { from: "CANCELLED", on: "expire", to: "CANCELLED" },
  { from: "EXPIRED", on: "claim", to: "EXPIRED", refused: EXPIRED },
  { from: "EXPIRED", on: "cancel", to: "EXPIRED", refused: EXPIRED },
  { from: "EXPIRED", on: "expire", to: "EXPIRED" },
];

test.each(CELLS)("$on of one that is $from leaves it $to", async ({ from, on, to, refused }) => {
  const code = (await REACHED[from]?.()) ?? "";
  const before = await get(code);
  expect(before.status).toBe(from);
  if (on === "expire") await expire();
  else {
    const act = () => (on === "claim" ? claim(code) : cancel(code));
    if (refused) await expectNothing(world(), act, refused);
    else expect((await act()).body.status).toBe(to);
  }
  const after = await get(code);
  expect(after.status).toBe(to);
  if (from === to) expect(after).toEqual(before);
});

test.each([
  { from: "CLAIMED", details: {} },
  { from: "CANCELLED", details: {} },
  { from: "EXPIRED", details: { expiresAt: START, reason: "INVITATION_EXPIRED" } },
])("the refusal of one that is $from says so in its details", async ({ from, details }) => {
  const code = (await REACHED[from]?.()) ?? "";
  for (const answer of [await claim(code), await cancel(code)])
    expect(answer.body.details).toEqual({ code, status: from, ...details });
});

describe("expiry", () => {
  test.each(["claim", "cancel"])("one millisecond before, a %s is accepted", async (on) => {
    const { code } = await invite({ expiresAt: EXPIRES });
    await goTo(world(), "09:00:09.999");
    expect((await get(code)).status).toBe("PENDING");
    const { status } = on === "claim" ? await claim(code) : await cancel(code);
    expect(status).toBe(200);
  });

  test.each(["claim", "cancel"])("at expiresAt itself, a %s is refused", async (on) => {
    const { code } = await invite({ expiresAt: EXPIRES });
    await goTo(world(), "09:00:10.000");
    expect(await get(code)).toMatchObject({ status: "EXPIRED", expiresAt: EXPIRES });
    await expectNothing(world(), () => (on === "claim" ? claim(code) : cancel(code)), EXPIRED);
  });

  test("in the past is accepted, and reads EXPIRED at once", async () => {
    for (const expiresAt of ["1999-12-31T23:59:59Z", "2026-01-05T09:00:00.001Z"]) {
      const { status, body } = await create({ expiresAt });
      expect({ status, reads: body.status }).toEqual({ status: 201, reads: "EXPIRED" });
    }
    expect((await invite({ expiresAt: "2026-01-05T09:00:00.002Z" })).status).toBe("PENDING");
  });

  test("never comes if none was given", async () => {
    const { code } = await invite();
    await world().control("POST", "/clock/advance", { by: "7d" });
    expect((await get(code)).status).toBe("PENDING");
    expect((await claim(code)).status).toBe(200);
  });
});

test.each(["00000000", "none", "Invitation:1"])("%s is not found", async (code) => {
  expectRefused(await world().call("GET", `/invitations/${code}`), NOT_FOUND);
  expectRefused(await claim(code, {}), NOT_FOUND);
  expectRefused(await cancel(code), NOT_FOUND);
});

test("a code is matched exactly", async () => {
  const codes: string[] = [];
  for (let n = 0; n < 5; n += 1) codes.push((await invite()).code);
  const withLetters = codes.find((code) => /[a-f]/.test(code)) ?? "";
  expectRefused(await cancel(withLetters.toUpperCase()), NOT_FOUND);
});
