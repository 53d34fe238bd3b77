type Body = ReturnType<typeof JSON.parse>;

/** A way in which another service differs, and where a comparison must find it. */
export interface PlantedDifference {
  says: string;
  scenario: "payout" | "card-life" | "passkey" | "own";
  /** Step of the scenario, from 1. */
  step: number;
  /** Place of the difference: `status`, or a JSON Pointer. */
  path: string;
  status?: number;
  change?: (body: Body) => unknown;
}

const later = (instant: string, byMs: number) => new Date(Date.parse(instant) + byMs).toISOString();

/** Steps of the scenario `own`: a list, an error, and two reads of one record. */
export const OWN_SCENARIO = {
  name: "own",
  steps: [
    {
      name: "ada",
      request: {
        method: "POST",
        path: "/customers",
        body: { customerType: "INDIVIDUAL", email: "ada@example.com" },
      },
    },
    {
      name: "ben",
      request: { method: "POST", path: "/customers", body: { customerType: "INDIVIDUAL" } },
    },
    { request: { method: "GET", path: "/customers?limit=1" } },
    { request: { method: "GET", path: "/customers" } },
    { request: { method: "GET", path: "/customers/${ada.id}" } },
    {
      request: { method: "GET", path: "/quotes/Quote:00000000-0000-7000-8000-000000000000" },
      expect: { status: 404 },
    },
    {
      request: { method: "POST", path: "/customers", body: { customerType: "NOBODY" } },
      expect: { status: 400 },
    },
    { request: { method: "GET", path: "/exchange-rates" } },
  ],
};

const OTHER_ID = "Customer:019b8d62-7a80-7000-8000-ffffffffffff";

