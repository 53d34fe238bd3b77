/** States of a card; PENDING_KYC is published but never reached (spec/cards.md#states). */
export const CARD_STATES = ["PENDING_KYC", "PENDING_ISSUE", "ACTIVE", "FROZEN", "CLOSED"] as const;
export type CardState = (typeof CARD_STATES)[number];

/** Names of states since the change `cardProcessing`, by their first ones (spec/revisions.md#card-states). */
export const RENAMED_CARD_STATES = { PENDING_ISSUE: "PROCESSING" } as const satisfies Partial<
  Record<CardState, string>
>;

/** A state by its first name, or by the one that a change gave it. */
export type ShownCardState =
  | CardState
  | (typeof RENAMED_CARD_STATES)[keyof typeof RENAMED_CARD_STATES];

const isRenamed = (state: string): state is keyof typeof RENAMED_CARD_STATES =>
  Object.hasOwn(RENAMED_CARD_STATES, state);

/** A state's name since the change `cardProcessing`. */
export const renamedCardState = (state: CardState): ShownCardState =>
  isRenamed(state) ? RENAMED_CARD_STATES[state] : state;

/** Reasons why a card is CLOSED, in the API's spelling (spec/cards.md#card). */
export const CARD_STATE_REASONS = [
  "ISSUER_REJECTED",
  "CLOSED_BY_PLATFORM",
  "CLOSED_BY_GRID",
] as const;
export type CardStateReason = (typeof CARD_STATE_REASONS)[number];
