import { beforeEach, describe, expect, test } from "vitest";
import { settlementSecondsOf } from "../../src/contract/payments/payment-rails.ts";
import { createAgentParties } from "../api/agents/setup/agent-parties.ts";
import { createWallet } from "../api/setup/payment-parties.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { everyRow } from "../setup/every-row.ts";
import { createPayer, type Payer, quoteInput, umaQuoteInput } from "../setup/platform.ts";

const world = worldPerTest({ revision: "2026-08" });
let payer: Payer;

beforeEach(async () => {
  payer = await createPayer(world());
});

const call = (method: string, path: string, body?: object) => world().call(method, path, body);

const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Lin Mei" };
const COMPANY = { beneficiaryType: "BUSINESS", legalName: "North Pier Books" };
const GERMAN = { ...PERSON, countryOfResidence: "DE" };
const INDIAN = { accountNumber: "123456789", ifsc: "HDFC0ABCDEF", rail: "NEFT" };
const WALLET = { bankName: "Felucca Cash", phoneNumber: "+201012345678" };
const EGYPTIAN = { bankName: "NILE_DELTA_BANK", iban: "EG380019000500000000263180002" };
const CHINESE = { bankName: "ICBC", accountNumber: "622202", beneficiary: COMPANY };
const COLOMBIAN = { bankName: "Nequi", phoneNumber: "+573001234567" };
const SWIFT = { country: "DE", swiftCode: "DEUTDEFF", bankName: "Bank", accountNumber: "100200" };
const SINGAPOREAN = { accountNumber: "0123456789", swiftCode: "DBSSSGSG" };

/** The rail of a payment, the time of its settlement, and the span until then. */
type Told = [rail: string, settles: string | null, seconds: number];

interface Row {
  type: string;
  info: object;
  /** The rail that the service chooses. */
  auto: Told;
  /** Rails that a request may name. */
  named?: Told[];
  /** Rails that the account does not take. */
  refused?: string[];
}

const at = (time: string) => `2026-01-${time}:00.000Z`;

// spec/later-payments.md#settlement-forecasts
const ROWS: Row[] = [
  {
    type: "USD_ACCOUNT",
    info: { accountNumber: "000123456", routingNumber: "021000021", beneficiary: COMPANY },
    auto: ["ACH", at("06T09:00"), 86_400],
    named: [
      ["WIRE", at("05T13:00"), 14_400],
      ["RTP", null, 0],
      ["FEDNOW", null, 0],
    ],
    refused: ["SEPA", "ACH_COLOMBIA"],
  },
  {
    type: "EUR_ACCOUNT",
    info: { iban: "DE89370400440532013000", beneficiary: GERMAN },
    auto: ["SEPA", at("06T09:00"), 86_400],
    named: [["SEPA_INSTANT", null, 0]],
    refused: ["RTGS"],
  },
  {
    type: "INR_ACCOUNT",
    info: INDIAN,
    auto: ["NEFT", at("05T11:00"), 7_200],
    named: [["RTGS", at("05T10:00"), 3_600]],
    refused: ["UPI"],
  },
  { type: "INR_ACCOUNT", info: { vpa: "lin@okbank" }, auto: ["UPI", null, 0], refused: ["NEFT"] },
  {
    type: "EGP_ACCOUNT",
    info: EGYPTIAN,
    auto: ["BANK_TRANSFER", at("06T09:00"), 86_400],
    refused: ["MOBILE_MONEY"],
  },
  {
    type: "EGP_ACCOUNT",
    info: WALLET,
    auto: ["MOBILE_MONEY", null, 0],
    refused: ["BANK_TRANSFER"],
  },
  { type: "CNY_ACCOUNT", info: CHINESE, auto: ["BANK_TRANSFER", at("06T09:00"), 86_400] },
  {
    type: "CNY_ACCOUNT",
    info: { bankName: "AliPay", phoneNumber: "+8613800138000" },
    auto: ["MOBILE_MONEY", null, 0],
    refused: ["CIPS", "UNIONPAY"],
  },
  { type: "COP_ACCOUNT", info: COLOMBIAN, auto: ["MOBILE_MONEY", null, 0], refused: ["BRE_B"] },
  {
    type: "SGD_ACCOUNT",
    info: SINGAPOREAN,
    auto: ["PAYNOW", null, 0],
    named: [["BANK_TRANSFER", at("06T09:00"), 86_400]],
  },
  { type: "SWIFT_ACCOUNT", info: SWIFT, auto: ["SWIFT", at("07T09:00"), 172_800] },
];

const accountOf = async ({ type, info }: Pick<Row, "type" | "info">) => {
  const currency = type === "SWIFT_ACCOUNT" ? "EUR" : type.slice(0, 3);
  const { status, body } = await call("POST", "/customers/external-accounts", {
    customerId: payer.customerId,
    currency,
    accountInfo: { accountType: type, beneficiary: PERSON, ...info },
  });
  expect([status, body.details]).toEqual([201, undefined]);
  return body.id as string;
};

const paid = async (accountId: string, paymentRail?: string) => {
  const destination = { destinationType: "ACCOUNT", accountId, paymentRail };
  const input = { ...quoteInput(payer.accountId, accountId), destination };
  const { status, body } = await call("POST", "/quotes", input);
  if (status !== 201) return [status, body.details.field];
  const one = (await call("GET", `/transactions/${body.transactionId}`)).body;
  return [
    one.railSelectionMode,
    one.paymentRail,
    one.expectedSettlementAt,
    one.settlementTimelineSeconds,
  ];
};

