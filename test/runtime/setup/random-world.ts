import fc from "fast-check";
import type { Draft, Moment } from "../../../src/domain/core/draft.ts";
import { LEDGER_ACCOUNTS } from "../../../src/domain/money/ledger.ts";
import { KINDS } from "../../../src/domain/records/tables.ts";
import { postingImage } from "../../../src/runtime/posting-columns.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";

/** One random change. */
export interface Step {
  slot: number;
  act: "put" | "del" | "post" | "emit";
  waits: number;
}

export const stepOf = fc.record<Step>({
  slot: fc.integer({ min: 0, max: 12 }),
  act: fc.constantFrom("put", "del", "post", "emit"),
  waits: fc.integer({ min: 0, max: 2 }),
});

/** A rule that changes records, postings and events at random. */
export const act = (draft: Draft, { slot, act: what }: Step, moment: Moment) => {
  const id = `Customer:${slot}`;
  if (what === "put")
    draft.put("Customer", {
      id,
      customerType: "INDIVIDUAL",
      platformCustomerId: `p${moment.nextOrder()}`,
      currencies: ["USD"],
      umaAddress: `$u${slot}@pay.test`,
      isDeleted: slot % 3 === 0,
      createdAtMs: moment.atMs,
      updatedAtMs: moment.atMs,
    });
  if (what === "del") draft.del("Customer", id);
  if (what === "post")
    for (const [account, sign] of [
      [LEDGER_ACCOUNTS.funding, -1n],
      [LEDGER_ACCOUNTS.fees, 1n],
    ] as const)
      draft.post({ account, currency: "USD", amountMinor: sign * BigInt(slot + 1) });
  if (what === "emit") {
    const event = moment.newId("Webhook");
    draft.emit({
      id: event,
      type: "CUSTOMER.KYC_APPROVED",
      lane: id,
      body: "{}",
      deliverable: slot % 2 === 0,
    });
  }
};

/** The whole world, in an order that does not depend on its history. */
export const imageOf = (state: WorldState) => ({
  meta: state.meta(),
  records: KINDS.map((kind) => [...state.ids(kind, "all", "")].map((id) => state.get(kind, id))),
  present: [...state.ids("Customer", "byPresence", "present ")],
  balances: state.balanceImages().sort(),
  past: [...state.ids("Customer", "all", "")].map((id) => state.history.of(id)),
  next: state.nextTimer()?.id,
  postings: state.postings.slice().map(postingImage),
});

/** Waits for turns of the event loop. */
export const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next));
};
