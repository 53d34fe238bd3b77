/** Names of customer fields and counterparty fields (spec/config.md#counterparty-fields). */
export const CUSTOMER_INFO_FIELDS = [
  "FULL_NAME",
  "BIRTH_DATE",
  "NATIONALITY",
  "PHONE_NUMBER",
  "EMAIL",
  "POSTAL_ADDRESS",
  "TAX_ID",
  "REGISTRATION_NUMBER",
  "USER_TYPE",
  "COUNTRY_OF_RESIDENCE",
  "ACCOUNT_IDENTIFIER",
  "FI_LEGAL_ENTITY_NAME",
  "FI_ADDRESS",
  "PURPOSE_OF_PAYMENT",
  "ULTIMATE_INSTITUTION_COUNTRY",
  "IDENTIFIER",
  "BUSINESS_TYPE",
  "COMPANY_LEGAL_NAME",
] as const;

/** The same with those that later revisions brought. */
export const ANY_CUSTOMER_INFO_FIELDS = [...CUSTOMER_INFO_FIELDS, "ID_TYPE", "ID_NUMBER"] as const;
