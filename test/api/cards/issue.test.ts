import { describe, expect, test } from "vitest";
import { createPayee } from "../../setup/platform.ts";
import { expectNothing, invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  type Cardholder,
  createCardholder,
  getCard,
  issueCard,
  openAccount,
} from "./setup/card-world.ts";

const world = worldPerTest();

const issued = async (holder: Cardholder, platformCardId?: string) =>
  issueCard(world(), {
    cardholderId: holder.customerId,
    fundingSources: [holder.usdId],
    ...(platformCardId !== undefined && { platformCardId }),
  });

const post = (body: object) => world().call("POST", "/cards", body);

const PROVISIONED = ["brand", "last4", "expMonth", "expYear", "panEmbedUrl", "issuerRef"];

test("the reply shows a card without the issuer's values", async () => {
  const { customerId, usdId } = await createCardholder(world());
  const { status, body } = await post({
    cardholderId: customerId,
    platformCardId: "travel-card-77x",
    form: "VIRTUAL",
    fundingSources: [usdId],
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^Card:[0-9a-f-]{36}$/),
    cardholderId: customerId,
    platformCardId: "travel-card-77x",
    state: "PENDING_ISSUE",
    stateReason: null,
    form: "VIRTUAL",
    fundingSources: [usdId],
    currency: "USD",
    createdAt: "2026-01-05T09:00:00.000Z",
    updatedAt: "2026-01-05T09:00:00.000Z",
  });
});

test("right after the reply the card is ACTIVE, with the issuer's values", async () => {
  const { customerId, walletId } = await createCardholder(world());
  const card = await issueCard(world(), {
    cardholderId: customerId,
    platformCardId: "travel-card-77x",
    fundingSources: [walletId],
  });
  const { issuerRef } = card;
  expect(issuerRef).toMatch(/^sim_card_[0-9a-f]{8}$/);
  expect(card).toEqual({
    id: card.id,
    cardholderId: customerId,
    platformCardId: "travel-card-77x",
    state: "ACTIVE",
    stateReason: null,
    brand: "VISA",
    form: "VIRTUAL",
    last4: "0465",
    expMonth: 1,
    expYear: 2030,
    panEmbedUrl: `https://issuer.sandbox.test/pan?card=${issuerRef}`,
    issuerRef,
    fundingSources: [walletId],
    currency: "USDB",
    createdAt: "2026-01-05T09:00:00.000Z",
    updatedAt: "2026-01-05T09:00:00.000Z",
  });
});

test.each([
  { platformCardId: "travel-card-77x", last4: "0465" },
  { platformCardId: "fleet-9", last4: "3884" },
  { platformCardId: "card-19", last4: "0014" },
])("a card named $platformCardId ends in $last4, whoever holds it", async (row) => {
  const holder = await createCardholder(world());
  expect((await issued(holder, row.platformCardId)).last4).toBe(row.last4);
});

describe("the suffix of platformCardId", () => {
  test.each([
    { suffix: "001", state: "PENDING_ISSUE", reason: null },
    { suffix: "002", state: "CLOSED", reason: "ISSUER_REJECTED" },
    { suffix: "003", state: "ACTIVE", reason: null },
    { suffix: "004", state: "ACTIVE", reason: null },
    { suffix: "005", state: "PENDING_ISSUE", reason: null },
    { suffix: "006", state: "ACTIVE", reason: null },
    { suffix: "01", state: "ACTIVE", reason: null },
    { suffix: "0001", state: "PENDING_ISSUE", reason: null },
    { suffix: "001x", state: "ACTIVE", reason: null },
  ])("$suffix makes it $state", async ({ suffix, state, reason }) => {
    const holder = await createCardholder(world());
    const card = await issued(holder, `card${suffix}`);
    expect([card.state, card.stateReason]).toEqual([state, reason]);
    const given = PROVISIONED.filter((member) => card[member] !== undefined);
    expect(given).toEqual(state === "ACTIVE" ? PROVISIONED : []);
    expect(card.fundingSources).toEqual([holder.usdId]);
  });

  test("001 stays forever", async () => {
    const { id } = await issued(await createCardholder(world()), "card001");
    await world().control("POST", "/clock/advance", { by: "30d" });
    expect((await getCard(world(), id)).state).toBe("PENDING_ISSUE");
  });

  test("005 is provisioned after 30 seconds and not before", async () => {
    const { id } = await issued(await createCardholder(world()), "card005");
    await goTo(world(), "09:00:29.999");
    expect((await getCard(world(), id)).state).toBe("PENDING_ISSUE");
    await goTo(world(), "09:00:30.000");
    expect(await getCard(world(), id)).toMatchObject({
      state: "ACTIVE",
      last4: expect.stringMatching(/^[0-9]{4}$/),
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:00:30.000Z",
    });
  });

  test("the month of issue counts, not that of the provisioning", async () => {
    await world().control("POST", "/clock/advance", { to: "2026-01-31T23:59:45.000Z" });
    const { id } = await issued(await createCardholder(world()), "card005");
    await world().control("POST", "/clock/advance", { by: "30s" });
    const card = await getCard(world(), id);
    expect([card.updatedAt, card.expMonth, card.expYear]).toEqual([
      "2026-02-01T00:00:15.000Z",
      1,
      2030,
    ]);
  });
});

test("without platformCardId one is made, and the cardholder's id decides the outcome", async () => {
  const holder = await createCardholder(world());
  const [first, second] = [await issued(holder), await issued(holder)];
  expect(first.platformCardId).toMatch(/^[0-9a-f]{16}$/);
  expect(second.platformCardId).not.toBe(first.platformCardId);
  expect([first.state, second.state]).toEqual(["ACTIVE", "ACTIVE"]);
});

