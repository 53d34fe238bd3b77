import type { CustomerPatch, NewCustomer } from "../../contract/customers/customers.ts";
import {
  type EndUserTermsConsent,
  KNOWN_TERMS_VERSIONS,
} from "../../contract/customers/end-user-terms.ts";
import { instant } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { CustomerRecord } from "../records/records.ts";

type Sent = NewCustomer | CustomerPatch;

/** Wrong members of a customer that its shape alone does not tell. */
interface Finding {
  field: string;
  value?: unknown;
  message: string;
}

/** Choices whose word `OTHER` asks for a description, by the member that has it. */
const DESCRIBED = {
  sourceOfFundsCategories: "sourceOfFundsOtherDescription",
  sourceOfWealthCategories: "sourceOfWealthOtherDescription",
  purposeOfAccount: "purposeOfAccountOtherDescription",
} as const satisfies Partial<Record<keyof CustomerRecord, keyof CustomerRecord>>;

const hasOther = (value: unknown) =>
  value === "OTHER" || (Array.isArray(value) && value.includes("OTHER"));

/** Descriptions that are missing beside `OTHER` (spec/later-customers.md#due-diligence). */
const undescribed = (sent: Sent, customer: CustomerRecord): Finding[] =>
  Object.entries(DESCRIBED).flatMap(([choice, description]) =>
    hasOther((sent as Readonly<Record<string, unknown>>)[choice]) &&
    customer[description] === undefined
      ? [{ field: description, message: `Expected ${description} where ${choice} is OTHER` }]
      : [],
  );

const HOLDER_ID_TYPES: readonly string[] = ["SSN", "ITIN"];
const HOME = "US";

/** Identifications that no holder may have (spec/later-customers.md#identification). */
const unidentified = ({ idType, countryOfIssuance }: Partial<CustomerRecord>): Finding[] => {
  if (idType === undefined) return [];
  if (!HOLDER_ID_TYPES.includes(idType))
    return [
      {
        field: "idType",
        value: idType,
        message: `Expected idType to be SSN or ITIN but found ${idType}`,
      },
    ];
  if (countryOfIssuance === undefined || countryOfIssuance === HOME) return [];
  const message = `Expected countryOfIssuance to be US for ${idType} but found ${countryOfIssuance}`;
  return [{ field: "countryOfIssuance", value: countryOfIssuance, message }];
};

const SSN = /^\d{3}-\d{2}-\d{4}$/;

/** Numbers that do not have the form of their kind (spec/later-customers.md#identification). */
const misnumbered = ({ idType, identifier }: Partial<CustomerRecord>): Finding[] =>
  idType !== "SSN" || identifier === undefined || SSN.test(identifier)
    ? []
    : [{ field: "identifier", message: "Expected identifier to be an SSN such as 123-45-6789" }];

const refuseFindings = ([first, ...others]: readonly Finding[]) => {
  if (!first) return;
  const { field, value, message } = first;
  const errors = [first, ...others].map((one) => ({ field: one.field, message: one.message }));
  refuse("INVALID_INPUT", { field, ...(value !== undefined && { value }), errors }, message);
};

const IDENTIFYING = ["idType", "identifier", "countryOfIssuance"];

/**
 * Refuses members of later revisions that do not fit each other or what the customer has. Others
 * are never in a request, so that earlier revisions refuse nothing here.
 */
export const requireFitting = (sent: Sent, customer: CustomerRecord) => {
  const isIdentified = IDENTIFYING.some((name) => name in sent);
  const findings = isIdentified ? [...unidentified(customer), ...misnumbered(customer)] : [];
  refuseFindings([...findings, ...undescribed(sent, customer)]);
};

/** Refuses an update of both contacts (spec/later-customers.md#phone-numbers). */
export const requireOneContact = ({ email, phoneNumber }: CustomerPatch) => {
  if (email !== undefined && phoneNumber !== undefined)
    refuse(
      "INVALID_INPUT",
      { field: "phoneNumber", value: phoneNumber },
      {
        says: "Expected email or phoneNumber but found both",
        next: "Change them with one request each",
      },
    );
};

/** The consent of a request as it is stored (spec/later-customers.md#consent). */
const consentOf = (consent: EndUserTermsConsent): EndUserTermsConsent => {
  const { acceptedAt, termsVersion } = consent;
  if (!KNOWN_TERMS_VERSIONS.includes(termsVersion))
    refuse("END_USER_TERMS_VERSION_NOT_FOUND", {
      field: "endUserTermsConsent.termsVersion",
      value: termsVersion,
      known: KNOWN_TERMS_VERSIONS,
    });
  return { ...consent, acceptedAt: instant(Date.parse(acceptedAt)) };
};

/** Members of later revisions that are stored otherwise than they are sent. */
export const storedLater = ({ endUserTermsConsent, ...sent }: Sent): Partial<CustomerRecord> => ({
  ...("idType" in sent && sent.idType && { countryOfIssuance: sent.countryOfIssuance ?? HOME }),
  ...(endUserTermsConsent && { endUserTermsConsent: consentOf(endUserTermsConsent) }),
});
