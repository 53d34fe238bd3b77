import { createPayee } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import {
  activeCard,
  authorize,
  clear,
  createCardholder,
  patchCard,
  tryAuthorize,
  tryClear,
  tryReturn,
} from "../cards/setup/card-world.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import { invalid, type Refused } from "./refused.ts";

const NOT_FOUND: Refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
const INELIGIBLE: Refused = {
  status: 400,
  code: "FUNDING_SOURCE_INELIGIBLE",
  field: "fundingSources.0",
};
const LARGE = 9_000_000_000_000_001;

/** POST /cards for a cardholder, funded by its USD account unless members say otherwise. */
const issue = async (world: TestSimulator, members: object = {}): Promise<Answer> => {
  const { customerId, usdId } = await createCardholder(world);
  return world.call("POST", "/cards", {
    cardholderId: customerId,
    form: "VIRTUAL",
    fundingSources: [usdId],
    ...members,
  });
};

/** An external account of a new customer. */
const payee = async (world: TestSimulator) =>
  createPayee(world, (await createCardholder(world)).customerId, "999");

const foreign = async (world: TestSimulator) => (await createCardholder(world)).usdId;

/** Refusals that both operations with funding sources declare. */
const sources = (
  operation: string,
  send: (world: TestSimulator, fundingSources: string[]) => Promise<Answer>,
): DeclaredRefusal[] => [
  {
    operation,
    word: "ACCOUNT_NOT_FOUND",
    refused: invalid("fundingSources.0", "ACCOUNT_NOT_FOUND"),
    meet: (world) => send(world, ["InternalAccount:none"]),
  },
  {
    operation,
    word: "ACCOUNT_KIND_NOT_ALLOWED",
    refused: invalid("fundingSources.0", "ACCOUNT_KIND_NOT_ALLOWED"),
    meet: async (world) => send(world, [await payee(world)]),
  },
  {
    operation,
    word: "FUNDING_SOURCE_INELIGIBLE",
    refused: INELIGIBLE,
    meet: async (world) => send(world, [await foreign(world)]),
  },
];

const issuing: DeclaredRefusal[] = [
  ...sources("createCard", (world, fundingSources) => issue(world, { fundingSources })),
  {
    operation: "createCard",
    word: "USER_NOT_FOUND_IN_BODY",
    refused: invalid("cardholderId", "USER_NOT_FOUND"),
    meet: (world) => issue(world, { cardholderId: "Customer:none" }),
  },
  {
    operation: "createCard",
    word: "CARDHOLDER_KYC_NOT_APPROVED",
    refused: { status: 400, code: "CARDHOLDER_KYC_NOT_APPROVED", field: "cardholderId" },
    meet: async (world) => {
      const { customerId, usdId } = await createCardholder(world);
      await world.control("PATCH", `/customers/${customerId}`, { kycStatus: "PENDING" });
      return issue(world, { cardholderId: customerId, fundingSources: [usdId] });
    },
  },
  {
    operation: "createCard",
    word: "PLATFORM_CARD_ID_EXISTS",
    refused: invalid("platformCardId"),
    meet: async (world) => {
      await issue(world, { platformCardId: "plum" });
      return issue(world, { platformCardId: "plum" });
    },
  },
];

/** PATCH of an ACTIVE card, or of one moved to another state first. */
const patch = async (world: TestSimulator, body: object, state?: string) => {
  const { cardId } = await activeCard(world, { on: "usd", minor: 1 });
  if (state) await patchCard(world, cardId, { state });
  return world.call("PATCH", `/cards/${cardId}`, body);
};

const updating: DeclaredRefusal[] = [
  {
    operation: "getCard",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("GET", "/cards/Card:none"),
  },
  {
    operation: "patchCard",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("PATCH", "/cards/Card:none", { state: "FROZEN" }),
  },
  ...sources("patchCard", (world, fundingSources) => patch(world, { fundingSources })),
  {
    operation: "patchCard",
    word: "INVALID_STATE_TRANSITION",
    refused: { status: 409, code: "INVALID_STATE_TRANSITION" },
    meet: (world) => patch(world, { state: "ACTIVE" }),
  },
  {
    operation: "patchCard",
    word: "CARD_NOT_MUTABLE",
    refused: { status: 409, code: "CARD_NOT_MUTABLE" },
    meet: async (world) => {
      const { cardId, accountId } = await activeCard(world, { on: "usd", minor: 1 });
      await patchCard(world, cardId, { state: "CLOSED" });
      return world.call("PATCH", `/cards/${cardId}`, { fundingSources: [accountId] });
    },
  },
];

const authorizing: DeclaredRefusal[] = [
  {
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: (world: TestSimulator) => tryAuthorize(world, "Card:none", { amount: 1 }),
  },
  ...[
    { word: "INVALID_CURRENCY", field: "currency.code", purchase: { amount: 1, currency: "EUR" } },
    { word: "INVALID_AMOUNT", field: "amount", purchase: { amount: 0 } },
    { word: "AMOUNT_OUT_OF_RANGE", field: "amount", purchase: { amount: LARGE } },
  ].map(({ word, field, purchase }) => ({
    word,
    refused: { status: 400, code: word, field },
    meet: async (world: TestSimulator) => {
      const { cardId } = await activeCard(world, { on: "usd", minor: 1 });
      return tryAuthorize(world, cardId, purchase);
    },
  })),
].map((one) => ({ operation: "simulateCardAuthorization", ...one }));

type Act = typeof tryClear;

/** Refusals that clearing and return share; `wrong` is an amount that neither accepts. */
const following = (operation: string, act: Act): DeclaredRefusal[] => {
  const settled = async (world: TestSimulator) => {
    const { cardId } = await activeCard(world, { on: "usd", minor: 2_000 });
    const transaction = await authorize(world, cardId, { amount: 2_000 });
    return { cardId, transaction };
  };
  return [
    {
      operation,
      word: "REFERENCE_NOT_FOUND",
      refused: NOT_FOUND,
      meet: (world) => act(world, { id: "CardTransaction:none", cardId: "Card:none" }, 1),
    },
    {
      operation,
      word: "TRANSACTION_NOT_FOUND",
      refused: { status: 404, code: "TRANSACTION_NOT_FOUND", field: "cardTransactionId" },
      meet: async (world) => {
        const { cardId } = await settled(world);
        return act(world, { id: "CardTransaction:none", cardId }, 1);
      },
    },
    {
      operation,
      word: "CARD_TRANSACTION_STATE",
      refused: invalid("cardTransactionId"),
      meet: async (world) => {
        const { transaction } = await settled(world);
        await clear(world, transaction, 0);
        return act(world, transaction, 1);
      },
    },
    {
      operation,
      word: "INVALID_AMOUNT",
      refused: { status: 400, code: "INVALID_AMOUNT", field: "amount" },
      meet: async (world) => act(world, (await settled(world)).transaction, -1),
    },
    {
      operation,
      word: "AMOUNT_OUT_OF_RANGE",
      refused: { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" },
      meet: async (world) => act(world, (await settled(world)).transaction, LARGE),
    },
  ];
};

/** Refusals that operations of cards declare beyond those of every operation. */
export const DECLARED_CARD_REFUSALS: DeclaredRefusal[] = [
  ...issuing,
  ...updating,
  ...authorizing,
  ...following("simulateCardClearing", tryClear),
  ...following("simulateCardReturn", tryReturn),
];
