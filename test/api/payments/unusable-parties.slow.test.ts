import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { expectUntouched } from "../setup/untouched.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let receiver: Receiver;
let payer: Payer;
let other: Payer;
/** Mexican accounts, by their owners. */
let banks: { payer: string; other: string };

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  payer = await createPayer(world());
  other = await createPayer(world());
  banks = {
    payer: await createPayee(world(), payer.customerId, "003"),
    other: await createPayee(world(), other.customerId, "998"),
  };
});

afterEach(() => receiver.stop());

const untouched = (act: () => Promise<unknown>) =>
  expectUntouched({ world: world(), receiver }, act);

const invalid = (field: string, reason: string) => ({
  status: 400,
  code: "INVALID_INPUT",
  reason,
  field,
});

const ask = (from: string, to: string, more: object = {}) =>
  world().call("POST", "/quotes", { ...quoteInput(from, to), ...more });

const execute = ({ id }: { id: string }) => world().call("POST", `/quotes/${id}/execute`);

const remove = async ({ customerId }: Payer) =>
  expect((await world().call("DELETE", `/customers/${customerId}`)).status).toBe(200);

/** Payments with a deleted party; the owner of the money makes no difference. */
const DELETED = [
  {
    says: "its money to the platform's account",
    parties: async () => ({ from: other.accountId, to: await platformAccount("USDC") }),
    field: "source.accountId",
  },
  {
    says: "its money to another customer",
    parties: async () => ({ from: other.accountId, to: payer.accountId }),
    field: "source.accountId",
  },
  {
    says: "its money to its own bank",
    parties: async () => ({ from: other.accountId, to: banks.other }),
    field: "source.accountId",
  },
  {
    says: "another customer's money to its account",
    parties: async () => ({ from: payer.accountId, to: other.accountId }),
    field: "destination.accountId",
  },
  {
    says: "the platform's money to its account",
    parties: async () => ({ from: await platformDollars(), to: other.accountId }),
    field: "destination.accountId",
  },
  {
    says: "the platform's money to its bank",
    parties: async () => ({ from: await platformDollars(), to: banks.other }),
    field: "destination.accountId",
  },
];

const platformAccount = async (currency: string) => {
  const { body } = await world().call("GET", `/platform/internal-accounts?currency=${currency}`);
  return body.data[0].id as string;
};

const platformDollars = async () => {
  const id = await platformAccount("USD");
  await world().call("POST", `/sandbox/internal-accounts/${id}/fund`, { amount: 25_000 });
  return id;
};

// spec/quotes.md#usable-parties
describe("of a deleted customer", () => {
  test.each(DELETED)("there is no quote for $says", async ({ parties, field }) => {
    const { from, to } = await parties();
    await remove(other);
    await untouched(async () => {
      for (const immediatelyExecute of [false, true])
        expectRefused(
          await ask(from, to, { immediatelyExecute }),
          invalid(field, "CUSTOMER_DELETED"),
        );
    });
  });

  test.each(DELETED)("an earlier quote is not executed: $says", async ({ parties, field }) => {
    const { from, to } = await parties();
    const { body: quote } = await ask(from, to);
    await remove(other);
    await untouched(async () =>
      expectRefused(await execute(quote), invalid(field, "CUSTOMER_DELETED")),
    );
    expect((await world().call("GET", `/quotes/${quote.id}`)).body).toEqual(quote);
  });

  test("no platform account pays, at creation or execution", async () => {
    const dollars = await platformDollars();
    const source = {
      sourceType: "ACCOUNT",
      accountId: dollars,
      customerId: other.customerId,
    };
    const { body: quote } = await ask(dollars, banks.payer, { source });
    await remove(other);
    await untouched(async () => {
      expectRefused(
        await ask(dollars, banks.payer, { source }),
        invalid("source.customerId", "USER_NOT_FOUND"),
      );
      expectRefused(await execute(quote), invalid("source.customerId", "CUSTOMER_DELETED"));
    });
  });

  test("an empty account is closed, and takes no sandbox money", async () => {
    const path = `/customers/internal-accounts?customerId=${other.customerId}&currency=USDC`;
    const { id } = (await world().call("GET", path)).body.data[0];
    await remove(other);
    await untouched(async () =>
      expectRefused(
        await world().call("POST", `/sandbox/internal-accounts/${id}/fund`, { amount: 1 }),
        invalid("accountId", "CUSTOMER_DELETED"),
      ),
    );
  });

  test("a payment in progress ends, with its refund", async () => {
    const failing = await createPayee(world(), other.customerId, "002");
    const payments = [failing, await createPayee(world(), other.customerId, "003")];
    const ids: string[] = [];
    for (const to of payments) {
      const { body } = await ask(other.accountId, to, { immediatelyExecute: true });
      ids.push(body.transactionId);
    }
    await remove(other);
    await goTo(world(), "09:06:00.000");
    const [failed, settled] = await Promise.all(
      ids.map(async (id) => (await world().call("GET", `/transactions/${id}`)).body),
    );
    expect(failed).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } });
    expect(settled).toMatchObject({ status: "COMPLETED" });
    expect(await balanceOf(world(), other.accountId)).toBe(975_000);
  });
});

describe("a foreign account", () => {
  test.each([
    {
      says: "another customer's bank",
      input: () => ({ to: banks.other }),
      refused: invalid("destination.accountId", "OWNER_MISMATCH"),
    },
    {
      says: "another customer's name on the payer's account",
      input: () => ({
        to: banks.payer,
        source: {
          sourceType: "ACCOUNT",
          accountId: payer.accountId,
          customerId: other.customerId,
        },
      }),
      refused: invalid("source.customerId", "OWNER_MISMATCH"),
    },
    {
      says: "the payer's name on another customer's account",
      input: () => ({
        to: banks.payer,
        source: {
          sourceType: "ACCOUNT",
          accountId: other.accountId,
          customerId: payer.customerId,
        },
      }),
      refused: invalid("source.customerId", "OWNER_MISMATCH"),
    },
  ])("is refused: $says", async ({ input, refused }) => {
    const { to, ...more } = input();
    await untouched(async () => {
      for (const immediatelyExecute of [false, true])
        expectRefused(await ask(payer.accountId, to, { ...more, immediatelyExecute }), refused);
    });
  });

  test("of a bank is neither shown nor deleted through the other scope", async () => {
    const { call } = world();
    const notFound = { status: 404, code: "REFERENCE_NOT_FOUND" };
    await untouched(async () => {
      for (const method of ["GET", "DELETE"])
        expectRefused(await call(method, `/platform/external-accounts/${banks.payer}`), notFound);
    });
  });

  test("of a bank cannot be funded as if it were an internal one", () =>
    untouched(async () =>
      expectRefused(
        await world().call("POST", `/sandbox/internal-accounts/${banks.payer}/fund`, {
          amount: 1,
        }),
        { status: 404, code: "REFERENCE_NOT_FOUND" },
      ),
    ));

  test("of a bank is refused at execution if it was deleted meanwhile", async () => {
    const { body: quote } = await ask(payer.accountId, banks.payer);
    await world().call("DELETE", `/customers/external-accounts/${banks.payer}`);
    await untouched(async () => {
      expectRefused(await execute(quote), {
        status: 400,
        code: "INVALID_BANK_ACCOUNT",
        field: "destination.accountId",
      });
      expectRefused(
        await ask(payer.accountId, banks.payer),
        invalid("destination.accountId", "ACCOUNT_NOT_FOUND"),
      );
    });
  });
});
