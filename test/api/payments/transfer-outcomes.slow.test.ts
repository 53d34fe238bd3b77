import { describe, expect, test } from "vitest";
import {
  TRANSFER_IN_OUTCOMES,
  TRANSFER_OUT_OUTCOMES,
} from "../../../src/domain/outcomes/outcomes.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import {
  type AccountCase,
  CASE_OF_EACH_IDENTIFIER,
  creationBody,
  withEnding,
} from "../setup/account-bodies.ts";
import { expectOutcome, stateOf } from "../setup/outcome-run.ts";
import { stagePerTest } from "../setup/stage-per-test.ts";
import { goTo } from "../setup/told.ts";
import {
  TRANSFER_IN_CASES,
  TRANSFER_OUT_CASES,
  type TransferCase,
} from "../setup/transfer-outcome-cases.ts";

const stage = stagePerTest(1_000_000);

type Direction = "in" | "out";

interface Ends {
  internal: string;
  external: string;
}

const transfer = (way: Direction, { internal, external }: Ends): Promise<Answer> =>
  stage().world.call(
    "POST",
    `/transfer-${way}`,
    way === "in"
      ? transferInput(external, internal, 25_000)
      : transferInput(internal, external, 25_000),
  );

/** Makes a transfer to or from the payer's account at ten seconds past nine. */
const transferWith = async (way: Direction, external: string) => {
  const { world, payer } = stage();
  await goTo(world, "09:00:10.000");
  const answer = await transfer(way, { internal: payer.accountId, external });
  expect(answer.status).toBe(201);
  return { reply: answer.body, transactionId: answer.body.id, accountId: payer.accountId };
};

const follow = async (way: Direction, row: TransferCase) => {
  const { world, payer } = stage();
  const bank = await createBank(world, payer.customerId, row.suffix);
  const { reply, ...watched } = await transferWith(way, bank);
  const { status, refund } = reply;
  expect({ status, ...(refund && { refund: refund.status }) }).toEqual(row.replies);
  await expectOutcome(stage(), watched, row);
};

const rowsOf = (cases: readonly TransferCase[]) =>
  cases.map(({ suffix }) => (suffix === "999" ? "otherwise" : suffix)).sort();

/** An external account of any type, and an internal one with money in its currency. */
const endsOf = async (one: AccountCase, suffix: string): Promise<Ends> => {
  const { call, control } = stage().world;
  const { customerId } = stage().payer;
  const changes = { [one.identifier]: withEnding(one, suffix) };
  const { body: external } = await call("POST", "/customers/external-accounts", {
    customerId,
    ...creationBody(one, changes),
  });
  const owned = { customerId, currency: one.currency };
  const existing = `customerId=${customerId}&currency=${one.currency}`;
  const { body: list } = await call("GET", `/customers/internal-accounts?${existing}`);
  const internal = list.data[0] ?? (await control("POST", "/internal-accounts", owned)).body;
  await call("POST", `/sandbox/internal-accounts/${internal.id}/fund`, { amount: 25_000 });
  return { internal: internal.id, external: external.id };
};

const FAILING = { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" };

const BANKS = CASE_OF_EACH_IDENTIFIER.filter(({ isWallet }) => !isWallet);

// spec/transfers.md#transfer-out-outcomes
describe("a transfer out to an account", () => {
  test.each(TRANSFER_OUT_CASES)("ending $suffix $says", (row) => follow("out", row));

  test("has a case for every row of the outcome table", () => {
    expect(rowsOf(TRANSFER_OUT_CASES)).toEqual(Object.keys(TRANSFER_OUT_OUTCOMES).sort());
  });

  test.each(["000", "001", "006", "007", "102", "103", "104", "106", "107"])(
    "ending %s succeeds: the rows of quotes do not count",
    async (suffix) => {
      const { world, payer } = stage();
      const bank = await createBank(world, payer.customerId, suffix);
      const { reply, ...watched } = await transferWith("out", bank);
      expect(reply.status).toBe("PENDING");
      await goTo(world, "09:01:00.000");
      expect(await stateOf(world, watched)).toEqual({ payment: "COMPLETED", balance: 975_000 });
    },
  );

  test.each(CASE_OF_EACH_IDENTIFIER)(
    "of $type follows the ending of its $identifier",
    async (one) => {
      const { world } = stage();
      const { status, body } = await transfer("out", await endsOf(one, "004"));
      expect({ status, payment: body.status }).toEqual({ status: 201, payment: "PENDING" });
      await goTo(world, "09:00:01.000");
      const { body: ended } = await world.call("GET", `/transactions/${body.id}`);
      expect(ended).toMatchObject({ ...FAILING, refund: { status: "COMPLETED" } });
    },
  );
});

// spec/transfers.md#transfer-in-outcomes
describe("a transfer in from an account", () => {
  test.each(TRANSFER_IN_CASES)("ending $suffix $says", (row) => follow("in", row));

  test("has a case for every row of the outcome table", () => {
    expect(rowsOf(TRANSFER_IN_CASES)).toEqual(Object.keys(TRANSFER_IN_OUTCOMES).sort());
  });

  test.each(["000", "001", "006", "007", "102", "103", "104", "106", "107"])(
    "ending %s succeeds: the rows of quotes do not count",
    async (suffix) => {
      const { world, payer } = stage();
      const bank = await createBank(world, payer.customerId, suffix);
      const { reply, ...watched } = await transferWith("in", bank);
      expect(reply.status).toBe("PENDING");
      await goTo(world, "09:01:00.000");
      expect(await stateOf(world, watched)).toEqual({ payment: "COMPLETED", balance: 1_025_000 });
    },
  );

  test.each(BANKS)("of $type follows the ending of its $identifier", async (one) => {
    const { world } = stage();
    const { status, body } = await transfer("in", await endsOf(one, "003"));
    expect({ status, ...body }).toMatchObject({ ...FAILING, status: "FAILED" });
    expect(body).not.toHaveProperty("refund");
    const okay = await transfer("in", await endsOf(one, "998"));
    await goTo(world, "09:00:00.000");
    const { body: ended } = await world.call("GET", `/transactions/${okay.body.id}`);
    expect(ended.status).toBe("COMPLETED");
  });
});
