import { describe, expect, test } from "vitest";
import { APPROVAL_ANSWERS } from "../../../src/domain/outcomes/approval-answers.ts";
import type { Behaviour } from "../../setup/receiver.ts";
import { answered, answering, PENDING, receive, toldBy } from "../setup/incoming.ts";
import { recipientPerTest } from "../setup/recipient-per-test.ts";
import { balanceOf, goTo, ledgerOwn } from "../setup/told.ts";

const { world, receiver, recipient } = recipientPerTest();

type Told = readonly [at: string, event: string, says: string | number];

/** The end of a payment of 8800 cents announced at 09:00:10, with fees of 36. */
interface Ending {
  moments: (readonly [at: string, status: string, balance: number])[];
  ends: { status: string; failureReason?: string; settledAt?: string };
  told: Told[];
  ledger: Record<string, number>;
}

const ASKED: Told = ["09:00:10.000", "PENDING", "PENDING"];

const CREDITED: Ending = {
  moments: [["09:00:10.000", "COMPLETED", 8_800]],
  ends: { status: "COMPLETED", settledAt: "2026-01-05T09:00:10.000Z" },
  told: [
    ASKED,
    ["09:00:10.000", "COMPLETED", "COMPLETED"],
    ["09:00:10.000", "BALANCE_UPDATED", 8_800],
  ],
  ledger: { "Ledger:funding USD": -8_836, "Ledger:fees USD": 36 },
};

const REJECTED: Ending = {
  moments: [["09:00:10.000", "REJECTED", 0]],
  ends: { status: "REJECTED" },
  told: [ASKED, ["09:00:10.000", "FAILED", "REJECTED"]],
  ledger: {},
};

const failed = (failureReason: string): Ending => ({
  moments: [["09:00:10.000", "FAILED", 0]],
  ends: { status: "FAILED", failureReason },
  told: [ASKED, ["09:00:10.000", "FAILED", "FAILED"]],
  ledger: {},
});

const BROKEN = failed("PAYMENT_APPROVAL_WEBHOOK_ERROR");

const LAPSED: Ending = {
  moments: [
    ["09:00:10.000", "PENDING", 0],
    ["09:00:14.999", "PENDING", 0],
    ["09:00:15.000", "FAILED", 0],
  ],
  ends: { status: "FAILED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" },
  told: [ASKED, ["09:00:15.000", "FAILED", "FAILED"]],
  ledger: {},
};

interface AnswerCase {
  says: string;
  answer: Behaviour;
  /** The deciding rows, as `why` names them. */
  rules: string[];
  ending: Ending;
  /** The delivery of the request. */
  delivery: { state: string; status: number | null };
}

const taken = (status: number) => ({ state: "ACCEPTED", status });
const refused = (status: number | null) => ({ state: "GIVEN_UP", status });

const broken = (
  status: number,
  delivery: AnswerCase["delivery"] = refused(status),
): AnswerCase => ({
  says: `answers ${status}`,
  answer: answered(status),
  rules: ["approval.otherwise"],
  ending: BROKEN,
  delivery,
});

/** spec/uma-payments.md#approval-answers */
const ANSWERS: AnswerCase[] = [
  {
    says: "answers 200 without a body",
    answer: answered(200),
    rules: ["approval.200"],
    ending: CREDITED,
    delivery: taken(200),
  },
  {
    says: "answers 200 with more than was asked for",
    answer: answered(200, { receiverCustomerInfo: { TAX_ID: "X-5512" } }),
    rules: ["approval.200"],
    ending: CREDITED,
    delivery: taken(200),
  },
  {
    says: "answers 200 with an unreadable body",
    answer: answered(200, "<ok/>"),
    rules: ["approval.200"],
    ending: CREDITED,
    delivery: taken(200),
  },
  {
    says: "answers 202 and nothing else",
    answer: answered(202),
    rules: ["approval.202", "approval.silence"],
    ending: LAPSED,
    delivery: taken(202),
  },
  {
    says: "answers 403",
    answer: answered(403, { code: "REJECTED_BY_PLATFORM", reason: "unknown sender" }),
    rules: ["approval.403"],
    ending: REJECTED,
    delivery: taken(403),
  },
  {
    says: "answers 422",
    answer: answered(422, { requiredFields: ["BIRTH_DATE"] }),
    rules: ["approval.422"],
    ending: failed("PAY_REQUEST_FAILED"),
    delivery: taken(422),
  },
  broken(201, taken(201)),
  broken(204, taken(204)),
  broken(301),
  broken(302),
  broken(400),
  broken(401),
  broken(404),
  broken(408),
  broken(409, taken(409)),
  broken(429),
  broken(500),
  broken(503),
  {
    says: "closes the connection without an answer",
    answer: (_event, response) => void response.socket?.destroy(),
    rules: ["approval.otherwise"],
    ending: BROKEN,
    delivery: refused(null),
  },
  {
    says: "answers half and closes the connection",
    answer: (_event, response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write("half", () => response.socket?.destroy());
    },
    rules: ["approval.otherwise"],
    ending: BROKEN,
    delivery: refused(null),
  },
];

