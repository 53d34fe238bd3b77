import { isCurrencyCode } from "../contract/currencies.ts";
import { PERMISSIONS } from "../contract/tokens.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import { find, type Rule, type View } from "./draft.ts";
import { platformConfig } from "./events.ts";
import { openInternalAccount } from "./internal-accounts.ts";
import type { ApiTokenRecord } from "./platform-records.ts";
import type { PlatformConfigRecord } from "./records.ts";

/** Name of the token that a simulator starts with. */
const START_TOKEN = "start";

export interface OpeningInput {
  clientId: string;
  /** SHA-256 of the client secret, hex. */
  secretHash: string;
  webhookEndpoint?: string;
  settings?: WorldSettings;
}

/** What the start decides of how the service behaves; no operation shows or changes it. */
export type WorldSettings = Pick<
  PlatformConfigRecord,
  | "cryptoMode"
  | "walletCredential"
  | "oidcIssuers"
  | "sandboxUmaDomains"
  | "approvals"
  | "cardEvents"
>;

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
    ...input.settings,
    ...stamps,
  });
  draft.put("ApiToken", {
    id: moment.newId("Token"),
    name: START_TOKEN,
    clientId: input.clientId,
    secretHash: input.secretHash,
    permissions: [...PERMISSIONS],
    ...stamps,
  });
  for (const { currencyCode } of DEFAULT_CONFIG.supportedCurrencies)
    if (isCurrencyCode(currencyCode))
      openInternalAccount(draft, { currency: currencyCode }, moment);
};

/**
 * The token the world was opened with, if it is still there: another one may have its name, but
 * was made later. It stays deleted once it was deleted.
 */
export const startTokenOf = (view: View): ApiTokenRecord | undefined => {
  const { createdAtMs } = platformConfig(view);
  return find(view, "ApiToken", ["byName", START_TOKEN]).find(
    (token) => token.createdAtMs === createdAtMs,
  );
};

const isOther = (config: PlatformConfigRecord, settings: WorldSettings) =>
  Object.entries(settings).some(
    ([name, value]) =>
      JSON.stringify(config[name as keyof WorldSettings]) !== JSON.stringify(value),
  );

/**
 * A start that says something new of a platform that goes on: its token's credentials, its
 * endpoint, its settings. What is not said stays.
 */
export const applyOpening: Rule<OpeningInput, void> = (draft, input, moment) => {
  const { clientId, secretHash, webhookEndpoint, settings } = input;
  const token = startTokenOf(draft);
  if (token && (token.clientId !== clientId || token.secretHash !== secretHash))
    draft.put("ApiToken", { ...token, clientId, secretHash, updatedAtMs: moment.atMs });
  const config = platformConfig(draft);
  if (webhookEndpoint !== undefined && webhookEndpoint !== config.webhookEndpoint)
    draft.put("PlatformConfig", { ...config, webhookEndpoint, updatedAtMs: moment.atMs });
  if (settings && isOther(config, settings))
    draft.put("PlatformConfig", { ...platformConfig(draft), ...settings });
};
