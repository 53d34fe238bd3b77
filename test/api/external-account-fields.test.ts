import { describe, expect, test } from "vitest";
import { ACCOUNT_TYPE_NAMES, accountTypeRow } from "../../src/contract/external-account-types.ts";
import { ACCOUNT_CASES, accountCase, COMPANY, creationBody, PERSON } from "./account-bodies.ts";
import { expectRefused } from "./refused.ts";
import { worldPerTest } from "./world-per-test.ts";

const PLATFORM = "/platform/external-accounts";
const X256 = "x".repeat(256);
const X35 = "1".repeat(35);

const world = worldPerTest();

const post = (body: unknown) => world().call("POST", PLATFORM, body);
const count = async () => (await world().call("GET", PLATFORM)).body.totalCount;

/** Values of payments digest 6.4 that are wrong by one step, and values just within. */
const FIELDS: { type: string; field: string; bad: unknown[]; good: string[] }[] = [
  {
    type: "USD_ACCOUNT",
    field: "accountNumber",
    bad: ["", X35, 123_456, null],
    good: ["1", "1".repeat(34)],
  },
  {
    type: "USD_ACCOUNT",
    field: "routingNumber",
    bad: ["", "02100002", "0210000211", "02100002a", "021 00021", " 021000021", 21_000_021],
    good: ["000000000"],
  },
  {
    type: "EUR_ACCOUNT",
    field: "iban",
    bad: ["", "FR76", "FR763000600001", "fr7630006000011234567890189", `FR76${"1".repeat(31)}`],
    good: ["FR7630006000012", `FR76${"1".repeat(30)}`, "FR76abc06000011234567890189"],
  },
  {
    type: "EUR_ACCOUNT",
    field: "iban",
    bad: ["F17630006000011234567890189", "FRA630006000011234567890189", "FR76 3000 6000 0112 34"],
    good: ["DE89370400440532013000"],
  },
  {
    type: "EUR_ACCOUNT",
    field: "swiftCode",
    bad: ["", "AGRIFRP", "AGRIFRPPX", "AGRIFRPPXXXX", "agrifrpp", "AGR1FRPP", "AGRIF1PP", null],
    good: ["AGRIFRPP", "AGRIFR22", "AGRIFRPPXXX"],
  },
  {
    type: "GBP_ACCOUNT",
    field: "sortCode",
    bad: ["", "20041", "2004155", "20-04-15", 200_415],
    good: ["000000"],
  },
  {
    type: "GBP_ACCOUNT",
    field: "accountNumber",
    bad: ["", "5577991", "557799111", "5577991a"],
    good: ["00000999"],
  },
  {
    type: "MXN_ACCOUNT",
    field: "clabeNumber",
    bad: ["", "64618011040000099", "6461801104000009999", "64618011040000099x", 6.4e17],
    good: ["000000000000000999"],
  },
  {
    type: "BRL_ACCOUNT",
    field: "pixKey",
    bad: ["", "1".repeat(78), 1],
    good: ["9", "9".repeat(77)],
  },
  {
    type: "BRL_ACCOUNT",
    field: "pixKeyType",
    bad: ["", "cpf", "IBAN", null],
    good: ["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"],
  },
  {
    type: "BRL_ACCOUNT",
    field: "taxId",
    bad: ["", "3905334470", "390533447050123", "390.533.447-05"],
    good: ["39053344705", "39053344705012"],
  },
  { type: "COP_ACCOUNT", field: "bankName", bad: ["", X256, 1], good: ["B", "B".repeat(255)] },
  { type: "COP_ACCOUNT", field: "accountNumber", bad: ["", X35], good: ["9", "9".repeat(34)] },
  {
    type: "COP_ACCOUNT",
    field: "bankAccountType",
    bad: ["", "checking", "CURRENT"],
    good: ["CHECKING", "SAVINGS"],
  },
  {
    type: "COP_ACCOUNT",
    field: "phoneNumber",
    bad: ["", "573001234567", "+57300", "+573001234567890", "+57 300 123", "+57300x234567"],
    good: ["+573001", "+57300123456789"],
  },
  {
    type: "LIGHTNING",
    field: "lightningAddress",
    bad: ["", "lucie", "@node.example", "lucie@", 1],
    good: ["lucie@node.example"],
  },
  {
    type: "BASE_WALLET",
    field: "address",
    bad: [
      "",
      "52b7d2dcc80cd2e4000000deadc0ffee12345678",
      "0x52b7d2dcc80cd2e4000000deadc0ffee1234567",
      "0x52b7d2dcc80cd2e4000000deadc0ffee123456789",
      "0x52b7d2dcc80cd2e4000000deadc0ffee1234567g",
      "spark1qqq",
    ],
    good: ["0x52B7D2DCC80CD2E4000000DEADC0FFEE1234567F"],
  },
];

