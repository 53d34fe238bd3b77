import { expect, test } from "vitest";
import { type Breach, checkHistory } from "./checker/check-history.ts";
import type { ClusterHistory, Step, Told } from "./checker/history.ts";
import {
  accountsBody,
  CALLS,
  quoteBody,
  SMALL_HISTORY,
  STEPS,
  told,
} from "./setup/small-history.ts";

const steps = (...own: readonly Step[]): Partial<ClusterHistory> => ({
  worlds: [{ name: "sandbox", steps: own }],
});

const more = (...calls: readonly Told[]): Partial<ClusterHistory> => ({
  calls: [...CALLS, ...calls],
});

/** A call of the small history in another form. */
const changed = (at: number, change: Partial<Told>): Partial<ClusterHistory> => ({
  calls: CALLS.map((call, index) => (index === at ? { ...call, ...change } : call)),
});

const EXECUTION = STEPS[4] as Step;
const CALL_OF_EXECUTION = { method: "POST", path: "/quotes/Quote:q/execute" };
const away = { status: 503, body: { message: "this call was not made" } };
const unknown = { status: 503, body: { message: "it may have been done: repeat it" } };

test("a whole history breaks no rule", () => {
  expect(checkHistory(SMALL_HISTORY)).toEqual([]);
});

test.each<{
  what: string;
  history: Partial<ClusterHistory>;
  found: Partial<Record<Breach["rule"], string[]>>;
}>([
  {
    what: "an acknowledged write that is lost",
    history: { ...steps(...STEPS.slice(0, 4)), calls: CALLS.slice(0, 4) },
    found: {
      "replies are what the journal has": [
        "POST /quotes/Quote:q/execute of sandbox at 5 saw a change that the journal does not have",
      ],
      "acknowledged calls are done once": [
        "POST /quotes/Quote:q/execute of sandbox with key k3 (execute:Quote:q) was acknowledged and is lost",
      ],
    },
  },
  {
    what: "a key that is executed twice",
    history: steps(...STEPS, { ...EXECUTION, seq: 6 }),
    found: {
      "acknowledged calls are done once": [
        "POST /quotes/Quote:q/execute of sandbox with key k3 (execute:Quote:q) was done 2 times",
      ],
    },
  },
  {
    what: "a call without a key that is repeated by a process",
    history: {
      ...steps(...STEPS, { ...EXECUTION, seq: 6 }),
      calls: [...CALLS.slice(0, 3), told(150, { ...CALL_OF_EXECUTION, mark: "execute:Quote:q" })],
    },
    found: {
      "acknowledged calls are done once": [
        "POST /quotes/Quote:q/execute of sandbox without a key (execute:Quote:q) was done 2 times",
      ],
    },
  },
  {
    what: "a call that says it was not made, and was",
    history: {
      calls: [
        ...CALLS.slice(0, 3),
        told(150, { ...CALL_OF_EXECUTION, ...away, mark: "execute:Quote:q" }),
      ],
    },
    found: {
      "acknowledged calls are done once": [
        "POST /quotes/Quote:q/execute of sandbox without a key (execute:Quote:q) was refused and was done",
      ],
    },
  },
  {
    what: "a call that was done in another world",
    history: {
      calls: [
        told(10, { world: "other", method: "POST", status: 201, mark: "customer:c1" }),
        ...CALLS.slice(1),
      ],
    },
    found: {
      "acknowledged calls are done once": [
        "POST /customers of other without a key (customer:c1) was done in sandbox",
      ],
    },
  },
  {
    what: "a read that goes backwards",
    history: more(
      told(70, { status: 200, seq: 4, path: "/quotes/Quote:q", body: quoteBody("PENDING") }),
    ),
    found: {
      "replies go forward": ["GET /quotes/Quote:q of sandbox at 4 came after one of sandbox at 5"],
    },
  },
  {
    what: "a read that shows an earlier record",
    history: changed(4, { body: quoteBody("PENDING") }),
    found: {
      "replies are what the journal has": [
        'GET /quotes/Quote:q of sandbox at 5 shows "PENDING" where the journal has COMPLETED in Quote:q',
      ],
    },
  },
  {
    what: "a read that does not find what is there",
    history: changed(4, { status: 404, body: {} }),
    found: {
      "replies are what the journal has": [
        "GET /quotes/Quote:q of sandbox at 5 did not find Quote:q",
      ],
    },
  },
  {
    what: "a read of a record that no change has",
    history: changed(4, { body: { ...quoteBody("PENDING"), id: "Quote:x" } }),
    found: {
      "replies are what the journal has": [
        "GET /quotes/Quote:q of sandbox at 5 shows Quote:x, which the journal does not have by then",
      ],
    },
  },
  {
    what: "a balance that the journal does not give",
    history: changed(5, { body: accountsBody(50_000) }),
    found: {
      "replies are what the journal has": [
        "GET /customers/internal-accounts of sandbox at 5 shows 50000 in InternalAccount:a where the journal has 39993",
      ],
    },
  },
  {
    what: "a change that is in the journal twice",
    history: steps(...STEPS, { seq: 5, by: "quote.expire" }),
    found: { "the journal is whole": ["the journal of sandbox has change 5 after 5"] },
  },
  {
    what: "a number of an owner that falls",
    history: { fences: [...SMALL_HISTORY.fences, { world: "sandbox", fence: 1, isBorn: false }] },
    found: { "fences rise": ["the fence of sandbox went from 2 to 1"] },
  },
  {
    what: "a webhook that never arrives",
    history: { deliveries: SMALL_HISTORY.deliveries.slice(0, 1) },
    found: {
      "events reach their receiver": [
        "OUTGOING_PAYMENT.PENDING Webhook:1 of change 4 of sandbox never reached its receiver",
      ],
    },
  },
  {
    what: "a webhook with other bytes",
    history: {
      deliveries: [...SMALL_HISTORY.deliveries, { id: "Webhook:1", body: "{}", isAccepted: true }],
    },
    found: { "events reach their receiver": ["the receiver got other bytes of Webhook:1"] },
  },
  {
    what: "a webhook of a change that was never made",
    history: {
      deliveries: [...SMALL_HISTORY.deliveries, { id: "Webhook:2", body: "{}", isAccepted: true }],
    },
    found: { "events reach their receiver": ["the receiver got Webhook:2, which no change has"] },
  },
  {
    what: "postings that do not add up",
    history: steps(...STEPS, { seq: 6, by: "x", post: [["Ledger:payouts", "USD", "1"]] }),
    found: { "nothing is left over": ["the journal of sandbox: the postings in USD add up to 1"] },
  },
  {
    what: "a ledger that does not add up, a webhook that waits, and a broken state",
    history: {
      rests: [{ world: "sandbox", totals: { USD: 7 }, waiting: ["Webhook:1"], problem: "odd" }],
    },
    found: {
      "nothing is left over": [
        "the ledger of sandbox shows 7 in USD",
        "1 webhooks of sandbox still wait, such as Webhook:1",
        "the state of sandbox: odd",
      ],
    },
  },
  {
    what: "a world that is away long after a fault",
    history: more(told(3_701, { ...away, path: "/quotes" })),
    found: {
      "worlds are away only during faults": [
        "1 calls of sandbox failed without a fault, the first 3501 ms after kill of process 1: GET /quotes: 503 this call was not made",
      ],
    },
  },
])("finds $what", ({ history, found }) => {
  const breaches = checkHistory({ ...SMALL_HISTORY, ...history });
  expect(Object.fromEntries(breaches.map(({ rule, found }) => [rule, found]))).toEqual(found);
});

