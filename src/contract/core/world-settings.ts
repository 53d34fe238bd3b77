/** Kinds of credential that a new wallet can start with. */
export const WALLET_CREDENTIALS = ["none", "email"] as const;

/** Modes of deciding about waiting actions: a person, or the simulator at once. */
export const APPROVAL_MODES = ["ask", "approve", "reject"] as const;

/** Spellings of the card events (spec/events.md#card-event-spelling). */
export const CARD_EVENTS = ["lower", "upper"] as const;
