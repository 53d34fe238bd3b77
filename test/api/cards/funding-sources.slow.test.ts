import { beforeEach, describe, expect, test } from "vitest";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { balanceOf } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  authorize,
  type Cardholder,
  createCardholder,
  fund,
  getCard,
  issueCard,
  openAccount,
  patchCard,
} from "./setup/card-world.ts";

const world = worldPerTest();
const INELIGIBLE = { status: 400, code: "FUNDING_SOURCE_INELIGIBLE" };

let holder: Cardholder;
let second: string;
let third: string;

const madeHolder = preparedOnce((one) => createCardholder(one));

beforeEach(async () => {
  holder = await madeHolder(world());
  const { customerId } = holder;
  second = await openAccount(world(), { customerId, currency: "USD" });
  third = await openAccount(world(), { customerId, currency: "USD" });
});

const cardOn = (fundingSources: string[]) =>
  issueCard(world(), { cardholderId: holder.customerId, fundingSources });

const setStatus = (accountId: string, status: string) =>
  world().control("PATCH", `/internal-accounts/${accountId}`, { status });

describe("the source that pays", () => {
  interface Row {
    says: string;
    balances: [number, number, number];
    frozen?: 0 | 1 | 2;
    payer: 0 | 1 | 2 | "declined";
  }

  test.each<Row>([
    { says: "the first, though later ones have more", balances: [500, 9_000, 9_000], payer: 0 },
    { says: "the second when the first is a cent short", balances: [499, 500, 9_000], payer: 1 },
    { says: "the third when both are short", balances: [499, 0, 500], payer: 2 },
    {
      says: "none when all are short: nothing is put together",
      balances: [499, 499, 499],
      payer: "declined",
    },
    { says: "the second when the first is frozen", balances: [500, 500, 0], frozen: 0, payer: 1 },
    { says: "the first, whoever else is frozen", balances: [500, 500, 0], frozen: 1, payer: 0 },
    {
      says: "none when the only one with money is frozen",
      balances: [0, 500, 0],
      frozen: 1,
      payer: "declined",
    },
  ])("$says", async ({ balances, frozen, payer }) => {
    const sources = [holder.usdId, second, third];
    for (const [at, amount] of balances.entries())
      if (amount > 0) await fund(world(), sources[at] as string, amount);
    const card = await cardOn(sources);
    if (frozen !== undefined) await setStatus(sources[frozen] as string, "FROZEN");
    const done = await authorize(world(), card.id, { amount: 500 });
    const expected = payer === "declined" ? ["DECLINED", 0] : ["AUTHORIZED", payer];
    expect([done.status, sources.indexOf(done.accountId)]).toEqual(expected);
    expect(done.declineCode).toBe(payer === "declined" ? "INSUFFICIENT_FUNDS" : undefined);
    for (const [at, amount] of balances.entries())
      expect(await balanceOf(world(), sources[at] as string)).toBe(
        amount - (at === payer ? 500 : 0),
      );
  });

  test("each authorization tries again, in the order of the last update", async () => {
    await fund(world(), holder.usdId, 500);
    await fund(world(), second, 2_000);
    const { id } = await cardOn([holder.usdId, second]);
    const payer = async () => (await authorize(world(), id, { amount: 400 })).accountId;
    expect([await payer(), await payer()]).toEqual([holder.usdId, second]);
    await fund(world(), holder.usdId, 10_000);
    expect(await payer()).toBe(holder.usdId);
    await patchCard(world(), id, { fundingSources: [second, holder.usdId] });
    expect([await payer(), await payer()]).toEqual([second, second]);
  });
});

/** A reason why an account is ineligible, on POST and PATCH alike (spec/cards.md#eligibility). */
interface Unfit {
  says: string;
  make(): Promise<string>;
}

const ownAccount = (input: { currency: string; suffix?: string }) => () =>
  openAccount(world(), { customerId: holder.customerId, ...input }, 1_000);

const withStatus = (status: string) => async () => {
  const id = await openAccount(world(), { customerId: holder.customerId, currency: "USD" });
  await setStatus(id, status);
  return id;
};

const UNFIT: Unfit[] = [
  { says: "ends in 002", make: ownAccount({ currency: "USD", suffix: "002" }) },
  { says: "ends in 003", make: ownAccount({ currency: "USD", suffix: "003" }) },
  { says: "is another customer's", make: async () => (await createCardholder(world())).usdId },
  {
    says: "is the platform's",
    make: async () => {
      const { body } = await world().call("GET", "/platform/internal-accounts?currency=USD");
      return body.data[0].id;
    },
  },
  { says: "is in a currency no card takes", make: ownAccount({ currency: "USDC" }) },
  { says: "is FROZEN", make: withStatus("FROZEN") },
  { says: "is CLOSED", make: withStatus("CLOSED") },
  { says: "is PENDING", make: withStatus("PENDING") },
];

/** An account that is ineligible only beside one in another currency. */
const OTHER_CURRENCY: Unfit = {
  says: "is in another currency that cards take",
  make: async () => holder.walletId,
};

