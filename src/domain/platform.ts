import { isCurrencyCode } from "../contract/currencies.ts";
import { ALL_PERMISSIONS } from "./api-tokens.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import type { Rule } from "./draft.ts";
import { openInternalAccount } from "./internal-accounts.ts";

export interface OpeningInput {
  clientId: string;
  /** SHA-256 of the client secret, hex. */
  secretHash: string;
  webhookEndpoint?: string;
}

/**
 * The first change of a world: the platform's configuration, its token and its own accounts
 * (payments digest 5.1). No event tells of it.
 */
export const openPlatform: Rule<OpeningInput, void> = (draft, input, moment) => {
  const stamps = { createdAtMs: moment.atMs, updatedAtMs: moment.atMs };
  draft.put("PlatformConfig", {
    id: moment.newId("PlatformConfig"),
    ...DEFAULT_CONFIG,
    supportedCurrencies: [...DEFAULT_CONFIG.supportedCurrencies],
    ...(input.webhookEndpoint !== undefined && { webhookEndpoint: input.webhookEndpoint }),
    ...stamps,
  });
  draft.put("ApiToken", {
    id: moment.newId("Token"),
    name: "start",
    clientId: input.clientId,
    secretHash: input.secretHash,
    permissions: [...ALL_PERMISSIONS],
    ...stamps,
  });
  for (const { currencyCode } of DEFAULT_CONFIG.supportedCurrencies)
    if (isCurrencyCode(currencyCode))
      openInternalAccount(draft, { currency: currencyCode }, moment);
};
