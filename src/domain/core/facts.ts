/**
 * Checks whose verdict depends on the very value of a proof, so that another value of the same form
 * would be refused (spec/capsules.md#facts).
 */
export type FactName =
  | "one-time code"
  | "sealed code"
  | "ID token"
  | "wallet signature"
  | "signed with"
  | "passkey registration"
  | "passkey assertion";

/**
 * Finds what a rule may learn from a proof: makes the check, or knows its answer from elsewhere. The
 * answer holds nothing of the proof that is a secret, and can be written as JSON.
 */
export type FindFact = <Fact>(of: FactName, check: () => Fact) => Fact;

/** Makes each check, and keeps nothing of it. */
export const checkNow: FindFact = (_of, check) => check();
