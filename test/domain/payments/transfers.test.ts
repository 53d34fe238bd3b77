import { describe, expect, test } from "vitest";
import { createPlatformExternalAccount } from "../../../src/domain/accounts/external-accounts.ts";
import type { Draft, Moment, Rule } from "../../../src/domain/core/draft.ts";
import type { TimerEffect } from "../../../src/domain/core/schedule.ts";
import { LEDGER_ACCOUNTS, postMovement } from "../../../src/domain/money/ledger.ts";
import { fireIncomingStep } from "../../../src/domain/payments/incoming-payments.ts";
import { firePaymentStep } from "../../../src/domain/payments/outgoing-payments.ts";
import { transferIn, transferOut } from "../../../src/domain/payments/transfers.ts";
import type { InternalAccountRecord } from "../../../src/domain/records/records.ts";
import { usdAccount } from "../../setup/banks.ts";
import { RuleWorld } from "../setup/rule-world.ts";

const MAX_BALANCE = 9_007_199_254_740_991n;

interface Stage {
  world: RuleWorld;
  account: string;
  bank: string;
}

/** The platform's USD account with some cents in it, and its bank account. */
const stageWith = (suffix: string, holdsMinor = 1000n): Stage => {
  const world = new RuleWorld();
  const account = world.state
    .ids("InternalAccount", "all", "")
    .slice()
    .map((id) => world.state.get("InternalAccount", id) as InternalAccountRecord)
    .find(({ currency }) => currency === "USD");
  if (!account) throw new Error("Expected the platform to have a USD account");
  const bank = world.run(createPlatformExternalAccount, {
    body: { currency: "USD", accountInfo: usdAccount(suffix) },
  } as never);
  world.run(credit(account.id), holdsMinor);
  return { world, account: account.id, bank: bank.id };
};

const credit =
  (account: string): Rule<bigint, void> =>
  (draft, amountMinor) =>
    postMovement(draft, [
      { account: LEDGER_ACCOUNTS.funding, currency: "USD", amountMinor: -amountMinor },
      { account, currency: "USD", amountMinor },
    ]);

const bodyOf = (from: string, to: string, amount?: number) => ({
  body: { source: { accountId: from }, destination: { accountId: to }, ...(amount && { amount }) },
});

const balanceOf = ({ world, account }: Stage) => world.state.balanceMinor(account, "USD");

type Fire = (draft: Draft, subject: string, moment: Moment) => TimerEffect;

const fire = ({ world }: Stage, how: Fire, id: string) =>
  world.run((draft, subject: string, moment) => how(draft, subject, moment), id);

const timersOf = ({ world }: Stage) =>
  world.state
    .ids("Timer", "all", "")
    .slice()
    .map((id) => world.state.get("Timer", id)?.name);

describe("a transfer in", () => {
  test("goes its course step by step, credited at its end alone", () => {
    const stage = stageWith("999");
    const { id } = stage.world.run(transferIn, bodyOf(stage.bank, stage.account, 7));
    expect(timersOf(stage)).toEqual(["incoming.start"]);
    expect(fire(stage, fireIncomingStep, id)).toEqual({ from: "PENDING", to: "PROCESSING" });
    expect(balanceOf(stage)).toBe(1000n);
    expect(fire(stage, fireIncomingStep, id)).toEqual({ from: "PROCESSING", to: "COMPLETED" });
    expect(balanceOf(stage)).toBe(1007n);
    expect(fire(stage, fireIncomingStep, id)).toEqual({});
    expect(balanceOf(stage)).toBe(1007n);
  });

  test("into an account without room fails, and nothing is posted", () => {
    const stage = stageWith("999");
    const { id } = stage.world.run(transferIn, bodyOf(stage.bank, stage.account, 7));
    stage.world.run(credit(stage.account), MAX_BALANCE - 1000n - 6n);
    fire(stage, fireIncomingStep, id);
    expect(fire(stage, fireIncomingStep, id)).toEqual({ from: "PROCESSING", to: "FAILED" });
    expect(stage.world.state.get("Transaction", id)).toMatchObject({
      status: "FAILED",
      failureReason: "QUOTE_EXECUTION_FAILED",
    });
    expect(stage.world.state.get("Transaction", id)).not.toHaveProperty("settledAtMs");
    expect(balanceOf(stage)).toBe(MAX_BALANCE - 6n);
  });

  test("into an account with just the room for it is credited", () => {
    const stage = stageWith("999");
    const { id } = stage.world.run(transferIn, bodyOf(stage.bank, stage.account, 7));
    stage.world.run(credit(stage.account), MAX_BALANCE - 1000n - 7n);
    fire(stage, fireIncomingStep, id);
    expect(fire(stage, fireIncomingStep, id)).toEqual({ from: "PROCESSING", to: "COMPLETED" });
    expect(balanceOf(stage)).toBe(MAX_BALANCE);
  });

  test("ignores a timer of outgoing payments", () => {
    const stage = stageWith("999");
    const { id } = stage.world.run(transferIn, bodyOf(stage.bank, stage.account, 7));
    expect(fire(stage, firePaymentStep, id)).toEqual({});
    expect(stage.world.state.get("Transaction", id)?.status).toBe("PENDING");
  });
});

describe("a transfer out", () => {
  test("that fails in its call has one refund, which comes next", () => {
    const stage = stageWith("002");
    const { id } = stage.world.run(transferOut, bodyOf(stage.account, stage.bank));
    expect(timersOf(stage)).toEqual(["refund.settle"]);
    expect(balanceOf(stage)).toBe(0n);
    expect(fire(stage, firePaymentStep, id)).toEqual({ from: "PENDING", to: "COMPLETED" });
    expect(balanceOf(stage)).toBe(1000n);
    expect(fire(stage, firePaymentStep, id)).toEqual({});
    expect(balanceOf(stage)).toBe(1000n);
  });

  test("ignores a timer of incoming payments", () => {
    const stage = stageWith("004");
    const { id } = stage.world.run(transferOut, bodyOf(stage.account, stage.bank));
    expect(fire(stage, fireIncomingStep, id)).toEqual({});
    expect(stage.world.state.get("Transaction", id)?.status).toBe("PENDING");
  });
});

test.each(["Transaction:none", ""])("a timer without a payment (%j) does nothing", (id) => {
  const stage = stageWith("999");
  expect(fire(stage, fireIncomingStep, id)).toEqual({});
  expect(fire(stage, firePaymentStep, id)).toEqual({});
});
