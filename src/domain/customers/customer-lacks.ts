import type { DocumentType } from "../../contract/customers/documents.ts";
import type { VerificationError } from "../../contract/customers/verifications.ts";
import { find, type View } from "../core/draft.ts";
import type { CustomerRecord } from "../records/records.ts";
import type { DocumentRecord } from "../records/upload-records.ts";
import { ownersOf } from "./customer-owners.ts";

const documentsOf = (view: View, holderId: string) =>
  find(view, "Document", ["byHolder", holderId]);

const missing = (resourceId: string, field: string, value: unknown): VerificationError[] =>
  value === undefined
    ? [{ resourceId, type: "MISSING_FIELD", reason: `Expected ${field} but found nothing`, field }]
    : [];

/** Documents that show who a person is. */
const IDENTITY_DOCUMENTS: readonly DocumentType[] = ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"];

/** Documents of identity whose both sides are needed. */
const TWO_SIDED: readonly DocumentType[] = ["DRIVERS_LICENSE", "NATIONAL_ID"];

/**
 * The document that shows who a person is: a passport, or the front of one whose back is there too
 * (spec/later-customers.md#verification-of-a-person).
 */
export const identityDocumentOf = (view: View, holderId: string): DocumentRecord | undefined => {
  const documents = documentsOf(view, holderId);
  const hasBack = (type: DocumentType) =>
    documents.some(({ documentType, side }) => documentType === type && side === "BACK");
  return documents.find(
    ({ documentType: type, side }) =>
      type === "PASSPORT" || (TWO_SIDED.includes(type) && side === "FRONT" && hasBack(type)),
  );
};

const identityLacks = (view: View, customerId: string): VerificationError[] => {
  const document = identityDocumentOf(view, customerId);
  if (!document)
    return [
      {
        resourceId: customerId,
        type: "MISSING_IDENTITY_DOCUMENT",
        reason: "Expected a passport, or both sides of a driver's license or a national id",
        acceptedDocumentTypes: [...IDENTITY_DOCUMENTS],
      },
    ];
  const { id, documentNumber, issuingAuthority } = document;
  return [
    ...missing(id, "document.documentNumber", documentNumber),
    ...missing(id, "document.issuingAuthority", issuingAuthority),
  ];
};

const nameLacks = ({ id, fullName }: CustomerRecord): VerificationError[] => {
  const field = "customer.fullName";
  if (fullName === undefined || /\S\s+\S/.test(fullName)) return missing(id, field, fullName);
  const reason = "Expected a given name and a family name but found one word";
  return [{ resourceId: id, type: "INVALID_FIELD", reason, field }];
};

const personLacks = (view: View, customer: CustomerRecord): VerificationError[] => {
  const { id, birthDate, nationality, idType, identifier, address } = customer;
  return [
    ...nameLacks(customer),
    ...missing(id, "customer.birthDate", birthDate),
    ...missing(id, "customer.nationality", nationality),
    ...missing(id, "customer.idType", idType),
    ...missing(id, "customer.identifier", identifier),
    ...missing(id, "customer.address", address),
    ...identityLacks(view, id),
  ];
};

/** Documents of a business by what they show (spec/later-customers.md#verification-of-a-business). */
const BUSINESS_DOCUMENTS = {
  MISSING_LEGAL_PRESENCE_DOCUMENT: {
    shows: "that the business exists",
    accepted: [
      "CERTIFICATE_OF_INCORPORATION",
      "ARTICLES_OF_INCORPORATION",
      "ARTICLES_OF_ASSOCIATION",
      "STATE_REGISTRY_EXCERPT",
    ],
  },
  MISSING_CONTROL_STRUCTURE_DOCUMENT: {
    shows: "who runs the business",
    accepted: [
      "DIRECTOR_REGISTRY",
      "TRUST_AGREEMENT",
      "STATE_COMPANY_REGISTRY",
      "PARTNERSHIP_CONTROL_AGREEMENT",
    ],
  },
  MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: {
    shows: "who owns the business",
    accepted: ["SHAREHOLDER_REGISTER", "TRUST_AGREEMENT", "PARTNERSHIP_AGREEMENT"],
  },
  MISSING_PROOF_OF_ADDRESS_DOCUMENT: {
    shows: "where the business is",
    accepted: [
      "UTILITY_BILL",
      "RENT_OR_LEASE_AGREEMENT",
      "ELECTRICITY_BILL",
      "BANK_STATEMENT",
      "TAX_RETURN",
    ],
  },
} as const satisfies Partial<
  Record<VerificationError["type"], { shows: string; accepted: readonly DocumentType[] }>
>;

const businessDocumentLacks = (view: View, resourceId: string): VerificationError[] => {
  const held = new Set(documentsOf(view, resourceId).map(({ documentType }) => documentType));
  return Object.entries(BUSINESS_DOCUMENTS).flatMap(([type, { shows, accepted }]) =>
    accepted.some((one) => held.has(one))
      ? []
      : [
          {
            resourceId,
            type: type as keyof typeof BUSINESS_DOCUMENTS,
            reason: `Expected a document that shows ${shows}`,
            acceptedDocumentTypes: [...accepted],
          },
        ],
  );
};

const businessLacks = (view: View, customer: CustomerRecord): VerificationError[] => {
  const { id, businessInfo = {}, address } = customer;
  const { legalName, taxId, incorporatedOn, country } = businessInfo;
  return [
    ...missing(id, "customer.businessInfo.legalName", legalName),
    ...missing(id, "customer.businessInfo.taxId", taxId),
    ...missing(id, "customer.businessInfo.incorporatedOn", incorporatedOn),
    ...missing(id, "customer.businessInfo.country", country),
    ...missing(id, "customer.address", address),
    ...businessDocumentLacks(view, id),
    ...(ownersOf(view, id).length > 0
      ? []
      : [
          {
            resourceId: id,
            type: "MISSING_BENEFICIAL_OWNER" as const,
            reason: "The business has no beneficial owner",
          },
        ]),
  ];
};

/** Everything that a customer lacks for a review, in the order of the specification. */
export const lacksOf = (view: View, customer: CustomerRecord): VerificationError[] =>
  (customer.customerType === "INDIVIDUAL" ? personLacks : businessLacks)(view, customer);
