import { describe, expect, test } from "vitest";
import { turn, until } from "../../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { Behaviour } from "../../setup/receiver.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { answered, answering, PENDING, receive, senderAt, toldBy } from "../setup/incoming.ts";
import { recipientPerTest } from "../setup/recipient-per-test.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo, ledgerOwn } from "../setup/told.ts";

const { world, receiver, recipient } = recipientPerTest();

type Verb = "approve" | "reject";

const decide = (id: string, verb: Verb, body?: object): Promise<Answer> =>
  world().call("POST", `/transactions/${id}/${verb}`, body);

const transaction = async (id: string) => (await world().call("GET", `/transactions/${id}`)).body;

/** The payment after a decision, and its events from then on. */
const DECIDED = {
  approve: {
    reply: "PROCESSING",
    ends: "COMPLETED",
    balance: 8_800,
    tells: (at: string) => [
      [at, "COMPLETED", "COMPLETED"],
      [at, "BALANCE_UPDATED", 8_800],
    ],
  },
  reject: {
    reply: "REJECTED",
    ends: "REJECTED",
    balance: 0,
    tells: (at: string) => [[at, "FAILED", "REJECTED"]],
  },
} as const;

const VERBS: Verb[] = ["approve", "reject"];

const expectDecided = async (id: string, verb: Verb, at: string) => {
  const { ends, balance, tells } = DECIDED[verb];
  await goTo(world(), "21:00:00.000");
  const ended = await transaction(id);
  expect(ended.status).toBe(ends);
  expect(ended).not.toHaveProperty("failureReason");
  expect(ended.settledAt).toBe(verb === "approve" ? `2026-01-05T${at}Z` : undefined);
  expect(await balanceOf(world(), recipient().accountId)).toBe(balance);
  const [asked, ...rest] = toldBy(receiver());
  expect(asked).toEqual(["09:00:10.000", "PENDING", "PENDING"]);
  expect(rest.toSorted()).toEqual(tells(at).toSorted());
  const ledger = verb === "approve" ? { "Ledger:funding USD": -8_836, "Ledger:fees USD": 36 } : {};
  expect(await ledgerOwn(world())).toEqual(ledger);
  expect((await world().control("GET", "/timers")).body.data).toEqual([]);
};

// spec/uma-payments.md#approval-by-call
describe.each(VERBS)("a payment that a call decides: %s", (verb) => {
  test.each([
    ["09:00:10.000", "at once"],
    ["09:00:14.999", "in the last millisecond"],
  ])("at %s, %s after a 202", async (at) => {
    receiver().behaviour = answering(answered(202));
    const { body: payment } = await receive(world(), recipient());
    await goTo(world(), at);
    const { status, body } = await decide(payment.id, verb);
    expect(status).toBe(200);
    const { body: timers } = await world().control("GET", "/timers");
    expect(
      timers.data.filter(({ timer }: { timer: string }) => timer === "incoming.lapse"),
    ).toEqual([]);
    const updatedAt = `2026-01-05T${at}Z`;
    expect(body).toEqual({ ...payment, status: DECIDED[verb].reply, updatedAt });
    await expectDecided(payment.id, verb, at);
  });

  test("is too late when the five seconds are over", async () => {
    receiver().behaviour = answering(answered(202));
    const { body: payment } = await receive(world(), recipient());
    await goTo(world(), "09:00:15.000");
    expectRefused(await decide(payment.id, verb), {
      status: 409,
      code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
    });
    expect(await transaction(payment.id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
    });
  });

  test("by a receiver right after its 202", async () => {
    let reply: Answer | undefined;
    receiver().behaviour = answering(({ data }, response) => {
      response.writeHead(202).end(async () => {
        reply = await decide(data.id, verb);
      });
    });
    const { body: payment } = await receive(world(), recipient());
    await until("the call", () => reply !== undefined);
    expect(reply).toMatchObject({ status: 200, body: { status: DECIDED[verb].reply } });
    await expectDecided(payment.id, verb, "09:00:10.000");
  });

  test.each([200, 202, 403, 422, 500])(
    "by a receiver within its handler, whatever it answers then: %d",
    async (status) => {
      const replies: Answer[] = [];
      receiver().behaviour = answering(async ({ data }, response) => {
        replies.push(await decide(data.id, verb));
        response.writeHead(status).end();
      });
      const { body: payment } = await receive(world(), recipient());
      await goTo(world(), "09:00:10.000");
      expect(replies).toMatchObject([{ status: 200, body: { status: DECIDED[verb].reply } }]);
      await expectDecided(payment.id, verb, "09:00:10.000");
    },
  );

  test("by a receiver within its handler, which then hangs up", async () => {
    receiver().behaviour = answering(async ({ data }, response) => {
      await decide(data.id, verb);
      response.socket?.destroy();
    });
    const { body: payment } = await receive(world(), recipient());
    await expectDecided(payment.id, verb, "09:00:10.000");
  });

  test("is decided once: both calls are refused afterwards", async () => {
    receiver().behaviour = answering(answered(202));
    const { body: payment } = await receive(world(), recipient());
    await goTo(world(), "09:00:10.000");
    await decide(payment.id, verb);
    for (const again of VERBS)
      expectRefused(await decide(payment.id, again), {
        status: 409,
        code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
      });
    await expectDecided(payment.id, verb, "09:00:10.000");
  });
});

