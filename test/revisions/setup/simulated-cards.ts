import { expect } from "vitest";
import { timeOf } from "../../api/setup/told.ts";
import type { Receiver } from "../../setup/receiver.ts";
import type { Answer, Parsed, TestSimulator } from "../../setup/test-simulator.ts";

export const LATER = "2026-08";

export const DESCRIPTOR = "NORTH PIER BOOKS";

/** The body of a request by a merchant. */
export const asked = (amount: number, descriptor = DESCRIPTOR) => ({
  amount,
  currency: { code: "USD" },
  merchant: { descriptor },
});

export const simulate = (
  { call }: TestSimulator,
  cardId: string,
  [what, body]: [what: string, body: object],
): Promise<Answer> => call("POST", `/sandbox/cards/${cardId}/simulate/${what}`, body);

/** Has a simulation accepted. @returns the transaction as it is then */
export const accepted = async (
  world: TestSimulator,
  cardId: string,
  request: [what: string, body: object],
): Promise<Parsed> => {
  const { status, body } = await simulate(world, cardId, request);
  expect(status, JSON.stringify(body)).toBe(202);
  expect(Object.keys(body)).toEqual(["issuerTransactionToken"]);
  const { data } = (await world.call("GET", "/transactions?limit=100")).body;
  return data.find(
    (one: Parsed) => one.issuerTransactionToken === body.issuerTransactionToken,
  ) as Parsed;
};

/** A transaction in the words that tests compare. */
export const inShort = ({ status, authorizedAmount, settledAmount, refundedAmount }: Parsed) =>
  [status, authorizedAmount, settledAmount, refundedAmount].map((one) =>
    typeof one === "object" ? one.amount : one,
  );

/** Everything received, in the order in which it was recorded; lanes may arrive in another. */
export const inOrder = ({ received }: Receiver) =>
  received.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Events of cards' transactions and of balances, in the order in which they were recorded. */
export const eventsTold = (receiver: Receiver) =>
  inOrder(receiver).flatMap((event) => {
    const { type, data } = event;
    if (type.startsWith("CARD_TRANSACTION.")) return [[timeOf(event), type.slice(17), data.status]];
    return type.endsWith("BALANCE_UPDATED") ? [[timeOf(event), data.balance.amount]] : [];
  });
