/** Worlds to start with that come with the package (spec/scenarios.md#bundled-fixtures). */
export const BUNDLED_FIXTURES = [
  "agent-demo",
  "cards-demo",
  "default",
  "empty",
  "payouts-demo",
  "wallet-demo",
] as const;

/** Name of one of them. */
export type BundledFixture = (typeof BUNDLED_FIXTURES)[number];
