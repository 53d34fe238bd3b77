import { expect } from "vitest";
import type { Receiver } from "../../setup/receiver.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import type { OutcomeCase, Told } from "./outcome-cases.ts";
import { balanceEvents, balanceOf, goTo, ledgerOwn, paymentEvents } from "./told.ts";

/** A payment in progress, and the account to watch. */
export interface Watched {
  transactionId: string;
  /** The quote it comes from, if there is one. */
  quoteId?: string;
  /** The internal account that pays or is paid. */
  accountId: string;
}

/** A world and its receiver of webhooks. */
export interface Stage {
  world: TestSimulator;
  receiver: Receiver;
}

const transactionOf = async ({ call }: TestSimulator, { transactionId }: Watched) =>
  (await call("GET", `/transactions/${transactionId}`)).body;

/** The current state of a payment, its refund, its quote and the balance. */
export const stateOf = async (world: TestSimulator, watched: Watched) => {
  const { status, refund } = await transactionOf(world, watched);
  const { quoteId, accountId } = watched;
  const quote = quoteId && (await world.call("GET", `/quotes/${quoteId}`)).body.status;
  return {
    payment: status,
    ...(refund && { refund: refund.status }),
    ...(quote && { quote }),
    balance: await balanceOf(world, accountId),
  };
};

const isOfRefund = ([, event]: Told) => event.startsWith("REFUND_");

/** Asserts that each status of an OUTGOING payment sent one event, with its name. */
const expectToldOnce = (type: string, events: readonly Told[]) => {
  if (type !== "OUTGOING") return;
  for (const of of [events.filter(isOfRefund), events.filter((one) => !isOfRefund(one))]) {
    const names = of.map(([, event]) => event);
    expect(new Set(names).size).toBe(names.length);
  }
  for (const [, event, status, refund] of events)
    expect(event).toBe(event.startsWith("REFUND_") ? `REFUND_${refund}` : status);
};

/**
 * Follows a payment along its row and to the end of the day, and asserts all that the row states.
 */
export const expectOutcome = async (
  { world, receiver }: Stage,
  watched: Watched,
  row: OutcomeCase,
) => {
  for (const { at, ledger, ...state } of row.moments) {
    await goTo(world, at);
    expect({ at, ...(await stateOf(world, watched)) }).toEqual({ at, ...state });
    if (ledger) expect({ at, ...(await ledgerOwn(world)) }).toEqual({ at, ...ledger });
    const { body } = await world.control("GET", "/ledger");
    expect(Object.values(body.totals).filter((total) => total !== 0)).toEqual([]);
  }
  // After the row's last step nothing is waiting.
  expect((await world.control("GET", "/timers")).body.data).toEqual([]);
  await goTo(world, "21:00:00.000");

  const transaction = await transactionOf(world, watched);
  const { failureReason, settledAt, refund } = transaction;
  expect({ failureReason, settledAt }).toEqual({
    failureReason: undefined,
    settledAt: undefined,
    ...row.ends,
  });
  expect(refund).toEqual(
    row.refund && { ...row.refund, reference: expect.stringMatching(/^RFD-[A-Z2-7]{6}$/) },
  );
  expect(paymentEvents(receiver, watched.transactionId)).toEqual(row.events);
  expectToldOnce(transaction.type, row.events);
  expect(balanceEvents(receiver, watched.accountId)).toEqual(row.balances);
  expect(await ledgerOwn(world)).toEqual(row.ledger);
  const last = receiver.received.findLast(({ data }) => data.id === watched.transactionId);
  expect(last?.data).toEqual(transaction);
  expect(transaction.updatedAt).toBe(last?.timestamp);
};
