import * as z from "zod";
import { idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { namesForbiddenAddress } from "../core/network-reach.ts";
import { added, addedValue, replaced, revised, withValues } from "../core/revised-shape.ts";
import { FIRST_REVISION } from "../core/revision-names.ts";
import { Email, Instant, MAX_AMOUNT_MINOR, oneLine, refusedAs } from "../core/scalars.ts";
import { isCurrencyCode, isCurrencyOf } from "../money/currencies.ts";
import { CardTokenTexts } from "./card-token-texts.ts";
import { CUSTOMER_INFO_FIELDS } from "./customer-info-fields.ts";
import { FeeConfig } from "./fee-configs.ts";

export const TRANSACTION_DIRECTIONS = ["OUTGOING", "INCOMING"] as const;

/** Name of a field; later revisions have further ones (spec/later-customers.md#field-names). */
const CustomerInfoField = withValues(enumOf("CustomerInfoField", CUSTOMER_INFO_FIELDS), {
  ID_TYPE: addedValue("identityFields"),
  ID_NUMBER: addedValue("identityFields"),
});

/** A bound of an amount to send, in minor units; 0 is allowed. */
const ConfigAmount = z
  .custom<number>(
    (value) =>
      typeof value === "number" &&
      (value > MAX_AMOUNT_MINOR || (Number.isInteger(value) && value >= 0)),
    "Expected a whole number, zero or more",
  )
  .refine(
    (amount) => amount <= MAX_AMOUNT_MINOR,
    refusedAs("AMOUNT_OUT_OF_RANGE", `Expected at most ${MAX_AMOUNT_MINOR}`),
  )
  .meta({
    type: "integer",
    format: "int64",
    minimum: 0,
    maximum: MAX_AMOUNT_MINOR,
    id: "AmountBound",
  });

const knownCode = (isKnown: (code: string) => boolean) =>
  z.string().refine((code): boolean => isKnown(code), "Expected a currency the service knows");

const currencyMembers = {
  currencyCode: replaced(
    knownCode((code) => isCurrencyOf(FIRST_REVISION, code)),
    added("accountForms", knownCode(isCurrencyCode)),
  ),
  minAmount: ConfigAmount,
  maxAmount: ConfigAmount,
};

/** A field that one side of a payment asks of the other (spec/config.md#counterparty-fields). */
export const RequiredField = named("RequiredField", () =>
  z.object({ name: CustomerInfoField, mandatory: z.boolean() }),
);

export type RequiredField = z.infer<typeof RequiredField>;

/**
 * One entry of `supportedCurrencies` as a caller may send it (spec/config.md#supported-currencies).
 */
const SupportedCurrencyInput = named("SupportedCurrencyInput", () =>
  z
    .object({
      ...currencyMembers,
      enabledTransactionTypes: z
        .array(enumOf("TransactionDirection", TRANSACTION_DIRECTIONS))
        .optional(),
      requiredCounterpartyFields: z.array(RequiredField).optional(),
    })
    .refine((entry) => entry.minAmount <= entry.maxAmount, {
      path: ["minAmount"],
      error: "Expected minAmount to be at most maxAmount",
    }),
);

type CurrencyEntry = z.infer<typeof SupportedCurrencyInput>;

/** Refuses a currency that is named twice, because each owner has one account per currency. */
const namedOnce = (ctx: z.core.ParsePayload<CurrencyEntry[]>) => {
  const codes = ctx.value.map(({ currencyCode }) => currencyCode);
  const at = codes.findIndex((code, index) => codes.indexOf(code) < index);
  if (at >= 0)
    ctx.issues.push({
      code: "custom",
      path: [at, "currencyCode"],
      message: "Expected each currency once",
      input: ctx.value,
    });
};

/** One entry of `supportedCurrencies` in a reply. */
export const SupportedCurrency = z.lazy(() =>
  z
    .object({
      ...currencyMembers,
      enabledTransactionTypes: z.array(enumOf("TransactionDirection", TRANSACTION_DIRECTIONS)),
      requiredCounterpartyFields: z.array(RequiredField),
      providerRequiredCustomerFields: z.array(CustomerInfoField).optional(),
      providerRequiredCounterpartyCustomerFields: z.array(CustomerInfoField).optional(),
    })
    .meta({ id: "SupportedCurrency" }),
);

export type SupportedCurrency = z.infer<typeof SupportedCurrency>;

export const EmbeddedWalletConfig = z.lazy(() =>
  z
    .object({
      appName: z
        .string()
        .max(255)
        .refine(...oneLine)
        .optional(),
      otpLength: z.int().min(4).max(12).optional(),
      alphanumeric: z.boolean().optional(),
      expirationSeconds: z.int().min(1).max(86_400).optional(),
      sendFromEmailAddress: Email.optional(),
      sendFromEmailSenderName: z
        .string()
        .max(255)
        .refine(...oneLine)
        .optional(),
      replyToEmailAddress: Email.optional(),
      logoUrl: z
        .url()
        .max(512)
        .refine(...oneLine)
        .optional(),
    })
    .meta({ id: "EmbeddedWalletConfig" }),
);

export type EmbeddedWalletConfig = z.infer<typeof EmbeddedWalletConfig>;

/** Labels of at most 63 characters, 253 in all (RFC 1035, section 2.3.4). */
export const DomainName = z
  .string()
  .max(253)
  .regex(
    /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/,
    "Expected a domain name",
  );

const HttpUrl = z
  .url({ protocol: /^https?$/, error: "Expected an http or https URL" })
  .refine(...oneLine);

const WebhookUrl = HttpUrl.refine(
  (url) => !namesForbiddenAddress(url),
  "Expected a URL whose host is not a link-local or metadata address",
);

/** Body of PATCH /config; a null or empty `webhookEndpoint` clears it (spec/config.md#update). */
export const ConfigPatch = named("ConfigPatch", () =>
  revised(
    z.object({
      umaDomain: DomainName.nullable().optional(),
      webhookEndpoint: z.union([WebhookUrl, z.literal(""), z.null()]).optional(),
      supportedCurrencies: z.array(SupportedCurrencyInput).min(1).check(namedOnce).optional(),
      embeddedWalletConfig: EmbeddedWalletConfig.optional(),
    }),
    {
      feeConfigs: added("platformFees", z.array(FeeConfig).optional()),
      cardTokenization2faConfig: added("cardTokenTexts", CardTokenTexts.optional()),
    },
  ),
);

export type ConfigPatch = z.infer<typeof ConfigPatch>;

/** PlatformConfig of a reply (spec/config.md#fields). */
export const PlatformConfig = z.lazy(() =>
  revised(
    z.object({
      id: idOf("PlatformConfig"),
      umaDomain: z.string().optional(),
      proxyUmaSubdomain: z.string().optional(),
      webhookEndpoint: z.string().optional(),
      supportedCurrencies: z.array(SupportedCurrency),
      isRegulatedFinancialInstitution: z.boolean(),
      embeddedWalletConfig: EmbeddedWalletConfig.optional(),
      createdAt: Instant,
      updatedAt: Instant,
    }),
    {
      feeConfigs: added("platformFees", z.array(FeeConfig).optional()),
      cardTokenization2faConfig: added("cardTokenTexts", CardTokenTexts.optional()),
    },
  ).meta({ id: "PlatformConfig" }),
);

export type PlatformConfig = z.infer<typeof PlatformConfig>;