test.each<{ what: string; history: Partial<ClusterHistory> }>([
  {
    what: "a world that is away during a fault and two leases",
    history: more(told(3_700, away)),
  },
  {
    what: "a stored answer that a key gets again later",
    history: more(
      told(70, {
        ...{ method: "POST", status: 201, seq: 5, mark: "quote:10007", key: "k2", attempt: 2 },
        ...{ path: "/quotes", body: quoteBody("PENDING") },
      }),
    ),
  },
  {
    what: "a fork that was taken back and made again",
    history: { fences: [...SMALL_HISTORY.fences, { world: "sandbox", fence: 1, isBorn: true }] },
  },
  {
    what: "a call that may have been done, and was",
    history: more(told(150, { ...unknown, method: "POST", mark: "execute:Quote:q", key: "k3" })),
  },
  {
    what: "calls at the same time whose replies come in another order",
    history: more(told(39, { status: 200, seq: 4, path: "/x", endMs: 90 })),
  },
])("lets $what be", ({ history }) => {
  expect(checkHistory({ ...SMALL_HISTORY, ...history })).toEqual([]);
});

test("a fork goes on where its origin was", () => {
  const own: Step = { seq: 5, by: "fork" };
  const fork = { name: "w", from: "sandbox", steps: [own] };
  const read = (seq: number, status: string) =>
    told(80, { world: "w", status: 200, seq, path: "/quotes/Quote:q", body: quoteBody(status) });
  const of = (call: Told) => ({
    ...SMALL_HISTORY,
    ...more(call),
    worlds: [...SMALL_HISTORY.worlds, fork],
  });
  expect(checkHistory(of(read(5, "PENDING")))).toEqual([]);
  expect(checkHistory(of(read(5, "COMPLETED")))).toEqual([
    {
      rule: "replies are what the journal has",
      found: [
        'GET /quotes/Quote:q of w at 5 shows "COMPLETED" where the journal has PENDING in Quote:q',
      ],
    },
  ]);
});
