import type { ClusterHistory, Step, Told } from "../checker/history.ts";

const ACCOUNT = "InternalAccount:a";
const USD = "USD";

/** A posting to the account, with the other side of it. */
const posting = (minor: number): NonNullable<Step["post"]> => [
  [ACCOUNT, USD, `${minor}`],
  ["Ledger:funding", USD, `${-minor}`],
];

const quoteRecord = (status: string) => ({
  id: "Quote:q",
  status,
  totalSendingMinor: 10_007,
  totalReceivingMinor: 9_900,
  transactionId: "Transaction:t",
});

/** A quote as a reply shows it. */
export const quoteBody = (status: string) => ({
  id: "Quote:q",
  status,
  totalSendingAmount: 10_007,
  totalReceivingAmount: 9_900,
  transactionId: "Transaction:t",
});

/** Accounts as a reply shows them. */
export const accountsBody = (amount: number) => ({
  data: [{ id: ACCOUNT, balance: { amount, currency: { code: USD } } }],
});

const event = (id: string) => ({
  id: `Webhook:${id}`,
  type: "OUTGOING_PAYMENT.PENDING",
  body: `{"id":"Webhook:${id}"}`,
  deliverable: true,
});

/** Changes of a customer who is funded, gets a quote and executes it. */
export const STEPS: readonly Step[] = [
  { seq: 1, by: "start" },
  { seq: 2, by: "createCustomer", put: [["Customer", customer()]] },
  { seq: 3, by: "fundInternalAccount", post: posting(50_000) },
  { seq: 4, by: "createQuote", put: [["Quote", quoteRecord("PENDING")]], emit: [event("1")] },
  {
    seq: 5,
    by: "executeQuote",
    put: [["Quote", quoteRecord("COMPLETED")]],
    post: posting(-10_007),
  },
];

function customer() {
  return { id: "Customer:c", platformCustomerId: "c1" } as { id: string };
}

/** A call that began at an instant and took 1 ms. */
export const told = (beginMs: number, call: Partial<Told>): Told => ({
  world: "sandbox",
  process: 1,
  method: "GET",
  path: "/customers",
  attempt: 1,
  beginMs,
  endMs: beginMs + 1,
  ...call,
});

const POST = { method: "POST" };

/** Their calls, and reads of what they made. */
export const CALLS: readonly Told[] = [
  told(10, {
    ...{ ...POST, status: 201, seq: 2, mark: "customer:c1" },
    ...{ path: "/customers", body: { id: "Customer:c" } },
  }),
  told(20, {
    ...{ ...POST, status: 200, seq: 3, mark: "fund:50000", key: "k1" },
    ...{ path: `/sandbox/internal-accounts/${ACCOUNT}/fund`, body: { id: ACCOUNT } },
  }),
  told(30, {
    ...{ ...POST, status: 201, seq: 4, mark: "quote:10007", key: "k2" },
    ...{ path: "/quotes", body: quoteBody("PENDING") },
  }),
  told(40, {
    ...{ ...POST, status: 200, seq: 5, mark: "execute:Quote:q", key: "k3" },
    ...{ path: "/quotes/Quote:q/execute", body: quoteBody("COMPLETED") },
  }),
  told(50, { status: 200, seq: 5, path: "/quotes/Quote:q", body: quoteBody("COMPLETED") }),
  told(60, {
    ...{ status: 200, seq: 5, path: "/customers/internal-accounts" },
    body: accountsBody(39_993),
  }),
];

/** A history in which nothing is wrong: one world, one owner after the other. */
export const SMALL_HISTORY: ClusterHistory = {
  calls: CALLS,
  worlds: [{ name: "sandbox", steps: STEPS }],
  fences: [
    { world: "sandbox", fence: 1, isBorn: true },
    { world: "sandbox", fence: 2, isBorn: false },
  ],
  deliveries: [
    { id: "Webhook:1", body: '{"id":"Webhook:1"}', isAccepted: false },
    { id: "Webhook:1", body: '{"id":"Webhook:1"}', isAccepted: true },
  ],
  faults: [{ what: "kill of process 1", beginMs: 100, endMs: 200 }],
  rests: [{ world: "sandbox", totals: { USD: 0 }, waiting: [] }],
  leaseMs: 1_000,
};
