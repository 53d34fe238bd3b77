import {
  calledAddress,
  type EndpointAddress,
  endpointAddress,
  shownAddress,
  withPresentPassword,
} from "../../contract/core/endpoint-address.ts";
import { isCurrencyCode } from "../../contract/money/currencies.ts";
import type { CardTokenTexts } from "../../contract/platform/card-token-texts.ts";
import type {
  ConfigPatch,
  PlatformConfig,
  SupportedCurrency,
} from "../../contract/platform/config.ts";
import { TRANSACTION_DIRECTIONS } from "../../contract/platform/config.ts";
import { CUSTOMER_INFO_FIELDS } from "../../contract/platform/customer-info-fields.ts";
import { openInternalAccount } from "../accounts/internal-accounts.ts";
import {
  all,
  type Draft,
  find,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { shownIn } from "../core/revision.ts";
import { openCustomerAccount } from "../customers/customer-accounts.ts";
import { awaitsConsent } from "../customers/end-user-terms.ts";
import type { PlatformConfigRecord } from "../records/records.ts";
import { ownerKey, PLATFORM_OWNER } from "../records/tables.ts";
import { walletSettings } from "../wallets/wallet-settings.ts";
import { LATER_CONFIG, mergeFees } from "./fee-configs.ts";

const currency = (currencyCode: string, maxAmount: number): SupportedCurrency => ({
  currencyCode,
  minAmount: 100,
  maxAmount,
  enabledTransactionTypes: [...TRANSACTION_DIRECTIONS],
  requiredCounterpartyFields: [],
});

/** The configuration of a new platform (spec/config.md#default-configuration). */
export const DEFAULT_CONFIG = {
  umaDomain: "pay.sandbox.test",
  supportedCurrencies: [
    currency("USD", 10_000_000),
    currency("USDC", 100_000_000_000),
    currency("USDB", 100_000_000_000),
  ],
  isRegulatedFinancialInstitution: false,
} as const;

/** A currency with the names of fields that the first revision has. */
const inFirst = (entry: SupportedCurrency): SupportedCurrency => {
  const isKnown = (name: string) => (CUSTOMER_INFO_FIELDS as readonly string[]).includes(name);
  const { providerRequiredCustomerFields: own } = entry;
  const { providerRequiredCounterpartyCustomerFields: other } = entry;
  return {
    ...entry,
    requiredCounterpartyFields: entry.requiredCounterpartyFields.filter(({ name }) =>
      isKnown(name),
    ),
    ...(own && { providerRequiredCustomerFields: own.filter(isKnown) }),
    ...(other && { providerRequiredCounterpartyCustomerFields: other.filter(isKnown) }),
  };
};

export const showConfig = (view: View, config: PlatformConfigRecord): PlatformConfig => {
  const { createdAtMs, updatedAtMs, ...members } = config;
  const {
    sandboxUmaDomains: _domains,
    cryptoMode: _mode,
    walletCredential: _born,
    oidcIssuers: _issuers,
    approvals: _approvals,
    formerCurrencies: _former,
    cardEvents: _cardEvents,
    revision: _revision,
    endUserTerms: _terms,
    codes: _codes,
    embeddedWalletConfig,
    webhookSignature: _signature,
    rateLimit: _limit,
    opening: _opening,
    brand: _brand,
    webhookCa: _ca,
    feeConfigs: _fees,
    cardTokenization2faConfig: _texts,
    transactionLimits: _limits,
    webhookEndpoint,
    ...shown
  } = members;
  const published: PlatformConfig = {
    ...shown,
    supportedCurrencies: shown.supportedCurrencies.map(inFirst),
    ...(webhookEndpoint && { webhookEndpoint: calledAddress(webhookEndpoint) }),
    ...(embeddedWalletConfig && { embeddedWalletConfig: walletSettings(embeddedWalletConfig) }),
    createdAt: instant(createdAtMs),
    updatedAt: instant(updatedAtMs),
  };
  return shownIn(view, published, [config, LATER_CONFIG]);
};

/** GET /config (spec/config.md#fields). */
export const getConfig: Reading<object, PlatformConfig> = (view) =>
  showConfig(view, platformConfig(view));

type CurrencyEntries = NonNullable<ConfigPatch["supportedCurrencies"]>;

const notAmong = <Entry extends { currencyCode: string }>(
  entries: readonly Entry[],
  others: readonly { currencyCode: string }[],
) =>
  entries.filter(
    ({ currencyCode }) => !others.some((other) => other.currencyCode === currencyCode),
  );

/**
 * Replaces the stored list of currencies with the sent one (spec/config.md#supported-currencies).
 * The provider's own fields are kept, even while a currency is off the list.
 */
const mergeCurrencies = (
  { supportedCurrencies: stored, formerCurrencies = [] }: PlatformConfigRecord,
  sent: CurrencyEntries,
): Pick<PlatformConfigRecord, "supportedCurrencies" | "formerCurrencies"> => {
  const everKnown = [...stored, ...notAmong(formerCurrencies, stored)];
  const supportedCurrencies = sent.map((entry): SupportedCurrency => {
    const known = everKnown.find(({ currencyCode }) => currencyCode === entry.currencyCode);
    return {
      ...known,
      ...entry,
      enabledTransactionTypes: entry.enabledTransactionTypes ?? [...TRANSACTION_DIRECTIONS],
      requiredCounterpartyFields: entry.requiredCounterpartyFields ?? [],
    };
  });
  const former = notAmong(everKnown, sent);
  return { supportedCurrencies, ...(former.length > 0 && { formerCurrencies: former }) };
};

const owners = (draft: View) => [
  undefined,
  ...all(draft, "Customer")
    .filter((customer) => !customer.isDeleted && !awaitsConsent(draft, customer))
    .map(({ id }) => id),
];

/** Opens the accounts of a newly supported currency for the platform and its customers. */
const openMissingAccounts = (draft: Draft, entries: CurrencyEntries, moment: Moment) => {
  for (const customerId of owners(draft)) {
    const key = customerId === undefined ? PLATFORM_OWNER : ownerKey({ customerId });
    const held = new Set(
      find(draft, "InternalAccount", ["byOwner", key]).map(({ currency }) => currency as string),
    );
    for (const { currencyCode } of entries)
      if (isCurrencyCode(currencyCode) && !held.has(currencyCode)) {
        const currency = currencyCode;
        if (customerId === undefined) openInternalAccount(draft, { currency }, moment);
        else openCustomerAccount(draft, { currency, customerId }, moment);
      }
  }
};

const withText = <Name extends string>(name: Name, sent: string | null | undefined) =>
  sent === undefined || sent === null || sent === "" ? {} : { [name]: sent };

/** The endpoint that was sent; the present one when none was (spec/webhooks.md#endpoint-passwords). */
const endpointAfter = (sent: string | null | undefined, present: EndpointAddress | undefined) => {
  if (sent === undefined) return present ? { webhookEndpoint: present } : {};
  if (sent === null || sent === "") return {};
  return { webhookEndpoint: endpointAddress(withPresentPassword(sent, present)) };
};

/** Texts of messages: members that are not sent stay, those of each message too. */
const withTexts = (stored: CardTokenTexts = {}, sent: CardTokenTexts): CardTokenTexts => ({
  ...stored,
  ...sent,
  ...(sent.email && { email: { ...stored.email, ...sent.email } }),
  ...(sent.sms && { sms: { ...stored.sms, ...sent.sms } }),
});

/** PATCH /config: changes the sent members only. A new webhook endpoint gets a TEST event. */
export const patchConfig: Rule<{ body: ConfigPatch }, PlatformConfig> = (
  draft,
  { body },
  moment,
) => {
  const config = platformConfig(draft);
  const { umaDomain, webhookEndpoint, supportedCurrencies, embeddedWalletConfig } = body;
  const { feeConfigs, cardTokenization2faConfig: texts } = body;
  const { umaDomain: oldDomain, webhookEndpoint: oldEndpoint, ...kept } = config;
  const patched: PlatformConfigRecord = {
    ...kept,
    ...withText("umaDomain", umaDomain === undefined ? oldDomain : umaDomain),
    ...endpointAfter(webhookEndpoint, oldEndpoint),
    ...(supportedCurrencies && mergeCurrencies(config, supportedCurrencies)),
    ...(embeddedWalletConfig && {
      embeddedWalletConfig: { ...config.embeddedWalletConfig, ...embeddedWalletConfig },
    }),
    ...(feeConfigs && { feeConfigs: mergeFees(config.feeConfigs, feeConfigs) }),
    ...(texts && { cardTokenization2faConfig: withTexts(config.cardTokenization2faConfig, texts) }),
    updatedAtMs: moment.atMs,
  };
  draft.put("PlatformConfig", patched);
  if (supportedCurrencies) openMissingAccounts(draft, supportedCurrencies, moment);
  const endpoint = patched.webhookEndpoint;
  if (endpoint !== undefined && endpoint !== oldEndpoint) emitTest(draft, moment);
  return showConfig(draft, patched);
};

/** PUT /_sim/webhooks/ca: trusts receivers by these certificates, or by the usual ones alone. */
export const trustReceivers: Rule<{ ca: string | null }, void> = (draft, { ca }) => {
  const { webhookCa: _before, ...config } = platformConfig(draft);
  draft.put("PlatformConfig", { ...config, ...(ca !== null && { webhookCa: ca }) });
};

/** Emits a TEST event with empty data. */
export const emitTest = (draft: Draft, moment: Moment) =>
  emit(draft, moment, { type: "TEST", data: {} });

/** POST /sandbox/webhooks/test: emits a TEST event and tells its target. */
export const testWebhook: Rule<void, { eventId: string; url: string }> = (
  draft,
  _input,
  moment,
) => {
  const { webhookEndpoint: url } = platformConfig(draft);
  if (url === undefined) return refuse("WEBHOOK_ENDPOINT_NOT_SET");
  return { eventId: emitTest(draft, moment), url: shownAddress(url) };
};