describe("a member of accountInfo", () => {
  test.each(FIELDS)("$type.$field is refused when it is out of form", async (row) => {
    const { type, field, bad } = row;
    for (const value of bad) {
      const answer = await post(creationBody(accountCase(type), { [field]: value }));
      expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${field}` });
    }
    expect(await count()).toBe(0);
  });

  test.each(FIELDS)("$type.$field is taken at the edge of its form", async (row) => {
    const { type, field, good } = row;
    const { identifier, ending } = accountCase(type);
    for (const [at, value] of good.entries()) {
      const changes = { [identifier]: ending(`90${at}`), [field]: value };
      const answer = await post(creationBody(accountCase(type), changes));
      expect({ value, status: answer.status }).toEqual({ value, status: 201 });
      expect(answer.body.accountInfo[field]).toBe(value);
    }
  });

  test("has a row here for every member of every type", () => {
    const covered = FIELDS.map(({ type, field }) => `${type}.${field}`);
    for (const name of ACCOUNT_TYPE_NAMES)
      for (const field of Object.keys(accountTypeRow(name).fields))
        if (!["invoice", "bolt12"].includes(field)) expect(covered).toContain(`${name}.${field}`);
  });
});

/** Payments digest 6.4: what may not be left out, and which field the refusal names. */
const MISSING: { type: string; changes: Record<string, unknown>; field: string }[] = [
  ...[
    { type: "USD_ACCOUNT", members: ["accountNumber", "routingNumber"] },
    { type: "EUR_ACCOUNT", members: ["iban"] },
    { type: "GBP_ACCOUNT", members: ["sortCode", "accountNumber"] },
    { type: "MXN_ACCOUNT", members: ["clabeNumber"] },
    { type: "BRL_ACCOUNT", members: ["pixKey", "pixKeyType", "taxId"] },
    { type: "BASE_WALLET", members: ["address"] },
  ].flatMap(({ type, members }) =>
    members.map((member) => ({ type, changes: { [member]: undefined }, field: member })),
  ),
  ...["USD", "EUR", "GBP", "MXN", "BRL", "COP"].map((currency) => ({
    type: `${currency}_ACCOUNT`,
    changes: { beneficiary: undefined },
    field: "beneficiary",
  })),
  {
    type: "COP_ACCOUNT",
    changes: { bankName: undefined, phoneNumber: undefined },
    field: "bankName",
  },
  {
    type: "COP_ACCOUNT",
    changes: { bankAccountType: undefined, phoneNumber: undefined },
    field: "bankAccountType",
  },
  {
    type: "COP_ACCOUNT",
    changes: { accountNumber: undefined, phoneNumber: undefined },
    field: "accountNumber",
  },
  { type: "LIGHTNING", changes: { lightningAddress: undefined }, field: "lightningAddress" },
];

describe("a body without what its type needs", () => {
  test.each(MISSING)("is refused: $type without $field", async ({ type, changes, field }) => {
    const answer = await post(creationBody(accountCase(type), changes));
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${field}` });
    expect(await count()).toBe(0);
  });

  test.each(["currency", "accountInfo"])("is refused: without %s", async (field) => {
    const answer = await post({ ...creationBody(accountCase("MXN_ACCOUNT")), [field]: undefined });
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field });
  });
});

describe("LIGHTNING", () => {
  test.each([
    { lightningAddress: undefined, invoice: "lnbc10u1p3unwfu" },
    { lightningAddress: undefined, bolt12: "lno1qgsqvgnwgcg35z6ee2h3yczraddm72xrfua9uve2r" },
  ])("takes %j instead of an address", async (changes) => {
    expect((await post(creationBody(accountCase("LIGHTNING"), changes))).status).toBe(201);
  });

  test.each([
    { says: "two of them", changes: { invoice: "lnbc10u1p3unwfu" }, field: "lightningAddress" },
    {
      says: "all three",
      changes: { invoice: "lnbc10u1p3unwfu", bolt12: "lno1qgsqvgnwgcg" },
      field: "lightningAddress",
    },
    {
      says: "an invoice that does not start with ln",
      changes: { lightningAddress: undefined, invoice: "bc10u1p3unwfu" },
      field: "invoice",
    },
    {
      says: "an empty offer",
      changes: { lightningAddress: undefined, bolt12: "" },
      field: "bolt12",
    },
  ])("refuses $says", async ({ changes, field }) => {
    const answer = await post(creationBody(accountCase("LIGHTNING"), changes));
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: `accountInfo.${field}` });
  });
});

const { address, ...PERSON_WITHOUT_ADDRESS } = PERSON;

