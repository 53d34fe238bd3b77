import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { refuse } from "../core/refusal.ts";
import type { CustomerRecord } from "../records/records.ts";
import { showCustomer } from "./customer-view.ts";
import { requireConsent } from "./end-user-terms.ts";
import { decideOwners } from "./owner-checks.ts";

/** The status of a customer: KYC for an individual, KYB for a business. */
export const statusOf = ({ kycStatus, kybStatus }: CustomerRecord): CustomerStatus =>
  kycStatus ?? kybStatus ?? "UNVERIFIED";

/** Refuses a customer that may not move money (spec/customers.md#readiness). */
export const requireReady = (view: View, customer: CustomerRecord) => {
  const customerStatus = statusOf(customer);
  if (customerStatus !== "APPROVED")
    refuse("USER_NOT_READY", { customerId: customer.id, customerStatus });
  requireConsent(view, customer);
};

/** Events of a new status; `UNVERIFIED` and `HOLD` have none (spec/customers.md#status-changes). */
const STATUS_EVENTS = {
  INDIVIDUAL: {
    PENDING: "CUSTOMER.KYC_PENDING",
    APPROVED: "CUSTOMER.KYC_APPROVED",
    REJECTED: "CUSTOMER.KYC_REJECTED",
    UNVERIFIED: undefined,
    HOLD: undefined,
  },
  BUSINESS: {
    PENDING: "CUSTOMER.KYB_PENDING",
    APPROVED: "CUSTOMER.KYB_APPROVED",
    REJECTED: "CUSTOMER.KYB_REJECTED",
    UNVERIFIED: undefined,
    HOLD: undefined,
  },
} as const;

/** Sets a customer's status, with its event if new (spec/customers.md#operator-status). */
export const setCustomerStatus = (
  draft: Draft,
  { customer, status }: { customer: CustomerRecord; status: CustomerStatus },
  moment: Moment,
): CustomerRecord => {
  if (statusOf(customer) === status) return customer;
  const member = customer.customerType === "INDIVIDUAL" ? "kycStatus" : "kybStatus";
  const changed = { ...customer, [member]: status, updatedAtMs: moment.atMs };
  draft.put("Customer", changed);
  decideOwners(draft, changed, moment);
  const type = STATUS_EVENTS[customer.customerType][status];
  if (type) emit(draft, moment, { type, data: showCustomer(draft, changed) });
  return changed;
};
