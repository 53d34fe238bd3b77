import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  BeneficialOwner,
  BeneficialOwnerInput,
  BeneficialOwnerPatch,
  BeneficialOwnersQuery,
} from "../../contract/customers/beneficial-owners.ts";
import * as owners from "../../domain/customers/beneficial-owners.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const createBeneficialOwner = endpoint("createBeneficialOwner", {
  summary: "Name an owner of a business and check the owner's KYC",
  body: BeneficialOwnerInput,
  replies: [201, BeneficialOwner],
  refuses: ["USER_NOT_FOUND"],
  handle: ({ body }, { commit }) => commit(owners.createBeneficialOwner, { body }),
});

export const listBeneficialOwners = endpoint("listBeneficialOwners", {
  summary: "List the owners of a business, newest first",
  query: { ...BeneficialOwnersQuery, ...PageQuery },
  replies: [200, pageOf(BeneficialOwner)],
  refuses: [],
  handle: (input, { read }) => read(owners.listBeneficialOwners, input),
});

export const getBeneficialOwner = endpoint("getBeneficialOwner", {
  summary: "Get one owner",
  replies: [200, BeneficialOwner],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(owners.getBeneficialOwner, input),
});

export const patchBeneficialOwner = endpoint("patchBeneficialOwner", {
  summary: "Change an owner; omitted fields are unchanged",
  body: BeneficialOwnerPatch,
  replies: [200, BeneficialOwner],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: owners.beneficialOwnerByPath,
  handle: (input, { commit }) => commit(owners.patchBeneficialOwner, input),
});
