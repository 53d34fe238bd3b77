import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seed } from "../../control/seed/setup/seeding.ts";
import { type Behaviour, Receiver } from "../../setup/receiver.ts";
import {
  answered,
  answering,
  createRecipient,
  greet,
  type Recipient,
  receive,
} from "../setup/incoming.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let receiver: Receiver;

const ASKED = "requestedReceiverCustomerInfoFields";

const entry = (currencyCode: string, fields: object = {}) => ({
  currencyCode,
  minAmount: 100,
  maxAmount: 10_000_000,
  ...fields,
});

/**
 * Dollar settings: fields that the provider wants of customers, and the platform of the other side.
 */
const settings = (
  providerRequiredCustomerFields: readonly string[],
  requiredCounterpartyFields: readonly string[] = [],
) => [
  entry("USD", {
    providerRequiredCustomerFields,
    requiredCounterpartyFields: requiredCounterpartyFields.map((name) => ({
      name,
      mandatory: true,
    })),
  }),
  entry("EUR"),
];

const configure = async (supportedCurrencies: object[]) => {
  const fixture = { name: "fields", config: { supportedCurrencies } };
  expect((await seed(world(), fixture)).status).toBe(200);
};

beforeEach(async () => {
  receiver = await new Receiver().start();
});

afterEach(() => receiver.stop());

/** A customer of euros only, so the provider's fields for dollars may be missing. */
const recipientWith = async (members: object = {}): Promise<Recipient> => {
  const recipient = await createRecipient(world(), { currencies: ["EUR"], ...members });
  await greet(world(), receiver);
  return recipient;
};

const transaction = async (id: string) => (await world().call("GET", `/transactions/${id}`)).body;

const asked = async (recipient: Recipient) => {
  const { body: payment } = await receive(world(), recipient);
  await goTo(world(), "09:00:10.000");
  return { payment, request: receiver.received[0]?.data };
};

/**
 * Fields that the provider requires and the customer's record lacks
 * (spec/uma-payments.md#requested-fields).
 */
const KNOWN: { says: string; wanted: string[]; members: object; requested: string[] }[] = [
  { says: "nothing is wanted", wanted: [], members: {}, requested: [] },
  {
    says: "nothing is known",
    wanted: ["FULL_NAME", "BIRTH_DATE", "TAX_ID", "PHONE_NUMBER"],
    members: {},
    requested: ["FULL_NAME", "BIRTH_DATE", "TAX_ID", "PHONE_NUMBER"],
  },
  {
    says: "some of it is known",
    wanted: ["BIRTH_DATE", "FULL_NAME", "COUNTRY_OF_RESIDENCE", "USER_TYPE"],
    members: { fullName: "Nadia Roy", address: { line1: "1", postalCode: "7", country: "FR" } },
    requested: ["BIRTH_DATE"],
  },
  {
    says: "all of it is known",
    wanted: ["EMAIL", "NATIONALITY"],
    members: { email: "nadia@shop.example", nationality: "FR" },
    requested: [],
  },
];

describe("the requested fields of a recipient", () => {
  test.each(KNOWN)("when $says", async ({ wanted, members, requested }) => {
    await configure(settings(wanted));
    const { payment, request } = await asked(await recipientWith(members));
    expect(payment).not.toHaveProperty(ASKED);
    const fields = requested.map((name) => ({ name, mandatory: true }));
    expect(request[ASKED]).toEqual(requested.length === 0 ? undefined : fields);
    const { [ASKED]: _asked, ...rest } = request;
    expect(rest).toEqual(payment);
  });

  test("are in the approval request only", async () => {
    await configure(settings(["TAX_ID"]));
    receiver.behaviour = answering(answered(200, { receiverCustomerInfo: { TAX_ID: "X-5512" } }));
    const { payment } = await asked(await recipientWith());
    const [, completed] = receiver.received.filter(({ data }) => data.id === payment.id);
    expect(completed?.data).toMatchObject({ status: "COMPLETED" });
    for (const shown of [completed?.data, await transaction(payment.id)])
      expect(shown).not.toHaveProperty(ASKED);
  });
});

// spec/uma-payments.md#counterparty-information
describe("the information about the sender", () => {
  test.each([
    { wanted: [], told: undefined },
    { wanted: ["FULL_NAME"], told: { FULL_NAME: "Sandbox Counterparty" } },
    {
      wanted: ["BIRTH_DATE", "NATIONALITY", "COUNTRY_OF_RESIDENCE", "TAX_ID"],
      told: {
        BIRTH_DATE: "1990-01-01",
        NATIONALITY: "US",
        COUNTRY_OF_RESIDENCE: "US",
        TAX_ID: "SANDBOX",
      },
    },
  ])("has the fields of the platform's currency: $wanted", async ({ wanted, told }) => {
    await configure(settings([], wanted));
    const { payment, request } = await asked(await recipientWith());
    expect(payment.counterpartyInformation).toEqual(told);
    expect(request.counterpartyInformation).toEqual(told);
  });
});

const COMPLETE = { TAX_ID: "X-5512", BIRTH_DATE: "1991-11-02" };

const padded = (bytes: number) => {
  const body = { receiverCustomerInfo: COMPLETE, pad: "" };
  return { ...body, pad: "x".repeat(bytes - JSON.stringify(body).length) };
};

