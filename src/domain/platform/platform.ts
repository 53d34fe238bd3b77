import { defined } from "../../contract/core/defined.ts";
import { isCurrencyCode } from "../../contract/money/currencies.ts";
import { PERMISSIONS } from "../../contract/platform/tokens.ts";
import { openInternalAccount } from "../accounts/internal-accounts.ts";
import { find, type Rule, type View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { openingOf } from "../core/world-settings.ts";
import type { InitialSettings } from "../records/initial-settings.ts";
import type { ApiTokenRecord } from "../records/platform-records.ts";
import type { PlatformConfigRecord } from "../records/records.ts";
import { DEFAULT_CONFIG } from "./config.ts";

/** Name of the token that a simulator starts with. */
const START_TOKEN = "start";

export interface OpeningInput {
  clientId: string;
  /** SHA-256 of the client secret, as hex. */
  secretHash: string;
  /** The webhook endpoint and the settings that the start gives. */
  opening?: Partial<InitialSettings>;
}

/** Opens a world: the platform's configuration, its token and its own accounts. Sends no event. */
export const openPlatform: Rule<OpeningInput, void> = (draft, input, moment) => {
  const opening: InitialSettings = { settings: {}, ...input.opening };
  const { webhookEndpoint, webhookCa, brand, settings } = opening;
  const stamps = { createdAtMs: moment.atMs, updatedAtMs: moment.atMs };
  draft.put("PlatformConfig", {
    id: moment.newId("PlatformConfig"),
    ...DEFAULT_CONFIG,
    supportedCurrencies: [...DEFAULT_CONFIG.supportedCurrencies],
    ...defined({ webhookEndpoint, webhookCa, brand }),
    ...settings,
    opening,
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
 * The token that the world was opened with, unless it was deleted (spec/tokens.md#start-token). A
 * later token of the same name does not count.
 */
export const startTokenOf = (view: View): ApiTokenRecord | undefined => {
  const { createdAtMs } = platformConfig(view);
  return find(view, "ApiToken", ["byName", START_TOKEN]).find(
    (token) => token.createdAtMs === createdAtMs,
  );
};

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Applies the options of a restart: the token's credentials, the endpoint, the settings. Omitted
 * members are unchanged.
 */
export const applyOpening: Rule<OpeningInput, void> = (draft, input, moment) => {
  const { clientId, secretHash, opening = {} } = input;
  const token = startTokenOf(draft);
  if (token && (token.clientId !== clientId || token.secretHash !== secretHash))
    draft.put("ApiToken", { ...token, clientId, secretHash, updatedAtMs: moment.atMs });
  const config = platformConfig(draft);
  const said = withOpening(config, opening);
  const isMoved = said.webhookEndpoint !== config.webhookEndpoint;
  if (!isSame(said, config))
    draft.put("PlatformConfig", { ...said, ...(isMoved && { updatedAtMs: moment.atMs }) });
};

/** The configuration after a restart, which keeps every member that the options leave out. */
const withOpening = (
  config: PlatformConfigRecord,
  { settings = {}, ...values }: Partial<InitialSettings>,
): PlatformConfigRecord => {
  const openingValues = defined(values);
  if (Object.keys(openingValues).length === 0 && Object.keys(settings).length === 0) return config;
  const kept = openingOf(config);
  return {
    ...config,
    ...openingValues,
    ...settings,
    opening: { ...kept, ...openingValues, settings: { ...kept.settings, ...settings } },
  };
};

/** Facts that a world keeps when it continues from another state. */
export interface WorldsOwn {
  credentials: Pick<ApiTokenRecord, "clientId" | "secretHash"> | undefined;
  opening: InitialSettings;
}

/** The start's credentials, and the values of all starts. */
export const worldsOwn = (view: View): WorldsOwn => {
  const { clientId, secretHash } = startTokenOf(view) ?? {};
  const isThere = clientId !== undefined && secretHash !== undefined;
  const credentials = isThere ? { clientId, secretHash } : undefined;
  return { credentials, opening: openingOf(platformConfig(view)) };
};

/**
 * Keeps what is the world's own, not the loaded state's (spec/snapshots.md#loading). The settings
 * in force are those of the state; a reset goes back to the starts of this world.
 */
export const keepWorldsOwn: Rule<WorldsOwn, void> = (draft, { credentials, opening }, moment) => {
  const token = startTokenOf(draft);
  if (token && credentials && !isSame({ ...token, ...credentials }, token))
    draft.put("ApiToken", { ...token, ...credentials, updatedAtMs: moment.atMs });
  const { brand: _of, ...config } = platformConfig(draft);
  const own = { ...config, ...defined({ brand: opening.brand }), opening };
  if (!isSame(own, platformConfig(draft))) draft.put("PlatformConfig", own);
};

/** Gives a world that is forked values of its own, such as a brand, which its resets keep. */
export const takeOpening: Rule<Partial<InitialSettings>, void> = (draft, opening) =>
  draft.put("PlatformConfig", withOpening(platformConfig(draft), opening));
