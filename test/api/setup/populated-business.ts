import type { TestSimulator } from "../../setup/test-simulator.ts";
import { createBusiness, createOwner, NOOR, verify } from "../customers/setup/people.ts";
import type { KnownIds } from "./populated.ts";

/** Ids of a business with an owner, and of its verification. */
export const populateBusiness = async (world: TestSimulator): Promise<KnownIds> => {
  const businessId = await createBusiness(world, "88-003");
  const owner = await createOwner(world, businessId);
  const { body: verification } = await verify(world, businessId);
  return { businessId, beneficialOwnerId: owner.id, verificationId: verification.id };
};

/** Required query of an operation. */
export const BUSINESS_QUERIES: Record<string, (ids: KnownIds) => string> = {
  listBeneficialOwners: ({ businessId }) => `customerId=${businessId}`,
};

/** Bodies that the operations of businesses accept, with every documented member. */
export const BUSINESS_BODIES: Record<string, (ids: KnownIds) => object> = {
  createBeneficialOwner: ({ businessId }) => ({
    customerId: businessId,
    roles: ["UBO", "DIRECTOR"],
    ownershipPercentage: 60,
    personalInfo: NOOR,
  }),
  patchBeneficialOwner: () => ({
    roles: ["TRUSTEE"],
    ownershipPercentage: 40,
    personalInfo: NOOR,
  }),
  createVerification: ({ businessId }) => ({ customerId: businessId }),
  createKycLink: () => ({ redirectUri: "https://shop.example/done" }),
};