/** Ways to bring a transaction into a state, and the answer to a decision about it. */
const UNDECIDABLE: {
  says: string;
  make(): Promise<string>;
  status: string;
  code?: string;
  type?: string;
}[] = [
  {
    says: "an approved payment in progress",
    make: () => approvedFrom("$pending.long.usd"),
    status: "PROCESSING",
  },
  { says: "one that arrived", make: () => approvedFrom("$success.usd"), status: "COMPLETED" },
  {
    says: "one that failed after its approval",
    make: () => approvedFrom("$fail.compliance.usd"),
    status: "FAILED",
  },
  { says: "a rejected one", make: () => madeWith(answered(403)), status: "REJECTED" },
  { says: "one whose request broke", make: () => madeWith(answered(500)), status: "FAILED" },
  {
    says: "a transfer in that waits",
    make: async () => {
      const { call } = world();
      const { body: account } = await call("POST", "/customers/external-accounts", {
        customerId: recipient().customerId,
        currency: "USD",
        accountInfo: {
          accountType: "USD_ACCOUNT",
          accountNumber: "000123005",
          routingNumber: "021000021",
          beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
        },
      });
      const { body } = await call("POST", "/transfer-in", {
        source: { accountId: account.id },
        destination: { accountId: recipient().accountId },
        amount: 100,
      });
      return body.id;
    },
    status: "PENDING",
  },
  {
    says: "an outgoing payment that waits",
    make: async () => {
      const payer = await createPayer(world());
      const payee = await createPayee(world(), payer.customerId, "999");
      const input = quoteInput(payer.accountId, payee);
      return (await world().call("POST", "/quotes", input)).body.transactionId;
    },
    status: "PENDING",
    code: "INVALID_INPUT",
    type: "OUTGOING",
  },
];

const madeWith = async (answer: Behaviour, members: object = {}): Promise<string> => {
  receiver().behaviour = answering(answer);
  const { body } = await receive(world(), recipient(), members);
  await goTo(world(), "09:00:10.000");
  return body.id;
};

const approvedFrom = (name: string) =>
  madeWith(answered(200), { senderUmaAddress: senderAt(name) });

