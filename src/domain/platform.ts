import { isCurrencyCode } from "../contract/currencies.ts";
import { ALL_PERMISSIONS } from "./api-tokens.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import { all, type Rule } from "./draft.ts";
import { platformConfig } from "./events.ts";
import { openInternalAccount } from "./internal-accounts.ts";

/** Name of the token that a simulator starts with. */
const START_TOKEN = "start";

export interface OpeningInput {
  clientId: string;
  /** SHA-256 of the client secret, hex. */
  secretHash: string;
  webhookEndpoint?: string;
  /** Domains of the sandbox's own people, in lower case. */
  sandboxUmaDomains?: readonly string[];
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
    ...(input.sandboxUmaDomains && { sandboxUmaDomains: input.sandboxUmaDomains }),
    ...stamps,
  });
  draft.put("ApiToken", {
    id: moment.newId("Token"),
    name: START_TOKEN,
    clientId: input.clientId,
    secretHash: input.secretHash,
    permissions: [...ALL_PERMISSIONS],
    ...stamps,
  });
  for (const { currencyCode } of DEFAULT_CONFIG.supportedCurrencies)
    if (isCurrencyCode(currencyCode))
      openInternalAccount(draft, { currency: currencyCode }, moment);
};

const isSameList = (a: readonly string[] = [], b: readonly string[] = []) =>
  a.length === b.length && a.every((item, at) => item === b[at]);

/**
 * A start that says something new of a platform that goes on: its token's credentials, its
 * endpoint, the sandbox's UMA domains. What is not said stays.
 */
export const applyOpening: Rule<OpeningInput, void> = (draft, input, moment) => {
  const { clientId, secretHash } = input;
  const token = all(draft, "ApiToken").find(({ name }) => name === START_TOKEN);
  if (token && (token.clientId !== clientId || token.secretHash !== secretHash))
    draft.put("ApiToken", { ...token, clientId, secretHash, updatedAtMs: moment.atMs });
  const config = platformConfig(draft);
  const { webhookEndpoint = config.webhookEndpoint, sandboxUmaDomains = config.sandboxUmaDomains } =
    input;
  const isSame =
    webhookEndpoint === config.webhookEndpoint &&
    isSameList(sandboxUmaDomains, config.sandboxUmaDomains);
  if (isSame) return;
  draft.put("PlatformConfig", {
    ...config,
    ...(webhookEndpoint !== undefined && { webhookEndpoint }),
    ...(sandboxUmaDomains && { sandboxUmaDomains }),
    updatedAtMs: moment.atMs,
  });
};
