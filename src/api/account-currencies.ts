import {
  type AccountTypeName,
  accountTypeRow,
  accountTypesOf,
} from "../contract/accounts/external-account-types.ts";
import { inPascalCase } from "../contract/core/named-shape.ts";
import type { Revision } from "../contract/core/revision-names.ts";
import { type CurrencyCode, currencyCodesOf } from "../contract/money/currencies.ts";

type Json = Record<string, unknown>;

/** Shapes of an external account, which have a currency beside its type. */
const OF_AN_ACCOUNT = [
  "CustomerExternalAccountInput",
  "PlatformExternalAccountInput",
  "ExternalAccount",
] as const;

const BY_CURRENCY = "ExternalAccountByCurrency";

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const infoOf = (type: AccountTypeName) => referenceTo(`${inPascalCase(type)}Info`);

const infosOf = (types: readonly AccountTypeName[]) => {
  const [first, ...others] = types.map(infoOf);
  if (others.length === 0) return first;
  const mapping = Object.fromEntries(types.map((type) => [type, infoOf(type).$ref]));
  return {
    oneOf: [first, ...others],
    discriminator: { propertyName: "accountType", mapping },
  };
};

const typesOf = (currency: CurrencyCode, revision: Revision) =>
  accountTypesOf(revision).filter((type) =>
    accountTypeRow(type, revision).currencies.includes(currency),
  );

const variantOf = (currency: CurrencyCode, revision: Revision) => ({
  type: "object",
  properties: {
    currency: { type: "string", const: currency },
    accountInfo: infosOf(typesOf(currency, revision)),
  },
  required: ["currency", "accountInfo"],
});

const variantName = (currency: CurrencyCode) => `${inPascalCase(currency)}ExternalAccount`;

/** The members of an account beside those that the currency decides. */
const withoutCurrency = ({ properties, required }: Json) => {
  const { currency: _code, accountInfo: _info, ...others } = properties as Json;
  const names = (required as string[]).filter((name) => name in others);
  return { type: "object", properties: others, ...(names.length > 0 && { required: names }) };
};

/** Has each currency name the account types that hold it (spec/external-accounts.md#account-types). */
export const withAccountCurrencies = (document: Json, revision: Revision): Json => {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const codes = currencyCodesOf(revision);
  const variants = codes.map((code) => referenceTo(variantName(code)));
  for (const code of codes) schemas[variantName(code)] = variantOf(code, revision);
  // Without a discriminator: generators take an allOf of a tagged union for one more variant of it.
  schemas[BY_CURRENCY] = { anyOf: variants };
  for (const name of OF_AN_ACCOUNT)
    schemas[name] = {
      allOf: [withoutCurrency(schemas[name] as Json), referenceTo(BY_CURRENCY)],
    };
  return document;
};
