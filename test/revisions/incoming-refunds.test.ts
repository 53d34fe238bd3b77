import { expect, test, vi } from "vitest";
import type { Rule } from "../../src/domain/core/draft.ts";
import { postMovement } from "../../src/domain/money/ledger.ts";
import {
  endIncomingRefund,
  startIncomingRefund,
} from "../../src/domain/payments/incoming-refunds.ts";
import { receipt, recovery } from "../../src/domain/payments/payment-postings.ts";
import type { IncomingRecord } from "../../src/domain/records/records.ts";
import { RuleWorld } from "../domain/setup/rule-world.ts";

const REFERENCE = /^RFD-[A-Z2-7]{6}$/;

/** A receipt of 88.00 dollars with fees of 0.36 that went outside and came back from there. */
const RETURNED: IncomingRecord = {
  id: "Transaction:1",
  createdAtMs: 0,
  updatedAtMs: 0,
  type: "INCOMING",
  status: "FAILED",
  failureReason: "OFFRAMP_FAILED",
  source: { sourceType: "UMA_ADDRESS", umaAddress: "$a@b.test" },
  destination: { destinationType: "UMA_ADDRESS", umaAddress: "$c@d.test" },
  customerId: "Customer:1",
  platformCustomerId: "p",
  reference: "REF-1",
  receivingCurrency: "USD",
  receivedMinor: 8_800,
  feesMinor: 36,
  settledAtMs: 0,
};

const LEDGER = ["clearing", "fees", "funding", "payouts", "unrefunded"] as const;

const balancesOf = ({ state }: RuleWorld) =>
  Object.fromEntries(
    LEDGER.map((name) => [name, Number(state.balanceMinor(`Ledger:${name}`, "USD"))]).filter(
      ([, amount]) => amount !== 0,
    ),
  );

interface Told {
  types: string[];
  refunds: object[];
}

/** Refunds the receipt, and tells of the events; the world serves revision 2026-08. */
const refund: Rule<"settle" | "fail", Told> = (draft, wanted, moment) => {
  const [config = ""] = draft.ids("PlatformConfig", "all", "");
  const kept = draft.get("PlatformConfig", config);
  if (kept) draft.put("PlatformConfig", { ...kept, revision: "2026-08" });
  draft.put("Transaction", RETURNED);
  postMovement(draft, receipt(RETURNED));
  postMovement(draft, recovery(RETURNED, "Ledger:payouts"));
  const emitted = vi.spyOn(draft, "emit");
  const started = startIncomingRefund(draft, RETURNED, { reason: undefined, moment });
  endIncomingRefund(draft, started, { wanted, moment });
  const bodies = emitted.mock.calls.map(([{ body }]) => JSON.parse(String(body)));
  return {
    types: bodies.map(({ type, data }) => `${type} ${data.status}`),
    refunds: bodies.map(({ data }) => data.refund),
  };
};

// spec/later-payments.md#incoming-refunds
test.each([
  {
    wanted: "settle",
    ended: "COMPLETED",
    settledAt: "2026-01-05T09:00:00.000Z",
    left: {},
  },
  // The sender's money stays owed, and the fees stay earned.
  {
    wanted: "fail",
    ended: "FAILED",
    settledAt: undefined,
    left: { fees: 36, funding: -8_836, unrefunded: 8_800 },
  },
] as const)("a refund that should $wanted is $ended", ({ wanted, ended, settledAt, left }) => {
  const world = new RuleWorld();
  const { types, refunds } = world.run(refund, wanted);
  expect(types).toEqual([
    "INCOMING_PAYMENT.REFUND_PENDING FAILED",
    `INCOMING_PAYMENT.REFUND_${ended} FAILED`,
  ]);
  const begun = {
    reference: expect.stringMatching(REFERENCE),
    initiatedAt: "2026-01-05T09:00:00.000Z",
    reason: "TRANSACTION_FAILED",
  };
  expect(refunds).toEqual([
    { ...begun, status: "PENDING" },
    { ...begun, status: ended, ...(settledAt !== undefined && { settledAt }) },
  ]);
  expect(balancesOf(world)).toEqual(left);
});
