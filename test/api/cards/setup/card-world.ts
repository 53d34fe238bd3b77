import { expect } from "vitest";
import type { Answer, Parsed, TestSimulator } from "../../../setup/test-simulator.ts";
import { MAGIC_SIGNATURE } from "../../wallets/setup/wallet-client.ts";

/** An individual with a USD account and an embedded wallet. */
export interface Cardholder {
  customerId: string;
  usdId: string;
  walletId: string;
}

export const fund = async ({ call }: TestSimulator, accountId: string, amount: number) => {
  const { status } = await call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });
  expect(status).toBe(200);
};

/** @param money balances of its accounts: USD in cents, USDB in millionths */
export const createCardholder = async (
  world: TestSimulator,
  money: { usd?: number; usdb?: number } = {},
): Promise<Cardholder> => {
  const { body: made } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const path = `/customers/internal-accounts?customerId=${made.id}&currency=`;
  const accountIn = async (currency: string): Promise<string> =>
    (await world.call("GET", path + currency)).body.data[0].id;
  const holder = {
    customerId: made.id as string,
    usdId: await accountIn("USD"),
    walletId: await accountIn("USDB"),
  };
  if (money.usd) await fund(world, holder.usdId, money.usd);
  if (money.usdb) await fund(world, holder.walletId, money.usdb);
  return holder;
};

/** Opens a further account of a customer, as the operator does. */
export const openAccount = async (
  world: TestSimulator,
  input: { customerId: string; currency: string; suffix?: string },
  fundMinor = 0,
): Promise<string> => {
  const { status, body } = await world.control("POST", "/internal-accounts", input);
  expect(status).toBe(201);
  if (fundMinor > 0) await fund(world, body.id, fundMinor);
  return body.id;
};

export interface Issue {
  cardholderId: string;
  fundingSources: string[];
  platformCardId?: string;
}

/** Issues a card and reads it right after the reply. */
export const issueCard = async (world: TestSimulator, issue: Issue): Promise<Parsed> => {
  const { status, body } = await world.call("POST", "/cards", { form: "VIRTUAL", ...issue });
  expect(status, JSON.stringify(body)).toBe(201);
  return (await world.call("GET", `/cards/${body.id}`)).body;
};

export const getCard = async ({ call }: TestSimulator, id: string): Promise<Parsed> =>
  (await call("GET", `/cards/${id}`)).body;

/** Makes the second call of an update, signed by the magic value. */
export const retryPatch = (
  { raw }: TestSimulator,
  cardId: string,
  { body, requestId }: { body: object; requestId: string },
): Promise<Answer> =>
  raw("PATCH", `/cards/${cardId}`, {
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      "service-wallet-signature": MAGIC_SIGNATURE,
      "request-id": requestId,
    },
  });

/** Makes both calls of an update. Returns the first answer if it is not a challenge. */
export const patchCard = async (
  world: TestSimulator,
  cardId: string,
  body: object,
): Promise<Answer> => {
  const first = await world.call("PATCH", `/cards/${cardId}`, body);
  return first.status === 202
    ? retryPatch(world, cardId, { body, requestId: first.body.requestId })
    : first;
};

export interface Purchase {
  amount: number;
  currency?: string;
  descriptor?: string;
}

const simulate = (world: TestSimulator, cardId: string, [what, body]: [string, object]) =>
  world.call("POST", `/sandbox/cards/${cardId}/simulate/${what}`, body);

export const tryAuthorize = (
  world: TestSimulator,
  cardId: string,
  { amount, currency = "USD", descriptor = "NORTH PIER BOOKS" }: Purchase,
) =>
  simulate(world, cardId, [
    "authorization",
    { amount, currency: { code: currency }, merchant: { descriptor } },
  ]);

export const authorize = async (
  world: TestSimulator,
  cardId: string,
  purchase: Purchase,
): Promise<Parsed> => {
  const { status, body } = await tryAuthorize(world, cardId, purchase);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

interface Transaction {
  id: string;
  cardId: string;
}

export const tryClear = (world: TestSimulator, { id, cardId }: Transaction, amount: number) =>
  simulate(world, cardId, ["clearing", { cardTransactionId: id, amount }]);

export const clear = async (world: TestSimulator, one: Transaction, amount: number) => {
  const { status, body } = await tryClear(world, one, amount);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

export const tryReturn = (world: TestSimulator, { id, cardId }: Transaction, amount: number) =>
  simulate(world, cardId, ["return", { cardTransactionId: id, amount }]);

export const giveBack = async (world: TestSimulator, one: Transaction, amount: number) => {
  const { status, body } = await tryReturn(world, one, amount);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** Pulls, settlements and refunds of a transaction, each as [count, total]. */
export const sums = ({ pullSummary, settlementSummary, refundSummary }: Parsed) => ({
  pulled: [pullSummary.count, pullSummary.totalAmount],
  settled: [settlementSummary.count, settlementSummary.totalAmount],
  refunded: [refundSummary.count, refundSummary.totalAmount],
});

/** A holder with money, and an ACTIVE card on one of the two accounts. */
export const activeCard = async (
  world: TestSimulator,
  { on, minor }: { on: "usd" | "usdb"; minor: number },
) => {
  const holder = await createCardholder(world, { [on]: minor });
  const accountId = on === "usd" ? holder.usdId : holder.walletId;
  const card = await issueCard(world, {
    cardholderId: holder.customerId,
    fundingSources: [accountId],
  });
  expect(card.state).toBe("ACTIVE");
  return { holder, accountId, card, cardId: card.id as string };
};