describe("a beneficiary", () => {
  test.each([
    { says: "without type", holder: { fullName: "Ana Flores" }, field: "beneficiaryType" },
    { says: "of another type", holder: { beneficiaryType: "TRUST" }, field: "beneficiaryType" },
    { says: "without name", holder: { beneficiaryType: "INDIVIDUAL" }, field: "fullName" },
    { says: "with an empty name", holder: { ...PERSON, fullName: "" }, field: "fullName" },
    { says: "with a name too long", holder: { ...PERSON, fullName: X256 }, field: "fullName" },
    { says: "without legal name", holder: { beneficiaryType: "BUSINESS" }, field: "legalName" },
    { says: "born on no day", holder: { ...PERSON, birthDate: "1990-02-30" }, field: "birthDate" },
    { says: "of no country", holder: { ...PERSON, nationality: "FRA" }, field: "nationality" },
    { says: "with a bad email", holder: { ...PERSON, email: "lucie" }, field: "email" },
    {
      says: "with an address without postal code",
      holder: { ...PERSON, address: { line1: "4 rue des Lilas", country: "FR" } },
      field: "address.postalCode",
    },
    {
      says: "with an address in no country",
      holder: { ...PERSON, address: { ...address, country: "France" } },
      field: "address.country",
    },
    { says: "that is text", holder: "Lucie", field: "" },
    { says: "that is a list", holder: [PERSON], field: "" },
  ])("$says is refused", async ({ holder, field }) => {
    const answer = await post(creationBody(accountCase("MXN_ACCOUNT"), { beneficiary: holder }));
    const path = ["accountInfo.beneficiary", field].filter((part) => part !== "").join(".");
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: path });
  });

  test.each([
    { type: "EUR_ACCOUNT", status: 400 },
    { type: "USD_ACCOUNT", status: 201 },
    { type: "GBP_ACCOUNT", status: 201 },
    { type: "MXN_ACCOUNT", status: 201 },
    { type: "BRL_ACCOUNT", status: 201 },
    { type: "COP_ACCOUNT", status: 201 },
  ])("who is a person without address gives $status for $type", async ({ type, status }) => {
    const changes = { beneficiary: PERSON_WITHOUT_ADDRESS };
    const answer = await post(creationBody(accountCase(type), changes));
    expect(answer.status).toBe(status);
    if (status === 400)
      expectRefused(answer, {
        status,
        code: "INVALID_INPUT",
        field: "accountInfo.beneficiary.address",
      });
  });

  test.each([
    { document: { documentType: "CC", documentNumber: "1020304050" }, field: undefined },
    { document: { documentType: "PP", documentNumber: "1".repeat(50) }, field: undefined },
    { document: { documentType: "DNI" }, field: "documentType" },
    { document: { documentNumber: "" }, field: "documentNumber" },
    { document: { documentNumber: "1".repeat(51) }, field: "documentNumber" },
    { document: { documentNumber: 5 }, field: "documentNumber" },
  ])("in Colombia may have a document: $document", async ({ document, field }) => {
    const changes = { beneficiary: { ...PERSON, ...document } };
    const answer = await post(creationBody(accountCase("COP_ACCOUNT"), changes));
    if (field === undefined) expect(answer.status).toBe(201);
    else
      expectRefused(answer, {
        status: 400,
        code: "INVALID_INPUT",
        field: `accountInfo.beneficiary.${field}`,
      });
  });
});

describe("the type", () => {
  test.each(["", "US_ACCOUNT", "CLABE", "PIX", "IBAN", "UPI", "FBO", "LIGHTNING_ACCOUNT", 5, null])(
    "%j creates nothing",
    async (accountType) => {
      const answer = await post(creationBody(accountCase("MXN_ACCOUNT"), { accountType }));
      expectRefused(answer, {
        status: 400,
        code: "INVALID_INPUT",
        field: "accountInfo.accountType",
      });
    },
  );
});

describe("the currency", () => {
  test.each(
    ACCOUNT_CASES.flatMap(({ type, currency }) =>
      ["USD", "EUR", "BTC", "XYZ", "", currency.toLowerCase()]
        .filter((wrong) => wrong !== currency)
        .map((wrong) => ({ type, wrong })),
    ),
  )("of $type cannot be '$wrong'", async ({ type, wrong }) => {
    const answer = await post({ ...creationBody(accountCase(type)), currency: wrong });
    expectRefused(answer, { status: 400, code: "INVALID_CURRENCY", field: "currency" });
    expect(await count()).toBe(0);
  });

  test("that is no text is ill-typed, not unknown", async () => {
    const answer = await post({ ...creationBody(accountCase("MXN_ACCOUNT")), currency: 5 });
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "currency" });
  });
});

test("a business needs no address where a person does", async () => {
  const body = creationBody(accountCase("EUR_ACCOUNT"), { beneficiary: COMPANY });
  expect((await post(body)).status).toBe(201);
});