const transaction = async (id: string) => (await world().call("GET", `/transactions/${id}`)).body;

describe("a receiver that", () => {
  test.each(ANSWERS)("$says decides by $rules", async ({ answer, rules, ending, delivery }) => {
    receiver().behaviour = answering(answer);
    const { status, body: payment } = await receive(world(), recipient());
    expect({ status, payment: payment.status }).toEqual({ status: 200, payment: "PENDING" });
    for (const [at, ...stands] of ending.moments) {
      await goTo(world(), at);
      const { status: now } = await transaction(payment.id);
      expect([now, await balanceOf(world(), recipient().accountId)]).toEqual(stands);
    }
    await goTo(world(), "21:00:00.000");

    const { updatedAt, settledAt, ...ended } = await transaction(payment.id);
    const { updatedAt: _first, ...born } = payment;
    expect({ ...ended, settledAt, failureReason: ended.failureReason }).toEqual({
      ...born,
      settledAt: undefined,
      failureReason: undefined,
      ...ending.ends,
    });
    expect(toldBy(receiver())).toEqual(ending.told);
    expect(await ledgerOwn(world())).toEqual(ending.ledger);
    expect(await balanceOf(world(), recipient().accountId)).toBe(ending.moments.at(-1)?.[2]);
    const last = receiver().received.findLast(({ data }) => data.id === payment.id);
    expect(last?.data).toEqual(await transaction(payment.id));
    expect(updatedAt).toBe(last?.timestamp);
    expect((await world().control("GET", "/timers")).body.data).toEqual([]);

    const { body } = await world().control("GET", `/webhooks?type=${PENDING}`);
    expect(body.data).toMatchObject([{ ...delivery, attempt: 1, about: payment.id }]);
    const { body: story } = await world().control("GET", `/why/${payment.id}`);
    const deciding = story.chain.flatMap(({ effects }: { effects: { rule?: string }[] }) =>
      effects.flatMap(({ rule = "" }) => (rule.startsWith("approval.") ? [rule] : [])),
    );
    expect(deciding).toEqual(rules);
    expect(JSON.stringify(story)).not.toContain("no longer kept");
  });

  test("is not reachable fails the payment at once", async () => {
    await receiver().stop();
    const { body: payment } = await receive(world(), recipient());
    await goTo(world(), "09:00:10.000");
    expect(await transaction(payment.id)).toMatchObject(BROKEN.ends);
    expect(await ledgerOwn(world())).toEqual({});
  });
});

test("every row of the table has a case here or a test of its own", () => {
  const elsewhere = ["approval.incomplete", "approval.timeout"];
  const met = [...new Set(ANSWERS.flatMap(({ rules }) => rules)), ...elsewhere];
  expect(met.sort()).toEqual(
    Object.keys(APPROVAL_ANSWERS)
      .map((row) => `approval.${row}`)
      .sort(),
  );
});

// spec/uma-payments.md#approval-request
describe("the approval request", () => {
  test("is the transaction as the call showed it", async () => {
    const { body: payment } = await receive(world(), recipient());
    await goTo(world(), "09:00:10.000");
    expect(receiver().received[0]).toMatchObject({ type: PENDING });
    expect(receiver().received[0]?.data).toEqual(payment);
  });

  test.each([
    [200, "COMPLETED"],
    [403, "REJECTED"],
    [500, "FAILED"],
  ])("answered %d is sent once, however much time passes", async (status, ends) => {
    receiver().behaviour = answering(answered(status));
    const { body: payment } = await receive(world(), recipient());
    await world().control("POST", "/clock/advance", { by: "8d" });
    expect(
      receiver()
        .types()
        .filter((type) => type === PENDING),
    ).toHaveLength(1);
    expect((await transaction(payment.id)).status).toBe(ends);
  });
});
