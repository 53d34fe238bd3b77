import { describe, expect, test } from "vitest";
import { everyRow } from "../../setup/every-row.ts";
import {
  ACCOUNT_CASES,
  type AccountCase,
  accountCase,
  COMPANY,
  creationBody,
  PERSON,
  withEnding,
} from "../setup/account-bodies.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const PLATFORM = "/platform/external-accounts";

const world = worldPerTest();

const create = (one: AccountCase, changes: Record<string, unknown>) =>
  world().call("POST", PLATFORM, creationBody(one, changes));

/** spec/external-accounts.md#name-verification */
const OUTCOMES = [
  { suffix: "102", status: "NOT_MATCHED", fullName: "Other Holder" },
  { suffix: "103", status: "PARTIAL_MATCH", fullName: "Lucie Anne M." },
  { suffix: "104", status: "PENDING", fullName: undefined },
  { suffix: "106", status: "UNSUPPORTED", fullName: undefined },
  { suffix: "107", status: "CHECKED_BY_RECEIVING_FI", fullName: undefined },
  { suffix: "002", status: "MATCHED", fullName: "Lucie Anne Moreau" },
  { suffix: "000", status: "MATCHED", fullName: "Lucie Anne Moreau" },
  { suffix: "101", status: "MATCHED", fullName: "Lucie Anne Moreau" },
  { suffix: "108", status: "MATCHED", fullName: "Lucie Anne Moreau" },
] as const;

const BANKS = ACCOUNT_CASES.filter(({ isWallet }) => !isWallet);
const WALLETS = ACCOUNT_CASES.filter(({ isWallet }) => isWallet);

/** Each account with one of the outcomes in turn, and the first one with all of them. */
const everyOne = ([first, ...others]: AccountCase[]) => [
  ...OUTCOMES.map((outcome) => ({ one: first as AccountCase, outcome })),
  ...others.map((one, at) => ({
    one,
    outcome: OUTCOMES[at % OUTCOMES.length] as (typeof OUTCOMES)[number],
  })),
];

const everyHolder = (accounts: AccountCase[], check: (row: HolderRow) => unknown) =>
  everyRow(everyOne(accounts), check, ({ one, outcome }) => `${one.type} ${outcome.suffix}`);

type HolderRow = ReturnType<typeof everyOne>[number];

describe("the holder of a new bank account", () => {
  test("is verified as its identifier's ending says", () =>
    everyHolder(BANKS, async ({ one, outcome: { suffix, status, fullName } }) => {
      const changes = { [one.identifier]: withEnding(one, suffix), beneficiary: PERSON };
      const { status: http, body } = await create(one, changes);
      expect(http).toBe(201);
      expect(body).toMatchObject({ status: "ACTIVE", beneficiaryVerificationStatus: status });
      expect(body.beneficiaryVerifiedData).toEqual(fullName && { fullName });
      expect((await world().call("GET", `${PLATFORM}/${body.id}`)).body).toEqual(body);
    }));

  test("is not verified for a wallet, whatever its ending", () =>
    everyHolder(WALLETS, async ({ one, outcome: { suffix } }) => {
      const { status, body } = await create(one, { [one.identifier]: withEnding(one, suffix) });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty("beneficiaryVerificationStatus");
      expect(body).not.toHaveProperty("beneficiaryVerifiedData");
    }));

  test.each([
    { suffix: "103", beneficiary: COMPANY, fullName: "Moreau et Fils S." },
    { suffix: "103", beneficiary: { ...PERSON, fullName: "Suharto" }, fullName: "S." },
    { suffix: "999", beneficiary: COMPANY, fullName: "Moreau et Fils SARL" },
    { suffix: "102", beneficiary: COMPANY, fullName: "Other Holder" },
  ])("is reported as $fullName", async ({ suffix, beneficiary, fullName }) => {
    const one = accountCase("MXN_ACCOUNT");
    const changes = { [one.identifier]: withEnding(one, suffix), beneficiary };
    expect((await create(one, changes)).body.beneficiaryVerifiedData).toEqual({ fullName });
  });

  test("stays PENDING, however much time passes", async () => {
    const { call, control } = world();
    const one = accountCase("MXN_ACCOUNT");
    const { body } = await create(one, { [one.identifier]: withEnding(one, "104") });
    await control("POST", "/clock/advance", { by: "30d" });
    expect((await call("GET", `${PLATFORM}/${body.id}`)).body).toEqual(body);
  });
});

test("an invalid account of every type ends 105, and nothing is created", async () => {
  const { call, control } = world();
  const before = (await control("GET", "/status")).body.storage.records;
  await everyRow(
    ACCOUNT_CASES,
    async (one) => {
      const answer = await create(one, { [one.identifier]: withEnding(one, "105") });
      expectRefused(answer, {
        status: 400,
        code: "INVALID_BANK_ACCOUNT",
        field: `accountInfo.${one.identifier}`,
      });
      expect(answer.body.message).toContain(
        `${one.identifier} ending 105 simulates an invalid account`,
      );
    },
    ({ type }) => type,
  );
  expect((await call("GET", PLATFORM)).body.totalCount).toBe(0);
  expect((await control("GET", "/status")).body.storage.records).toBe(before);
});

/**
 * Only the identifier counts: the same ending elsewhere has no meaning
 * (spec/external-accounts.md#identifier).
 */
describe("an ending elsewhere", () => {
  test.each([
    { type: "USD_ACCOUNT", member: "routingNumber", value: "021000105" },
    { type: "EUR_ACCOUNT", member: "swiftCode", value: "AGRIFRPP105" },
    { type: "GBP_ACCOUNT", member: "sortCode", value: "200105" },
    { type: "BRL_ACCOUNT", member: "taxId", value: "39053344105" },
    { type: "COP_ACCOUNT", member: "phoneNumber", value: "+573001234105" },
    { type: "COP_ACCOUNT", member: "bankName", value: "Bank 105" },
    { type: "USD_ACCOUNT", member: "reference", value: "105" },
  ])("is not read: $member of $type", async ({ type, member, value }) => {
    const { status, body } = await create(accountCase(type), { [member]: value });
    expect(status).toBe(201);
    expect(body.beneficiaryVerificationStatus).toBe("MATCHED");
  });

  test.each([
    {
      says: "the phone number of a COP account without account number",
      type: "COP_ACCOUNT",
      changes: { accountNumber: undefined, phoneNumber: "+573001234105" },
      field: "phoneNumber",
    },
    {
      says: "a lightning invoice",
      type: "LIGHTNING",
      changes: { lightningAddress: undefined, invoice: "lnbc10u1p3105" },
      field: "invoice",
    },
    {
      says: "a bolt12 offer",
      type: "LIGHTNING",
      changes: { lightningAddress: undefined, bolt12: "lno1qgsqvgnwgcg105" },
      field: "bolt12",
    },
    {
      says: "an account number with spaces and dashes",
      type: "USD_ACCOUNT",
      changes: { accountNumber: "000-123 1-0 5" },
      field: "accountNumber",
    },
  ])("is read where it identifies: $says", async ({ type, changes, field }) => {
    const answer = await create(accountCase(type), changes);
    expectRefused(answer, {
      status: 400,
      code: "INVALID_BANK_ACCOUNT",
      field: `accountInfo.${field}`,
    });
  });

  test("is not a suffix for an address that ends in letters", async () => {
    const address = "0x52b7d2dcc80cd2e4000000deadc0ffee1234105a";
    expect((await create(accountCase("BASE_WALLET"), { address })).status).toBe(201);
  });
});
