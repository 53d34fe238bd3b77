import { defined } from "../../contract/core/defined.ts";
import type {
  BeneficialOwner,
  BeneficialOwnerInput,
  BeneficialOwnerPatch,
  PersonalInfo,
} from "../../contract/customers/beneficial-owners.ts";
import type { Draft, Reading, Rule } from "../core/draft.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import type { BeneficialOwnerRecord } from "../records/business-records.ts";
import type { CustomerRecord } from "../records/records.ts";
import { showBeneficialOwner } from "./customer-owners.ts";
import { customerInBody } from "./customers.ts";
import { checkOwner, isDecided } from "./owner-checks.ts";
import { verificationRules } from "./verification-rules.ts";

/** The first status of an owner (spec/later-customers.md#decision-about-owners). */
const firstStatus = (draft: Draft, customer: CustomerRecord, info: PersonalInfo) => {
  const waits = verificationRules(draft).areOwnersWaiting && !isDecided(customer.kybStatus);
  return waits ? "UNVERIFIED" : checkOwner(draft, info, [customer.id]);
};

/**
 * POST /beneficial-owners: names an owner, whose KYC has its outcome at once
 * (spec/beneficial-owners.md#creation). Sends no event. Refuses an unknown or deleted customer, and
 * an individual.
 */
export const createBeneficialOwner: Rule<{ body: BeneficialOwnerInput }, BeneficialOwner> = (
  draft,
  { body },
  moment,
) => {
  const { customerId, roles, ownershipPercentage, personalInfo } = body;
  const customer = customerInBody(draft, customerId);
  const { customerType } = customer;
  if (customerType !== "BUSINESS")
    refuse(
      "INVALID_INPUT",
      { field: "customerId", value: customerId, customerType },
      `Expected customerId to name a BUSINESS but found an ${customerType}`,
    );
  const owner: BeneficialOwnerRecord = {
    id: moment.newId("BeneficialOwner"),
    customerId,
    roles,
    ownershipPercentage,
    personalInfo,
    kycStatus: firstStatus(draft, customer, personalInfo),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("BeneficialOwner", owner);
  return showBeneficialOwner(draft, owner);
};

interface ByPath {
  params: { beneficialOwnerId: string };
}

/** Finds the owner that a path names, else 404. */
export const beneficialOwnerByPath: Reading<ByPath, BeneficialOwnerRecord> = (
  view,
  { params: { beneficialOwnerId: id } },
) =>
  view.get("BeneficialOwner", id) ??
  refuse("REFERENCE_NOT_FOUND", { id, resource: "BeneficialOwner" });

/** GET /beneficial-owners/{beneficialOwnerId}, also for a deleted customer. */
export const getBeneficialOwner: Reading<ByPath, BeneficialOwner> = (view, input, moment) =>
  showBeneficialOwner(view, beneficialOwnerByPath(view, input, moment));

/**
 * PATCH /beneficial-owners/{beneficialOwnerId} (spec/beneficial-owners.md#update). Replaces `roles`
 * and `address` as a whole and merges the rest of `personalInfo`. Another last name is checked
 * again; an empty body changes nothing.
 */
export const patchBeneficialOwner: Rule<
  ByPath & { body: BeneficialOwnerPatch },
  BeneficialOwner
> = (draft, { params, body }, moment) => {
  const owner = beneficialOwnerByPath(draft, { params }, moment);
  if (Object.keys(body).length === 0) return showBeneficialOwner(draft, owner);
  const { roles, ownershipPercentage } = body;
  const personalInfo = { ...owner.personalInfo, ...body.personalInfo } as PersonalInfo;
  const isRenamed =
    personalInfo.lastName !== owner.personalInfo.lastName &&
    !verificationRules(draft).areOwnersWaiting;
  const changed: BeneficialOwnerRecord = {
    ...owner,
    ...(roles && { roles }),
    ...defined({ ownershipPercentage }),
    personalInfo,
    ...(isRenamed && { kycStatus: checkOwner(draft, personalInfo, [owner.id, owner.customerId]) }),
    updatedAtMs: moment.atMs,
  };
  draft.put("BeneficialOwner", changed);
  return showBeneficialOwner(draft, changed);
};

/**
 * GET /beneficial-owners: the owners of one customer, newest first
 * (spec/beneficial-owners.md#owner-list).
 */
export const listBeneficialOwners: Reading<ListInput<{ customerId: string }>, unknown> = (
  view,
  input,
) =>
  page(view, {
    kind: "BeneficialOwner",
    input,
    indexed: [["byCustomer", input.query.customerId]],
    show: showBeneficialOwner,
  });
