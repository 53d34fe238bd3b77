/** Kinds of credential that a new wallet can start with. */
export const WALLET_CREDENTIALS = ["none", "email"] as const;

/** Modes of deciding about waiting actions: a person, or the simulator at once. */
export const APPROVAL_MODES = ["ask", "approve", "reject"] as const;

/** Spellings of the card events (spec/events.md#card-event-spelling). */
export const CARD_EVENTS = ["lower", "upper"] as const;

/** Tells whether customers need a recorded consent to the terms for end users. */
export const END_USER_TERMS_MODES = ["off", "required"] as const;

/**
 * Forms of the signature header (spec/webhooks.md#signature): the base64 alone, or
 * `{"v":"1","s":"<base64>"}`.
 */
export const SIGNATURE_FORMS = ["base64", "json"] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** Ways in which a process treats names of worlds that nobody has created (spec/worlds.md#modes). */
export const WORLD_MODES = ["open", "fixed"] as const;
export type WorldMode = (typeof WORLD_MODES)[number];