test("a quoted payment goes over a rail that its account shows", () =>
  everyRow(
    ROWS,
    async ({ auto, named = [], refused = [], ...row }) => {
      const id = await accountOf(row);
      const { body } = await call("GET", `/customers/external-accounts/${id}`);
      expect(body.accountInfo.paymentRails).toContain(auto[0]);
      expect(await paid(id)).toEqual(["AUTO", ...auto]);
      expect(await paid(id, auto[0])).toEqual(["MANUAL", ...auto]);
      for (const told of named) expect(await paid(id, told[0])).toEqual(["MANUAL", ...told]);
      for (const rail of refused)
        expect([rail, ...(await paid(id, rail))]).toEqual([rail, 400, "destination.paymentRail"]);
    },
    ({ type, info }) => `${type} ${JSON.stringify(info)}`,
  ));

test("a payment to a wallet, to an account inside and to a person has no rail", async () => {
  const NONE = [null, null, null, null];
  const other = await createPayer(world());
  expect(await paid(await createWallet(world(), payer.customerId, "BASE_WALLET"))).toEqual(NONE);
  expect(await paid(other.accountId)).toEqual(NONE);
  const input = await umaQuoteInput(world(), payer.accountId, "$success.eur@sandbox.uma.test");
  const { transactionId } = (await call("POST", "/quotes", input)).body;
  const person = (await call("GET", `/transactions/${transactionId}`)).body;
  expect([person.paymentRail, person.railSelectionMode]).toEqual([null, null]);
  expect([person.expectedSettlementAt, person.settlementTimelineSeconds]).toEqual([null, null]);
});

// spec/later-payments.md#remittance
test("a transfer out takes the rails of the revision, an agent's too", async () => {
  const opened = await world().control("POST", "/internal-accounts", {
    customerId: payer.customerId,
    currency: "INR",
  });
  const rupees = opened.body.id;
  await call("POST", `/sandbox/internal-accounts/${rupees}/fund`, { amount: 100_000 });
  const indian = await accountOf({ type: "INR_ACCOUNT", info: INDIAN });
  const out = (paymentRail: string) => ({
    ...transferInput(rupees, indian, 500),
    destination: { accountId: indian, paymentRail },
    purposeOfPayment: "FAMILY_SUPPORT",
    remittanceInformation: "x".repeat(80),
  });
  const made = await call("POST", "/transfer-out", out("RTGS"));
  expect([made.status, made.body.paymentRail, made.body.settlementTimelineSeconds]).toEqual([
    201,
    "RTGS",
    3_600,
  ]);
  expect("remittanceInformation" in made.body).toBe(false);
  const refused = await call("POST", "/transfer-out", out("UPI"));
  expect([refused.status, refused.body.code, refused.body.details.field]).toEqual([
    400,
    "INVALID_INPUT",
    "destination.paymentRail",
  ]);
  expect(refused.body.details.allowed).toEqual(["NEFT", "RTGS"]);
  for (const purposeOfPayment of ["SALARY_PAYMENT", "PIZZA"]) {
    const { status, body } = await call("POST", "/transfer-out", {
      ...out("NEFT"),
      purposeOfPayment,
    });
    expect([status, body.details?.field]).toEqual(
      purposeOfPayment === "PIZZA" ? [400, "purposeOfPayment"] : [201, undefined],
    );
  }
});

// spec/later-payments.md#remittance
test("an agent's transfer out names its rail", async () => {
  const { agent, payer: theirs } = await createAgentParties(world());
  const bank = await createBank(world(), theirs.customerId, "888");
  const out = (paymentRail: string) =>
    agent.call("POST", "/agents/me/transfer-out", {
      ...transferInput(theirs.accountId, bank, 500),
      destination: { accountId: bank, paymentRail },
      remittanceInformation: "invoice 7",
    });
  const { transaction } = (await out("WIRE")).body;
  expect([transaction.paymentRail, transaction.railSelectionMode]).toEqual(["WIRE", "MANUAL"]);
  expect((await out("PIX")).body.details.field).toBe("destination.paymentRail");
});

// spec/later-payments.md#settlement-forecasts
test("each rail of the contract has its span", () => {
  const spans = {
    0: "RTP FEDNOW SEPA_INSTANT PIX UPI SPEI FASTER_PAYMENTS FAST PAYNOW INSTAPAY BRE_B MOBILE_MONEY UNIONPAY",
    3600: "RTGS",
    7200: "NEFT",
    14400: "WIRE",
    43200: "PESONET",
    86400: "ACH SEPA BANK_TRANSFER ACH_COLOMBIA CIPS",
    172800: "SWIFT",
  };
  for (const [seconds, rails] of Object.entries(spans))
    for (const rail of rails.split(" "))
      expect([rail, settlementSecondsOf(rail)]).toEqual([rail, Number(seconds)]);
  expect(settlementSecondsOf(undefined)).toBeUndefined();
});

// spec/later-payments.md#transaction-ends
describe("a transfer in over the rails of the revision", () => {
  test("is canceled where they are slow, and not where they are instant", async () => {
    const opened = await world().control("POST", "/internal-accounts", {
      customerId: payer.customerId,
      currency: "INR",
    });
    const pull = async (info: object) => {
      const from = await accountOf({ type: "INR_ACCOUNT", info });
      const input = transferInput(from, opened.body.id, 500);
      const { id } = (await call("POST", "/transfer-in", input)).body;
      return call("POST", `/transactions/${id}/cancel`);
    };
    const slow = await pull({ ...INDIAN, accountNumber: "123456005" });
    expect([slow.status, slow.body.status]).toEqual([200, "FAILED"]);
    const instant = await pull({ vpa: "lin.005@okbank" });
    expect([instant.status, instant.body.reason]).toEqual([400, "NOT_A_BANK_TRANSFER"]);
    await goTo(world(), "09:30:00.000");
  });
});
