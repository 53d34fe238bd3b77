import * as z from "zod";
import { defined } from "../../contract/core/defined.ts";
import { enumOf } from "../../contract/core/named-shape.ts";
import { END_USER_TERMS_MODES } from "../../contract/core/world-settings.ts";
import { ConfigPatch, PlatformConfig } from "../../contract/platform/config.ts";
import { ProviderFields } from "../../contract/platform/fixtures.ts";
import type { Rule } from "../../domain/core/draft.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { refuse } from "../../domain/core/refusal.ts";
import {
  customersAwaitingConsent,
  openAwaitedAccounts,
} from "../../domain/customers/awaited-accounts.ts";
import { patchConfig, showConfig } from "../../domain/platform/config.ts";
import { endpoint } from "../core/control-endpoint.ts";

const ProviderPatch = z.lazy(() =>
  z.object({
    supportedCurrencies: z
      .array(ProviderFields.unwrap().extend({ currencyCode: z.string() }))
      .default([]),
    isRegulatedFinancialInstitution: z.boolean().optional(),
    endUserTerms: enumOf("EndUserTermsMode", END_USER_TERMS_MODES).optional(),
    webhookEndpoint: ConfigPatch.unwrap().shape.webhookEndpoint,
  }),
);

type ProviderPatch = z.infer<typeof ProviderPatch>;

/** Sets the fields of the provider, and the endpoint as the platform would; others are unchanged. */
const setProviderFields: Rule<ProviderPatch, PlatformConfig> = (
  draft,
  { supportedCurrencies: sent, webhookEndpoint, ...settings },
  moment,
) => {
  if (webhookEndpoint !== undefined) patchConfig(draft, { body: { webhookEndpoint } }, moment);
  const config = platformConfig(draft);
  const supported = config.supportedCurrencies;
  for (const [at, { currencyCode }] of sent.entries())
    if (!supported.some((one) => one.currencyCode === currencyCode))
      refuse(
        "INVALID_INPUT",
        { field: `supportedCurrencies.${at}.currencyCode`, value: currencyCode },
        `Expected a currency that the platform supports but found ${currencyCode}`,
      );
  const patched = {
    ...config,
    ...defined(settings),
    supportedCurrencies: supported.map((currency) => ({
      ...currency,
      ...sent.find(({ currencyCode }) => currencyCode === currency.currencyCode),
    })),
    updatedAtMs: moment.atMs,
  };
  const waiting = customersAwaitingConsent(draft);
  draft.put("PlatformConfig", patched);
  openAwaitedAccounts(draft, waiting, moment);
  return showConfig(draft, patched);
};

/** The provider's side of the configuration, which the platform only reads. */
export const providerEndpoints = [
  endpoint({
    operationId: "setProviderFields",
    summary:
      "Set what the provider asks of customers, the platform's regulation and the webhook endpoint",
    method: "PATCH",
    path: "/config",
    body: ProviderPatch,
    replies: [200, PlatformConfig],
    refuses: ["INVALID_INPUT"],
    handle: ({ body }, { commit }) => commit(setProviderFields, body),
  }),
];
