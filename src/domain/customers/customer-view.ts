import {
  type BusinessInfo,
  LATER_BUSINESS_MEMBERS,
  LATER_ENTITY_TYPES,
} from "../../contract/customers/businesses.ts";
import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type { Customer } from "../../contract/customers/customers.ts";
import { instant, type View } from "../core/draft.ts";
import { type LaterMembers, shownIn } from "../core/revision.ts";
import type { CustomerRecord } from "../records/records.ts";
import { ownersOf, showBeneficialOwner } from "./customer-owners.ts";

const heldIn = <Name extends keyof CustomerRecord & keyof Customer>(
  since: "customerContacts" | "dueDiligence" | "endUserConsents",
  name: Name,
) => ({ since, value: (_view: View, record: CustomerRecord) => record[name] });

/** Members that the first revision shows in another way, or not at all. */
const LATER_MEMBERS = {
  kycStatus: { since: "customerHolds", value: (_view, { kycStatus }) => kycStatus },
  kybStatus: { since: "customerHolds", value: (_view, { kybStatus }) => kybStatus },
  businessInfo: { since: "businessDetails", value: (_view, { businessInfo }) => businessInfo },
  phoneNumber: heldIn("customerContacts", "phoneNumber"),
  endUserTermsConsent: heldIn("endUserConsents", "endUserTermsConsent"),
  idType: heldIn("dueDiligence", "idType"),
  countryOfIssuance: heldIn("dueDiligence", "countryOfIssuance"),
  sourceOfFundsCategories: heldIn("dueDiligence", "sourceOfFundsCategories"),
  sourceOfFundsOtherDescription: heldIn("dueDiligence", "sourceOfFundsOtherDescription"),
  sourceOfWealthCategories: heldIn("dueDiligence", "sourceOfWealthCategories"),
  sourceOfWealthOtherDescription: heldIn("dueDiligence", "sourceOfWealthOtherDescription"),
  purposeOfAccount: heldIn("dueDiligence", "purposeOfAccount"),
  purposeOfAccountOtherDescription: heldIn("dueDiligence", "purposeOfAccountOtherDescription"),
  expectedMonthlyTransactionCount: heldIn("dueDiligence", "expectedMonthlyTransactionCount"),
  expectedMonthlyTransactionVolume: heldIn("dueDiligence", "expectedMonthlyTransactionVolume"),
  annualIncomeRange: heldIn("dueDiligence", "annualIncomeRange"),
  netWorthRange: heldIn("dueDiligence", "netWorthRange"),
  pepStatus: heldIn("dueDiligence", "pepStatus"),
} satisfies LaterMembers<Customer, CustomerRecord>;

const SHOWN_BY_FIRST: readonly string[] = ["kycStatus", "kybStatus", "businessInfo"];

const ONLY_LATER = [
  ...Object.keys(LATER_MEMBERS).filter((name) => !SHOWN_BY_FIRST.includes(name)),
  "identifier",
] as readonly (keyof CustomerRecord)[];

/** A status in words of the first revision (spec/later-customers.md#on-hold). */
export const firstStatus = (status: CustomerStatus) => (status === "HOLD" ? "PENDING" : status);

const firstBusiness = (info: Partial<BusinessInfo>): Partial<BusinessInfo> => {
  const { entityType } = info;
  const isLater = LATER_ENTITY_TYPES.some((type) => type === entityType);
  const shown = { ...info, ...(isLater && { entityType: "OTHER" as const }) };
  for (const name of LATER_BUSINESS_MEMBERS) delete shown[name];
  return shown;
};

/** A customer as the first revision shows it. */
const firstForm = (customer: CustomerRecord): CustomerRecord => {
  const shown = { ...customer };
  for (const name of ONLY_LATER) if (name in shown) delete shown[name];
  const { kycStatus, kybStatus, businessInfo } = shown;
  if (kycStatus) shown.kycStatus = firstStatus(kycStatus);
  if (kybStatus) shown.kybStatus = firstStatus(kybStatus);
  if (businessInfo) shown.businessInfo = firstBusiness(businessInfo);
  return shown;
};

/** Shows a customer, a business with its owners (spec/customers.md#fields). */
export const showCustomer = (view: View, customer: CustomerRecord): Customer => {
  const { createdAtMs, updatedAtMs, ...members } = firstForm(customer);
  const shown: Customer = {
    ...members,
    ...(customer.customerType === "BUSINESS" && {
      beneficialOwners: ownersOf(view, customer.id).map((one) => showBeneficialOwner(view, one)),
    }),
    createdAt: instant(createdAtMs),
    updatedAt: instant(updatedAtMs),
  };
  return shownIn(view, shown, [customer, LATER_MEMBERS]);
};