describe.each(VERBS)("a payment that cannot be decided: %s", (verb) => {
  test.each(UNDECIDABLE)("$says", async ({ make, status, code, type }) => {
    const id = await make();
    expect(await transaction(id)).toMatchObject({ status, ...(type && { type }) });
    const before = await transaction(id);
    const answer = await decide(id, verb);
    if (code === undefined)
      expectRefused(answer, { status: 409, code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" });
    else expectRefused(answer, { status: 400, code, field: "transactionId" });
    if (code === undefined) expect(answer.body.details.transactionStatus).toBe(status);
    expect(await transaction(id)).toEqual(before);
  });
});

describe("the body of a decision", () => {
  const BAD: { verb: Verb; body: unknown; field: string }[] = [
    ...["text", 5, true, null, [], [{}]].flatMap((body) =>
      VERBS.map((verb) => ({ verb, body, field: "body" })),
    ),
    ...["text", 5, true, null, []].map((receiverCustomerInfo) => ({
      verb: "approve" as const,
      body: { receiverCustomerInfo },
      field: "receiverCustomerInfo",
    })),
    ...[5, true, null, [], {}].map((reason) => ({
      verb: "reject" as const,
      body: { reason },
      field: "reason",
    })),
  ];

  test.each(BAD)("is refused when malformed: $verb with $body", async ({ verb, body, field }) => {
    receiver().behaviour = answering(answered(202));
    const { body: payment } = await receive(world(), recipient());
    expectRefused(await decide(payment.id, verb, body as object), {
      status: 400,
      code: "INVALID_INPUT",
      field,
    });
    expect((await transaction(payment.id)).status).toBe("PENDING");
  });

  test.each([
    { verb: "approve", body: undefined },
    { verb: "approve", body: {} },
    { verb: "approve", body: { receiverCustomerInfo: {} } },
    { verb: "approve", body: { receiverCustomerInfo: { TAX_ID: "X-5512" }, unheardOf: 1 } },
    { verb: "reject", body: undefined },
    { verb: "reject", body: {} },
    { verb: "reject", body: { reason: "unknown sender" } },
  ] as const)("need not be there: $verb with $body", async ({ verb, body }) => {
    receiver().behaviour = answering(answered(202));
    const { body: payment } = await receive(world(), recipient());
    expect((await decide(payment.id, verb, body)).body.status).toBe(DECIDED[verb].reply);
  });
});

describe("while the clock is moved", () => {
  /** Keeps the request unanswered until the clock moves. */
  const keptBack = async () => {
    const kept: Parameters<Behaviour>[] = [];
    receiver().behaviour = answering((...request) => void kept.push(request));
    const { body: payment } = await receive(world(), recipient());
    await until("the request", () => kept.length === 1);
    const moved = world().control("POST", "/clock/advance", { by: "1h" });
    for (let turns = 0; turns < 50; turns += 1) await turn();
    const answer = (behaviour: Behaviour) => void behaviour(...(kept[0] as Parameters<Behaviour>));
    return { payment, moved, answer };
  };

  test("an approval counts at the instant of its call", async () => {
    const { payment, moved, answer } = await keptBack();
    answer(answered(200));
    expect((await moved).body).toMatchObject({ complete: true });
    await expectDecided(payment.id, "approve", "09:00:10.000");
  });

  test("the five seconds after a 202 begin at that instant", async () => {
    const { payment, moved, answer } = await keptBack();
    answer(answered(202));
    expect((await moved).body.fired).toMatchObject([
      { at: "2026-01-05T09:00:15.000Z", timer: "incoming.lapse", from: "PENDING", to: "FAILED" },
    ]);
    expect((await transaction(payment.id)).updatedAt).toBe("2026-01-05T09:00:15.000Z");
  });

  test("a receiver that calls from its handler is served at that instant", async () => {
    const { payment, moved, answer } = await keptBack();
    answer(async ({ data }, response) => {
      await decide(data.id, "approve");
      response.writeHead(500).end();
    });
    expect((await moved).body).toMatchObject({ complete: true });
    await expectDecided(payment.id, "approve", "09:00:10.000");
  });
});

test("the event of a call's decision follows the answered request", async () => {
  const kept: Parameters<Behaviour>[] = [];
  receiver().behaviour = answering((...request) => void kept.push(request));
  const { body: payment } = await receive(world(), recipient());
  await decide(payment.id, "approve");
  await until("the request", () => kept.length === 1);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(receiver().types()).not.toContain("INCOMING_PAYMENT.COMPLETED");
  answered(403)(...(kept[0] as Parameters<Behaviour>));
  await expectDecided(payment.id, "approve", "09:00:10.000");
  const types = receiver()
    .types()
    .filter((type) => type.startsWith("INCOMING_PAYMENT."));
  expect(types).toEqual([PENDING, "INCOMING_PAYMENT.COMPLETED"]);
});
