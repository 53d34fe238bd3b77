/** The credential of a new wallet. */
export const WALLET_CREDENTIALS = ["none", "email"] as const;

/** Who decides about actions that wait: a person, or the simulator at once. */
export const APPROVAL_MODES = ["ask", "approve", "reject"] as const;

/** Spellings of the events of cards: the documentation's, or the catalog's. */
export const CARD_EVENTS = ["lower", "upper"] as const;