export const PLANTED: readonly PlantedDifference[] = [
  { says: "a status of success", scenario: "payout", step: 1, path: "status", status: 200 },
  { says: "a status of refusal", scenario: "own", step: 7, path: "status", status: 422 },
  {
    says: "a refusal where there was none",
    scenario: "payout",
    step: 6,
    path: "status",
    status: 409,
  },
  {
    ...{
      says: "a member of another name",
      scenario: "payout",
      step: 5,
      path: "/totalSendingAmount",
    },
    change: ({ totalSendingAmount, ...rest }) => ({ ...rest, totalSent: totalSendingAmount }),
  },
  {
    ...{ says: "a member that is missing", scenario: "payout", step: 5, path: "/expiresAt" },
    change: ({ expiresAt: _, ...rest }) => rest,
  },
  {
    ...{ says: "a member more", scenario: "payout", step: 1, path: "/tier" },
    change: (body) => ({ ...body, tier: "GOLD" }),
  },
  {
    ...{
      says: "null for a member that is absent",
      scenario: "payout",
      step: 5,
      path: "/deletedAt",
    },
    change: (body) => ({ ...body, deletedAt: null }),
  },
  {
    ...{ says: "null for a value", scenario: "card-life", step: 5, path: "/issuerRef" },
    change: (body) => ({ ...body, issuerRef: null }),
  },
  {
    ...{ says: "a number as text", scenario: "payout", step: 5, path: "/totalSendingAmount" },
    change: (body) => ({ ...body, totalSendingAmount: `${body.totalSendingAmount}` }),
  },
  {
    ...{ says: "an amount off by one", scenario: "payout", step: 5, path: "/totalReceivingAmount" },
    change: (body) => ({ ...body, totalReceivingAmount: body.totalReceivingAmount + 1 }),
  },
  {
    ...{ says: "another rate", scenario: "payout", step: 5, path: "/exchangeRate" },
    change: (body) => ({ ...body, exchangeRate: body.exchangeRate * 1.0001 }),
  },
  {
    ...{ says: "another fee", scenario: "payout", step: 5, path: "/feesIncluded" },
    change: (body) => ({ ...body, feesIncluded: body.feesIncluded + 25 }),
  },
  {
    ...{ says: "another currency", scenario: "payout", step: 5, path: "/sendingCurrency/code" },
    change: (body) => ({ ...body, sendingCurrency: { ...body.sendingCurrency, code: "USDC" } }),
  },
  {
    ...{ says: "other decimals", scenario: "payout", step: 5, path: "/receivingCurrency/decimals" },
    change: (body) => ({ ...body, receivingCurrency: { ...body.receivingCurrency, decimals: 4 } }),
  },
  {
    ...{ says: "another state", scenario: "payout", step: 10, path: "/status" },
    change: (body) => ({ ...body, status: "PROCESSING" }),
  },
  {
    ...{ says: "another state of a card", scenario: "card-life", step: 14, path: "/state" },
    change: (body) => ({ ...body, state: "ACTIVE" }),
  },
  {
    ...{ says: "another decline", scenario: "card-life", step: 12, path: "/declineCode" },
    change: (body) => ({ ...body, declineCode: "DO_NOT_HONOR" }),
  },
  {
    ...{ says: "another spelling of a constant", scenario: "own", step: 5, path: "/kycStatus" },
    change: (body) => ({ ...body, kycStatus: "approved" }),
  },
  {
    ...{ says: "a shorter list", scenario: "own", step: 4, path: "/data/1" },
    change: (body) => ({ ...body, data: body.data.slice(0, 1) }),
  },
  {
    ...{ says: "a longer list", scenario: "own", step: 4, path: "/data/2" },
    change: (body) => ({ ...body, data: [...body.data, body.data[0]] }),
  },
  {
    ...{ says: "a list in another order", scenario: "own", step: 4, path: "/data/0/id" },
    change: (body) => ({ ...body, data: body.data.toReversed() }),
  },
  {
    ...{ says: "an object in place of a list", scenario: "own", step: 4, path: "/data" },
    change: (body) => ({ ...body, data: { ...body.data } }),
  },
  {
    ...{ says: "another count", scenario: "own", step: 3, path: "/totalCount" },
    change: (body) => ({ ...body, totalCount: 1 }),
  },
  {
    ...{ says: "no further page", scenario: "own", step: 3, path: "/hasMore" },
    change: (body) => ({ ...body, hasMore: false }),
  },
  {
    ...{ says: "no cursor", scenario: "own", step: 3, path: "/nextCursor" },
    change: ({ nextCursor: _, ...rest }) => rest,
  },
  {
    ...{ says: "an id that does not stay", scenario: "own", step: 5, path: "/id" },
    change: (body) => ({ ...body, id: OTHER_ID }),
  },
  {
    ...{ says: "an id of another kind", scenario: "payout", step: 1, path: "/id" },
    change: (body) => ({ ...body, id: body.id.replace("Customer:", "Person:") }),
  },
  {
    ...{ says: "an id without its kind", scenario: "payout", step: 4, path: "/id" },
    change: (body) => ({ ...body, id: body.id.slice(body.id.indexOf(":") + 1) }),
  },
  {
    ...{ says: "an instant without milliseconds", scenario: "payout", step: 1, path: "/createdAt" },
    change: (body) => ({ ...body, createdAt: body.createdAt.replace(/\.\d+Z/, "Z") }),
  },
  {
    ...{ says: "an instant as a number", scenario: "payout", step: 1, path: "/createdAt" },
    change: (body) => ({ ...body, createdAt: Date.parse(body.createdAt) }),
  },
  {
    ...{ says: "an expiry twice as late", scenario: "payout", step: 5, path: "/expiresAt" },
    change: (body) => ({ ...body, expiresAt: later(body.expiresAt, 300_000) }),
  },
  {
    ...{ says: "another code of an error", scenario: "own", step: 6, path: "/code" },
    change: (body) => ({ ...body, code: "NOT_FOUND" }),
  },
  {
    ...{ says: "another reason of an error", scenario: "own", step: 6, path: "/reason" },
    change: (body) => ({ ...body, reason: "GONE" }),
  },
  {
    ...{ says: "an error that is no JSON", scenario: "own", step: 7, path: "" },
    change: () => undefined,
  },
  {
    ...{ says: "an empty body", scenario: "own", step: 5, path: "" },
    change: () => undefined,
  },
  {
    ...{ says: "a text in another case", scenario: "own", step: 5, path: "/email" },
    change: (body) => ({ ...body, email: body.email.toUpperCase() }),
  },
  {
    ...{ says: "a challenge that is cut", scenario: "passkey", step: 6, path: "/challenge" },
    change: (body) => ({ ...body, challenge: body.challenge.slice(0, 8) }),
  },
  {
    ...{
      says: "another activity in the text to sign",
      scenario: "passkey",
      step: 10,
      path: "/payloadToSign",
    },
    change: (body) => ({
      ...body,
      payloadToSign: body.payloadToSign.replace("ACTIVITY_TYPE_", "ACTION_TYPE_"),
    }),
  },
];
