import { NOBODY, nameOwner, verify } from "../customers/setup/people.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import type { Refused } from "./refused.ts";

const NOT_FOUND: Refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
const USER_NOT_FOUND: Refused = { status: 404, code: "USER_NOT_FOUND" };
const USER_NOT_FOUND_IN_BODY: Refused = { ...USER_NOT_FOUND, field: "customerId" };

/** Refusals that the operations of business customers declare. */
export const DECLARED_BUSINESS_REFUSALS: DeclaredRefusal[] = [
  {
    operation: "createBeneficialOwner",
    word: "USER_NOT_FOUND",
    refused: USER_NOT_FOUND_IN_BODY,
    meet: (world) => nameOwner(world, NOBODY),
  },
  {
    operation: "getBeneficialOwner",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("GET", "/beneficial-owners/BeneficialOwner:none"),
  },
  {
    operation: "patchBeneficialOwner",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("PATCH", "/beneficial-owners/BeneficialOwner:none", {}),
  },
  {
    operation: "createVerification",
    word: "USER_NOT_FOUND",
    refused: USER_NOT_FOUND_IN_BODY,
    meet: (world) => verify(world, NOBODY),
  },
  {
    operation: "getVerification",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("GET", "/verifications/Verification:none"),
  },
  {
    operation: "createKycLink",
    word: "USER_NOT_FOUND",
    refused: USER_NOT_FOUND,
    meet: ({ call }) => call("POST", `/customers/${NOBODY}/kyc-link`),
  },
];
