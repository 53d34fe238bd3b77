import { beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { fingerprintOf } from "../setup/every-operation.ts";
import {
  createDeposit,
  createRecipient,
  type Recipient,
  receive,
  SENDER,
} from "../setup/incoming.ts";
import { expectRefused, type Refused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let recipient: Recipient;

const PATH = "/sandbox/uma/receive";
const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";
/** The discard port, where nothing listens; nothing must be sent here. */
const DEAF = "http://127.0.0.1:9/hooks";

const entry = (currencyCode: string, enabledTransactionTypes = ["INCOMING"]) => ({
  currencyCode,
  minAmount: 500,
  maxAmount: 9_000,
  enabledTransactionTypes,
});

beforeEach(async () => {
  const supportedCurrencies = [entry("USD"), entry("EUR", ["OUTGOING"]), entry("MXN", [])];
  await world().call("PATCH", "/config", { supportedCurrencies });
  recipient = await createRecipient(world());
});

const listen = (webhookEndpoint: string | null = DEAF) =>
  world().call("PATCH", "/config", { webhookEndpoint });

/** A refused call must write, send and schedule nothing. */
const expectNothing = async (act: () => Promise<unknown>) => {
  const settled = async () => (await world().control("GET", "/status")).body.webhooks.waiting;
  await world().sim.advance("1s"); // the TEST event has been sent
  expect(await settled()).toBe(0);
  const before = await fingerprintOf(world());
  await act();
  expect(await fingerprintOf(world())).toEqual(before);
};

const invalid = (field: string): Refused => ({ status: 400, code: "INVALID_INPUT", field });

const BODY = () => ({
  senderUmaAddress: SENDER,
  receivingCurrencyCode: "USD",
  receivingCurrencyAmount: 8_800,
  receiverUmaAddress: recipient.umaAddress,
  customerId: recipient.customerId,
});

const MEMBERS = Object.entries({
  senderUmaAddress: [5, true, null, [], {}, undefined],
  receivingCurrencyCode: [5, true, null, [], {}, undefined],
  receivingCurrencyAmount: ["5", true, null, [], {}, undefined],
  receiverUmaAddress: [5, true, null, [], {}],
  customerId: [5, true, null, [], {}],
});

describe("a malformed body", () => {
  test.each(MEMBERS)("is refused: %s", async (member, values) => {
    await listen();
    await expectNothing(async () => {
      for (const value of values) {
        const body = { ...BODY(), [member]: value };
        expectRefused(await world().call("POST", PATH, body), invalid(member));
      }
    });
  });

  test.each([0, -1, 0.5, -8_800])("is refused with an amount of %d", async (amount) => {
    await listen();
    await expectNothing(async () => {
      const answer = await receive(world(), recipient, { receivingCurrencyAmount: amount });
      const refused = { status: 400, code: "INVALID_AMOUNT", field: "receivingCurrencyAmount" };
      expectRefused(answer, refused);
    });
  });

  test.each([
    "success.usd@sandbox.uma.test",
    "$success.usd",
    "$@sandbox.uma.test",
    "$success usd@sandbox.uma.test",
    "$success.usd@sandbox",
    "$success.usd@@sandbox.uma.test",
    `$${"x".repeat(64)}@sandbox.uma.test`,
    "",
  ])("is refused with the address %j on either side", async (address) => {
    await listen();
    await expectNothing(async () => {
      for (const member of ["senderUmaAddress", "receiverUmaAddress"]) {
        const answer = await receive(world(), recipient, { [member]: address });
        expectRefused(answer, { status: 400, code: "INVALID_UMA_ADDRESS", field: member });
      }
    });
  });
});

interface Case {
  says: string;
  members(): object | Promise<object>;
  refused: Refused;
}

const notFound = (code: string, field: string): Refused => ({ status: 404, code, field });
const currency = { status: 400, code: "INVALID_CURRENCY", field: "receivingCurrencyCode" };
const outside = { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "receivingCurrencyAmount" };

const deleted = async () => {
  const other = await createRecipient(world(), { umaAddress: "$omar@pay.example" });
  await world().call("DELETE", `/customers/${other.customerId}`);
  return other;
};

/** One mistake at a time (spec/uma-payments.md#receive-request). */
const CASES: Case[] = [
  {
    says: "without a receiver",
    members: () => ({ customerId: undefined }),
    refused: invalid("receiverUmaAddress"),
  },
  {
    says: "to two different customers",
    members: async () => {
      const other = await createRecipient(world(), { umaAddress: "$omar@pay.example" });
      return { receiverUmaAddress: other.umaAddress };
    },
    refused: invalid("receiverUmaAddress"),
  },
  {
    says: "to an unknown customer",
    members: () => ({ customerId: NOBODY }),
    refused: notFound("USER_NOT_FOUND", "customerId"),
  },
  {
    says: "to an id of another kind",
    members: () => ({ customerId: recipient.accountId }),
    refused: notFound("USER_NOT_FOUND", "customerId"),
  },
  {
    says: "to a deleted customer, by id",
    members: async () => ({ customerId: (await deleted()).customerId }),
    refused: notFound("USER_NOT_FOUND", "customerId"),
  },
  {
    says: "to a deleted customer, by address",
    members: async () => ({
      customerId: undefined,
      receiverUmaAddress: (await deleted()).umaAddress,
    }),
    refused: notFound("USER_NOT_FOUND", "receiverUmaAddress"),
  },
  {
    says: "to an address without an owner, and a customer",
    members: () => ({ receiverUmaAddress: "$nobody@pay.example" }),
    refused: notFound("USER_NOT_FOUND", "receiverUmaAddress"),
  },
  {
    says: "to a sandbox person",
    members: () => ({ customerId: undefined, receiverUmaAddress: SENDER }),
    refused: notFound("USER_NOT_FOUND", "receiverUmaAddress"),
  },
  ...[
    "$nobody@sandbox.uma.test",
    "$success@sandbox.uma.test",
    "$success.usd@pay.example",
    "$success.usd@sandbox.uma.test.example",
    "$nadia@pay.example",
  ].map((senderUmaAddress) => ({
    says: `from ${senderUmaAddress}, who is none of the sandbox's people`,
    members: () => ({ senderUmaAddress }),
    refused: notFound("UMA_NOT_FOUND", "senderUmaAddress"),
  })),
  ...["XYZ", "usd", "", "constructor", "BTC", "EUR", "MXN"].map((receivingCurrencyCode) => ({
    says: `in ${receivingCurrencyCode || "no currency"}`,
    members: () => ({ receivingCurrencyCode }),
    refused: currency,
  })),
  ...[1, 499, 9_001, 9_000_000_000_000_000, 1e300].map((receivingCurrencyAmount) => ({
    says: `of ${receivingCurrencyAmount}`,
    members: () => ({ receivingCurrencyAmount }),
    refused: outside,
  })),
];

describe("a payment", () => {
  test.each(CASES)("is refused $says", async ({ members, refused }) => {
    await listen();
    const changed = await members();
    await expectNothing(async () => {
      expectRefused(await receive(world(), recipient, changed), refused);
    });
  });

  test.each([null, ""])("is refused when the endpoint is cleared with %j", async (cleared) => {
    await listen();
    await listen(cleared as null);
    await expectNothing(async () => {
      const refused = { status: 400, code: "WEBHOOK_ENDPOINT_NOT_SET" };
      expectRefused(await receive(world(), recipient), refused);
    });
  });

  test.each(["FROZEN", "CLOSED", "PENDING"])(
    "is refused when its account is %s",
    async (status) => {
      await listen();
      await world().control("PATCH", `/internal-accounts/${recipient.accountId}`, { status });
      await expectNothing(async () => {
        for (const [members, field] of [
          [{}, "customerId"],
          [
            { customerId: undefined, receiverUmaAddress: recipient.umaAddress },
            "receiverUmaAddress",
          ],
        ] as const) {
          const answer = await receive(world(), recipient, members);
          expectRefused(answer, { ...invalid(field), reason: "ACCOUNT_NOT_ACTIVE" });
          expect(answer.body.details).toMatchObject({
            accountId: recipient.accountId,
            accountStatus: status,
          });
        }
      });
    },
  );

  test("does not need the primary account when a deposit account takes the money", async () => {
    const pesos = { ...entry("MXN"), maxAmount: 10_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [pesos] });
    await createDeposit(world(), recipient.customerId, "999");
    const query = `customerId=${recipient.customerId}&currency=MXN`;
    const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
    const account = body.data[0].id;
    await world().control("PATCH", `/internal-accounts/${account}`, { status: "FROZEN" });
    await listen();
    const answer = await receive(world(), recipient, { receivingCurrencyCode: "MXN" });
    expect(answer.status).toBe(200);
  });

  test("that an account has no room for is refused", async () => {
    const wide = { ...entry("USD"), maxAmount: 9_000_000_000_000_000 };
    await world().call("PATCH", "/config", { supportedCurrencies: [wide] });
    const fund = { amount: 100_000_000_000 };
    const path = `/sandbox/internal-accounts/${recipient.accountId}/fund`;
    for (let funding = 0; funding < 73; funding += 1) await world().call("POST", path, fund);
    await listen();
    await expectNothing(async () => {
      const most = { receivingCurrencyAmount: 9_000_000_000_000_000 };
      expectRefused(await receive(world(), recipient, most), outside);
    });
  });
});

/** Of two mistakes, the first in the list answers (spec/uma-payments.md#receive-request). */
const ORDER: Case[] = [
  {
    says: "a malformed address before an unknown customer",
    members: () => ({ senderUmaAddress: "$", customerId: NOBODY }),
    refused: { status: 400, code: "INVALID_UMA_ADDRESS", field: "senderUmaAddress" },
  },
  {
    says: "an unknown customer before a currency that does not fit",
    members: () => ({ customerId: NOBODY, receivingCurrencyCode: "XYZ" }),
    refused: notFound("USER_NOT_FOUND", "customerId"),
  },
  {
    says: "an unknown sender before a currency that does not fit",
    members: () => ({
      senderUmaAddress: "$nobody@sandbox.uma.test",
      receivingCurrencyCode: "XYZ",
    }),
    refused: notFound("UMA_NOT_FOUND", "senderUmaAddress"),
  },
  {
    says: "an account that is not active before a currency that is not received",
    members: async () => {
      const query = `customerId=${recipient.customerId}&currency=EUR`;
      const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
      const path = `/internal-accounts/${body.data[0].id}`;
      await world().control("PATCH", path, { status: "FROZEN" });
      return { receivingCurrencyCode: "EUR" };
    },
    refused: { ...invalid("customerId"), reason: "ACCOUNT_NOT_ACTIVE" },
  },
  {
    says: "a currency that is not received before an amount outside its bounds",
    members: () => ({ receivingCurrencyCode: "EUR", receivingCurrencyAmount: 1 }),
    refused: currency,
  },
  {
    says: "an amount outside the bounds before an endpoint that is not set",
    members: async () => {
      await listen(null);
      return { receivingCurrencyAmount: 1 };
    },
    refused: outside,
  },
];

describe("of two mistakes", () => {
  test.each(ORDER)("$says", async ({ members, refused }) => {
    await listen();
    expectRefused(await receive(world(), recipient, await members()), refused);
  });
});

test("receiving and deciding payments need the permission TRANSACT", () => {
  const own = PLATFORM_ENDPOINTS.filter(
    ({ path }) => path === PATH || /^\/transactions\/.*\/(approve|reject)$/.test(path),
  );
  expect(own.map(({ permission }) => permission)).toEqual(["TRANSACT", "TRANSACT", "TRANSACT"]);
});
