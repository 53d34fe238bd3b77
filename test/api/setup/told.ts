import { expect } from "vitest";
import type { Received, Receiver } from "../../setup/receiver.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";

export const DAY = "2026-01-05T";
export const timeOf = ({ timestamp }: Received) => timestamp.slice(DAY.length, -1);

/** Moves the clock to a time of the day and waits until every webhook has been attempted. */
export const goTo = async ({ control }: TestSimulator, time: string) => {
  const to = `${DAY}${time}Z`;
  const { status, body } = await control("POST", "/clock/advance", { to });
  expect({ status, to: body.to, complete: body.complete }).toEqual({
    status: 200,
    to,
    complete: true,
  });
};

/** Events of one payment in order of arrival; an event of the other type in full. */
export const paymentEvents = ({ received }: Receiver, transactionId: string) =>
  received
    .filter(({ data }) => data.id === transactionId)
    .map((event) => {
      const { status, refund, type } = event.data;
      const told = [timeOf(event), event.type.replace(`${type}_PAYMENT.`, ""), status];
      return refund ? [...told, refund.status] : told;
    });

/** Balance events of one account in order of arrival. */
export const balanceEvents = ({ received }: Receiver, accountId: string) =>
  received
    .filter(({ type, data }) => type.endsWith("BALANCE_UPDATED") && data.id === accountId)
    .map((event) => [timeOf(event), event.data.balance.amount]);

/** Asserts that every delivery is unique, signed, and compact JSON that survives a parse. */
export const expectSoundDeliveries = (receiver: Receiver, publicKey: string) => {
  expect(receiver.allVerify(publicKey)).toBe(true);
  const ids = receiver.received.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { body } of receiver.received) expect(JSON.stringify(JSON.parse(body))).toBe(body);
};

/** The ledger's own accounts that are not zero. */
export const ledgerOwn = async ({ control }: TestSimulator): Promise<Record<string, number>> => {
  const { body } = await control("GET", "/ledger");
  const entries = body.balances as { account: string; currency: string; amount: number }[];
  return Object.fromEntries(
    entries
      .filter(({ account, amount }) => account.startsWith("Ledger:") && amount !== 0)
      .map(({ account, currency, amount }) => [`${account} ${currency}`, amount]),
  );
};

export const balanceOf = async ({ call }: TestSimulator, accountId: string): Promise<number> => {
  const accounts = [
    ...(await call("GET", "/customers/internal-accounts?limit=100")).body.data,
    ...(await call("GET", "/platform/internal-accounts")).body.data,
  ] as { id: string; balance: { amount: number } }[];
  const found = accounts.find(({ id }) => id === accountId);
  if (!found) throw new Error(`Expected an internal account but found none like ${accountId}`);
  return found.balance.amount;
};
