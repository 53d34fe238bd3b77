import type { TestSimulator } from "../../setup/test-simulator.ts";
import { activeCard, authorize, clear } from "../cards/setup/card-world.ts";
import type { KnownIds } from "./populated.ts";

/** Ids of a funded card, of its holder, and of a half-cleared payment. */
export const populateCards = async (world: TestSimulator): Promise<KnownIds> => {
  const { holder, accountId, cardId } = await activeCard(world, { on: "usd", minor: 10_000 });
  const { id } = await clear(world, await authorize(world, cardId, { amount: 2_000 }), 1_000);
  return {
    cardId,
    cardholderId: holder.customerId,
    cardAccountId: accountId,
    cardTransactionId: id,
  };
};

/** Bodies that the operations of cards accept, with every documented member. */
export const CARD_BODIES: Record<string, (ids: KnownIds) => object> = {
  createCard: ({ cardholderId, cardAccountId }) => ({
    cardholderId,
    platformCardId: "travel-card-77x",
    form: "VIRTUAL",
    fundingSources: [cardAccountId],
  }),
  patchCard: ({ cardAccountId }) => ({ state: "FROZEN", fundingSources: [cardAccountId] }),
  simulateCardAuthorization: () => ({
    amount: 1_000,
    currency: { code: "USD" },
    merchant: { descriptor: "NORTH PIER BOOKS", mcc: "5942", country: "US" },
  }),
  simulateCardClearing: ({ cardTransactionId }) => ({ cardTransactionId, amount: 1_000 }),
  simulateCardReturn: ({ cardTransactionId }) => ({ cardTransactionId, amount: 1_000 }),
};