describe.each([...UNFIT, OTHER_CURRENCY])("an account that $says", ({ make }) => {
  test("funds no new card beside an eligible one", async () => {
    const unfit = await make();
    const body = {
      cardholderId: holder.customerId,
      form: "VIRTUAL",
      fundingSources: [holder.usdId, unfit],
    };
    await expectNothing(world(), () => world().call("POST", "/cards", body), {
      ...INELIGIBLE,
      field: "fundingSources.1",
    });
  });

  test("is refused by an update, at the first call already", async () => {
    const unfit = await make();
    const { id } = await cardOn([holder.usdId]);
    const patch = () => world().call("PATCH", `/cards/${id}`, { fundingSources: [second, unfit] });
    await expectNothing(world(), patch, { ...INELIGIBLE, field: "fundingSources.1" });
    expect((await getCard(world(), id)).fundingSources).toEqual([holder.usdId]);
  });
});

test.each(UNFIT)("an account that $says funds no new card alone either", async ({ make }) => {
  const unfit = await make();
  const body = { cardholderId: holder.customerId, form: "VIRTUAL", fundingSources: [unfit] };
  await expectNothing(world(), () => world().call("POST", "/cards", body), {
    ...INELIGIBLE,
    field: "fundingSources.0",
  });
});

test.each(["001", "004", "005", "006", "007", "008"])(
  "an account that ends in %s funds a card",
  async (suffix) => {
    const { customerId } = holder;
    const id = await openAccount(world(), { customerId, currency: "USD", suffix }, 700);
    const card = await cardOn([id]);
    expect([card.state, card.fundingSources]).toEqual(["ACTIVE", [id]]);
  },
);

interface IllShaped {
  says: string;
  sources: () => unknown;
  field: string;
  reason?: string;
}

const NO_ACCOUNT = "InternalAccount:00000000-0000-7000-8000-000000000000";

describe.each<IllShaped>([
  { says: "none", sources: () => [], field: "fundingSources" },
  { says: "no array", sources: () => holder.usdId, field: "fundingSources" },
  { says: "null", sources: () => null, field: "fundingSources" },
  { says: "a number in it", sources: () => [7], field: "fundingSources.0" },
  {
    says: "one twice",
    sources: () => [holder.usdId, second, holder.usdId],
    field: "fundingSources",
  },
  {
    says: "an unknown account",
    sources: () => [holder.usdId, NO_ACCOUNT],
    field: "fundingSources.1",
    reason: "ACCOUNT_NOT_FOUND",
  },
  {
    says: "the id of a customer",
    sources: () => [holder.customerId],
    field: "fundingSources.0",
    reason: "ACCOUNT_NOT_FOUND",
  },
])("fundingSources with $says", ({ sources, field, reason }) => {
  test("are refused on POST and on PATCH", async () => {
    const { id } = await cardOn([holder.usdId]);
    const body = { cardholderId: holder.customerId, form: "VIRTUAL", fundingSources: sources() };
    expectRefused(await world().call("POST", "/cards", body), invalid(field, reason));
    const patch = { fundingSources: sources() };
    expectRefused(await world().call("PATCH", `/cards/${id}`, patch), invalid(field, reason));
    const frozen = { state: "FROZEN", ...patch };
    expectRefused(await world().call("PATCH", `/cards/${id}`, frozen), invalid(field, reason));
  });
});

describe("an update of the sources", () => {
  test("replaces the whole binding, and its order", async () => {
    const { id } = await cardOn([holder.usdId, second]);
    const { status, body } = await patchCard(world(), id, { fundingSources: [third, second] });
    expect([status, body.fundingSources, body.state]).toEqual([200, [third, second], "ACTIVE"]);
    expect(await getCard(world(), id)).toEqual(body);
  });

  test("works on a card that waits to be issued, and on a frozen one", async () => {
    const { customerId: cardholderId, usdId } = holder;
    const waiting = await issueCard(world(), {
      cardholderId,
      fundingSources: [usdId],
      platformCardId: "late-005",
    });
    const changed = await patchCard(world(), waiting.id, { fundingSources: [second] });
    expect([changed.status, changed.body.state]).toEqual([200, "PENDING_ISSUE"]);
    const { id } = await cardOn([usdId]);
    await patchCard(world(), id, { state: "FROZEN" });
    const frozen = await patchCard(world(), id, { fundingSources: [second] });
    expect([frozen.status, frozen.body.state, frozen.body.fundingSources]).toEqual([
      200,
      "FROZEN",
      [second],
    ]);
  });

  test("is refused at the second call if an account became ineligible in between", async () => {
    const { id } = await cardOn([holder.usdId]);
    const body = { fundingSources: [second] };
    const { requestId } = (await world().call("PATCH", `/cards/${id}`, body)).body;
    await setStatus(second, "FROZEN");
    const late = await world().raw("PATCH", `/cards/${id}`, {
      body: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        "service-wallet-signature": "sandbox-valid-signature",
        "request-id": requestId,
      },
    });
    expectRefused(late, { ...INELIGIBLE, field: "fundingSources.0" });
    expect((await getCard(world(), id)).fundingSources).toEqual([holder.usdId]);
  });
});
