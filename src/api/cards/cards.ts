import { Card, CardInput, CardPatch, CardsQuery } from "../../contract/cards/cards.ts";
import { PageQuery, pageOf, SortOrder } from "../../contract/core/lists.ts";
import * as updates from "../../domain/cards/card-updates.ts";
import { cardByPath } from "../../domain/cards/card-view.ts";
import * as cards from "../../domain/cards/cards.ts";
import { signedRetry } from "../../domain/wallets/signed-retry.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const SOURCE_REFUSALS = [
  "ACCOUNT_NOT_FOUND",
  "ACCOUNT_KIND_NOT_ALLOWED",
  "FUNDING_SOURCE_INELIGIBLE",
] as const;

export const createCard = endpoint("createCard", {
  summary: "Issue a card; the issuer provisions it right after the reply",
  body: CardInput,
  replies: [201, Card],
  refuses: [
    "USER_NOT_FOUND_IN_BODY",
    "CARDHOLDER_KYC_NOT_APPROVED",
    ...SOURCE_REFUSALS,
    "PLATFORM_CARD_ID_EXISTS",
  ],
  later: { change: "cardLimits", refuses: ["THREE_D_SECURE_UNSUPPORTED"] },
  handle: ({ body }, { commit }) => commit(cards.createCard, { body }),
});

export const listCards = endpoint("listCards", {
  summary: "List cards",
  query: { ...CardsQuery, ...PageQuery, sortOrder: SortOrder },
  replies: [200, pageOf(Card)],
  refuses: [],
  handle: (input, { read }) => read(cards.listCards, input),
});

export const getCard = endpoint("getCard", {
  summary: "Get one card",
  replies: [200, Card],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(cards.getCard, input),
});

export const patchCard = endpoint("patchCard", {
  summary: "Freeze, unfreeze or close a card, or change its funding sources",
  signing: "retry",
  body: CardPatch,
  replies: [200, Card],
  refuses: [
    "REFERENCE_NOT_FOUND",
    ...SOURCE_REFUSALS,
    "INVALID_STATE_TRANSITION",
    "CARD_NOT_MUTABLE",
  ],
  later: {
    change: "unsignedCardUpdates",
    isUnsigned: true,
    refuses: ["CARD_ALREADY_CLOSED"],
    handle: ({ params, body }, { commit }) => commit(updates.patchUnsigned, { params, body }),
  },
  subject: cardByPath,
  handle: ({ params, body }, { commit, signed }) =>
    commit(signedRetry(updates.patchCard), { params, body, call: signed }),
});
