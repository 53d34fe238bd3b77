import type { Verification, VerificationInput } from "../../contract/customers/verifications.ts";
import {
  type Draft,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import type { VerificationRecord } from "../records/business-records.ts";
import type { CustomerRecord } from "../records/records.ts";
import { ownersOf } from "./customer-owners.ts";
import { setCustomerStatus, statusOf } from "./customer-status.ts";
import { customerInBody } from "./customers.ts";
import { submitDocumentsOf } from "./documents.ts";
import { isDecided } from "./owner-checks.ts";
import type { Review } from "./reviews.ts";
import { verificationRules } from "./verification-rules.ts";

const showVerification = (_view: View, verification: VerificationRecord): Verification => {
  const { status, createdAtMs, updatedAtMs, ...shown } = verification;
  return {
    ...shown,
    verificationStatus: status,
    createdAt: instant(createdAtMs),
    updatedAt: instant(updatedAtMs),
  };
};

/** Refuses a customer that is decided already (spec/later-customers.md#decided-customers). */
const requireUndecided = ({ id, kycStatus, kybStatus }: CustomerRecord) => {
  const customerStatus = kycStatus ?? kybStatus;
  if (isDecided(customerStatus))
    refuse("ALREADY_VERIFIED", { field: "customerId", value: id, customerStatus });
};

const record = (
  draft: Draft,
  { customerId, outcome, errors }: Review & { customerId: string },
  moment: Moment,
): VerificationRecord => {
  const verification: VerificationRecord = {
    id: moment.newId("Verification"),
    customerId,
    status: outcome.verificationStatus,
    errors,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Verification", verification);
  return verification;
};

/**
 * POST /verifications: reviews a customer as it is now and decides at once
 * (spec/verifications.md#creation). Each call makes a Verification with its own event. A CUSTOMER
 * event follows only a real change of status, and a decided business passes through PENDING
 * (spec/verifications.md#status-effects). The documents of the customer and its owners count as
 * submitted from then on. Refuses an unknown or deleted customer, and in later revisions a decided one.
 */
export const createVerification: Rule<{ body: VerificationInput }, Verification> = (
  draft,
  { body: { customerId } },
  moment,
) => {
  const customer = customerInBody(draft, customerId);
  const rules = verificationRules(draft);
  if (rules.isFinal) requireUndecided(customer);
  submitDocumentsOf(
    draft,
    [customerId, ...ownersOf(draft, customerId).map(({ id }) => id)],
    moment,
  );
  const { outcome, errors } = rules.review(draft, customer);
  const { passes, leaves = statusOf(customer) } = outcome;
  const isSubmitted = passes !== undefined && leaves !== statusOf(customer);
  const submitted = isSubmitted
    ? setCustomerStatus(draft, { customer, status: passes }, moment)
    : customer;
  const verification = record(draft, { customerId, outcome, errors }, moment);
  const shown = showVerification(draft, verification);
  emit(draft, moment, { type: `VERIFICATION.${verification.status}`, data: shown });
  setCustomerStatus(draft, { customer: submitted, status: leaves }, moment);
  return shown;
};

/** GET /verifications/{verificationId}, also for a deleted customer. */
export const getVerification: Reading<{ params: { verificationId: string } }, Verification> = (
  view,
  { params: { verificationId: id } },
) =>
  showVerification(
    view,
    view.get("Verification", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "Verification" }),
  );

interface VerificationFilters {
  customerId?: string | undefined;
  verificationStatus?: string | undefined;
}

/** GET /verifications, newest first (spec/verifications.md#reads). */
export const listVerifications: Reading<ListInput<VerificationFilters>, unknown> = (view, input) =>
  page(view, {
    kind: "Verification",
    input,
    indexed: [
      ["byCustomer", input.query.customerId],
      ["byStatus", input.query.verificationStatus],
    ],
    show: showVerification,
  });