/** Answers 200 to a payment that asks for TAX_ID and BIRTH_DATE. */
const ANSWERS: { says: string; answer: Behaviour; isComplete: boolean }[] = [
  {
    says: "all of it",
    answer: answered(200, { receiverCustomerInfo: COMPLETE }),
    isComplete: true,
  },
  {
    says: "all of it and more",
    answer: answered(200, { receiverCustomerInfo: { ...COMPLETE, EMAIL: "a@b.example" }, x: 1 }),
    isComplete: true,
  },
  {
    says: "values of other types",
    answer: answered(200, { receiverCustomerInfo: { TAX_ID: 5512, BIRTH_DATE: { year: 1991 } } }),
    isComplete: true,
  },
  { says: "it in 3 KiB", answer: answered(200, padded(3 * 1024)), isComplete: true },
  { says: "it in exactly 64 KiB", answer: answered(200, padded(64 * 1024)), isComplete: true },
  { says: "it in a byte more", answer: answered(200, padded(64 * 1024 + 1)), isComplete: false },
  { says: "no body", answer: answered(200), isComplete: false },
  { says: "an empty object", answer: answered(200, {}), isComplete: false },
  { says: "null", answer: answered(200, "null"), isComplete: false },
  { says: "no JSON", answer: answered(200, '{"receiverCustomerInfo":{'), isComplete: false },
  {
    says: "a list",
    answer: answered(200, [{ receiverCustomerInfo: COMPLETE }]),
    isComplete: false,
  },
  {
    says: "a list of it",
    answer: answered(200, { receiverCustomerInfo: Object.entries(COMPLETE) }),
    isComplete: false,
  },
  {
    says: "it as text",
    answer: answered(200, { receiverCustomerInfo: JSON.stringify(COMPLETE) }),
    isComplete: false,
  },
  { says: "it one level too high", answer: answered(200, COMPLETE), isComplete: false },
  {
    says: "half of it",
    answer: answered(200, { receiverCustomerInfo: { TAX_ID: "X-5512" } }),
    isComplete: false,
  },
  {
    says: "half of it, and null",
    answer: answered(200, { receiverCustomerInfo: { ...COMPLETE, BIRTH_DATE: null } }),
    isComplete: false,
  },
  {
    says: "half of it, and an empty text",
    answer: answered(200, { receiverCustomerInfo: { ...COMPLETE, BIRTH_DATE: "" } }),
    isComplete: false,
  },
];

describe("a payment that asks for data and is answered 200", () => {
  let recipient: Recipient;

  beforeEach(async () => {
    await configure(settings(["TAX_ID", "BIRTH_DATE"]));
    recipient = await recipientWith();
  });

  test.each(ANSWERS)("with $says", async ({ answer, isComplete }) => {
    receiver.behaviour = answering(answer);
    const { payment } = await asked(recipient);
    expect(await transaction(payment.id)).toMatchObject(
      isComplete
        ? { status: "COMPLETED", settledAt: "2026-01-05T09:00:10.000Z" }
        : { status: "FAILED", failureReason: "MISSING_MANDATORY_PAYEE_DATA" },
    );
    expect(await balanceOf(world(), recipient.accountId)).toBe(isComplete ? 8_800 : 0);
    const told = receiver.received.filter(({ data }) => data.id === payment.id);
    expect(told.map(({ type }) => type)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      isComplete ? "INCOMING_PAYMENT.COMPLETED" : "INCOMING_PAYMENT.FAILED",
    ]);
  });

  test("keeps at most 2 KiB of the answer", async () => {
    receiver.behaviour = answering(answered(200, padded(64 * 1024)));
    await asked(recipient);
    const { body: list } = await world().control("GET", "/webhooks?type=INCOMING_PAYMENT.PENDING");
    const { body } = await world().control("GET", `/webhooks/${list.data[0].id}`);
    expect(body.attempts).toHaveLength(1);
    expect(body.attempts[0].reply).toBe(JSON.stringify(padded(64 * 1024)).slice(0, 2048));
    expect(Object.keys(body.attempts[0]).sort()).toEqual([
      "at",
      "attempt",
      "cut",
      "reply",
      "status",
      "tookMs",
    ]);
  });

  test.each([403, 422, 500])("needs no fields when it is answered %d", async (status) => {
    receiver.behaviour = answering(answered(status));
    const { payment } = await asked(recipient);
    expect((await transaction(payment.id)).failureReason).not.toBe("MISSING_MANDATORY_PAYEE_DATA");
  });

  test.each([
    [undefined, "TAX_ID"],
    [{}, "TAX_ID"],
    [{ receiverCustomerInfo: {} }, "TAX_ID"],
    [{ receiverCustomerInfo: { BIRTH_DATE: "1991-11-02" } }, "TAX_ID"],
    [{ receiverCustomerInfo: { TAX_ID: "X-5512" } }, "BIRTH_DATE"],
    [{ receiverCustomerInfo: { TAX_ID: "X-5512", BIRTH_DATE: "" } }, "BIRTH_DATE"],
  ])("is not approved by a call with %j, and stays PENDING", async (body, missing) => {
    receiver.behaviour = answering(answered(202));
    const { payment } = await asked(recipient);
    const path = `/transactions/${payment.id}/approve`;
    expectRefused(await world().call("POST", path, body), {
      status: 400,
      code: "MISSING_MANDATORY_USER_INFO",
      field: `receiverCustomerInfo.${missing}`,
    });
    expect((await transaction(payment.id)).status).toBe("PENDING");
    const whole = await world().call("POST", path, { receiverCustomerInfo: COMPLETE });
    expect(whole).toMatchObject({ status: 200, body: { status: "PROCESSING" } });
  });

  test("is rejected by a call without a body", async () => {
    receiver.behaviour = answering(answered(202));
    const { payment } = await asked(recipient);
    const { body } = await world().call("POST", `/transactions/${payment.id}/reject`);
    expect(body.status).toBe("REJECTED");
  });
});
