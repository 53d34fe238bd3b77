/** Beginnings of credentials that move real money (spec/conform.md#production-credentials). */
const PRODUCTION_PREFIXES = ["sk_live_", "live_", "prod_"] as const;

/** Tells whether a credential looks like one of production, where no tool for tests belongs. */
export const looksLikeProduction = (text: string): boolean =>
  PRODUCTION_PREFIXES.some((prefix) => text.startsWith(prefix));