test("an approved business gets a card too", async () => {
  const { body: business } = await world().call("POST", "/customers", {
    customerType: "BUSINESS",
    legalName: "Pier Books Ltd",
  });
  const query = `customerId=${business.id}&currency=USD`;
  const { body: accounts } = await world().call("GET", `/customers/internal-accounts?${query}`);
  const input = {
    cardholderId: business.id,
    form: "VIRTUAL",
    fundingSources: [accounts.data[0].id],
  };
  await world().control("PATCH", `/customers/${business.id}`, { kybStatus: "PENDING" });
  expect(await post(input)).toMatchObject({
    status: 400,
    body: { code: "CARDHOLDER_KYC_NOT_APPROVED" },
  });
  await world().control("PATCH", `/customers/${business.id}`, { kybStatus: "APPROVED" });
  expect((await post(input)).status).toBe(201);
});

describe("nothing is issued", () => {
  const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";
  const NO_ACCOUNT = "InternalAccount:00000000-0000-7000-8000-000000000000";

  // spec/cards.md#cardholder
  test.each(["PENDING", "REJECTED", "UNVERIFIED"])(
    "to a cardholder whose kycStatus is %s",
    async (kycStatus) => {
      const { customerId, usdId } = await createCardholder(world());
      const set = await world().control("PATCH", `/customers/${customerId}`, { kycStatus });
      expect(set.body.kycStatus).toBe(kycStatus);
      const body = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [usdId] };
      await expectNothing(world(), () => post(body), {
        status: 400,
        code: "CARDHOLDER_KYC_NOT_APPROVED",
        field: "cardholderId",
      });
    },
  );

  test("to an unknown or deleted customer", async () => {
    const { customerId, usdId } = await createCardholder(world());
    const body = { form: "VIRTUAL", fundingSources: [usdId] };
    const unknown = invalid("cardholderId", "USER_NOT_FOUND");
    await expectNothing(world(), () => post({ ...body, cardholderId: NOBODY }), unknown);
    await expectNothing(world(), () => post({ ...body, cardholderId: usdId }), unknown);
    await world().call("DELETE", `/customers/${customerId}`);
    await expectNothing(world(), () => post({ ...body, cardholderId: customerId }), unknown);
  });

  test.each(["PHYSICAL", "virtual", "", 1, null])("of form %j", async (form) => {
    const { customerId, usdId } = await createCardholder(world());
    const body = { cardholderId: customerId, form, fundingSources: [usdId] };
    await expectNothing(world(), () => post(body), invalid("form"));
  });

  test("under a platformCardId that another card has, also a closed one", async () => {
    const holder = await createCardholder(world());
    await issued(holder, "plum");
    await issued(holder, "rejected-002");
    for (const platformCardId of ["plum", "rejected-002"]) {
      const body = {
        cardholderId: holder.customerId,
        form: "VIRTUAL",
        fundingSources: [holder.usdId],
        platformCardId,
      };
      await expectNothing(world(), () => post(body), invalid("platformCardId"));
    }
    expect((await issued(holder, "Plum")).state).toBe("ACTIVE");
  });

  test("in the order of checks: shape, ids, status, eligibility, uniqueness", async () => {
    const holder = await createCardholder(world());
    await issued(holder, "plum");
    const { customerId } = holder;
    const usdc = await openAccount(world(), { customerId, currency: "USDC" });
    const wrong = { cardholderId: NOBODY, form: "PHYSICAL", fundingSources: [NO_ACCOUNT] };
    const refused = async (members: object) => {
      const { status, body } = await post({ ...wrong, platformCardId: "plum", ...members });
      expect(status).toBe(400);
      return body.reason ?? body.details.field ?? body.code;
    };
    await world().control("PATCH", `/customers/${customerId}`, { kycStatus: "PENDING" });
    const told = [
      await refused({}),
      await refused({ form: "VIRTUAL" }),
      await refused({ form: "VIRTUAL", cardholderId: customerId }),
    ];
    expect(told).toEqual(["form", "USER_NOT_FOUND", "ACCOUNT_NOT_FOUND"]);
    const known = { form: "VIRTUAL", cardholderId: customerId, fundingSources: [usdc] };
    expect((await post({ ...wrong, ...known, platformCardId: "plum" })).body.code).toBe(
      "CARDHOLDER_KYC_NOT_APPROVED",
    );
    await world().control("PATCH", `/customers/${customerId}`, { kycStatus: "APPROVED" });
    expect((await post({ ...known, platformCardId: "plum" })).body.code).toBe(
      "FUNDING_SOURCE_INELIGIBLE",
    );
    const fitting = { ...known, fundingSources: [holder.usdId], platformCardId: "plum" };
    expect((await post(fitting)).body.details.field).toBe("platformCardId");
  });

  test("for an external account", async () => {
    const { customerId } = await createCardholder(world());
    const payee = await createPayee(world(), customerId, "999");
    const body = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [payee] };
    await expectNothing(
      world(),
      () => post(body),
      invalid("fundingSources.0", "ACCOUNT_KIND_NOT_ALLOWED"),
    );
  });
});

test("an Idempotency-Key is ignored: the same call twice makes two cards", async () => {
  const { customerId, usdId } = await createCardholder(world());
  const body = JSON.stringify({
    cardholderId: customerId,
    form: "VIRTUAL",
    fundingSources: [usdId],
  });
  const headers = { "content-type": "application/json", "idempotency-key": "one" };
  const twice = [
    await world().raw("POST", "/cards", { body, headers }),
    await world().raw("POST", "/cards", { body, headers }),
  ];
  expect(twice.map(({ status }) => status)).toEqual([201, 201]);
  expect(twice[0]?.body.id).not.toBe(twice[1]?.body.id);
});
