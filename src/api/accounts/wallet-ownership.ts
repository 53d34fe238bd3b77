import { ExternalAccount } from "../../contract/accounts/external-accounts.ts";
import {
  OwnershipChallenge,
  OwnershipChallengeRequest,
  OwnershipVerifyRequest,
} from "../../contract/accounts/wallet-ownership.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { noOwnershipChallenge, ownershipNotNeeded } from "../../domain/customers/unconcerned.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const challenge = {
  body: OwnershipChallengeRequest,
  replies: [201, OwnershipChallenge],
  refuses: ["REFERENCE_NOT_FOUND", "OWNERSHIP_VERIFICATION_NOT_REQUIRED"],
  handle: () => refuse("OWNERSHIP_VERIFICATION_NOT_REQUIRED"),
} as const;

const verify = {
  body: OwnershipVerifyRequest,
  replies: [200, ExternalAccount],
  refuses: ["REFERENCE_NOT_FOUND", "NO_OWNERSHIP_CHALLENGE"],
  handle: () => refuse("NO_OWNERSHIP_CHALLENGE"),
} as const;

export const createExternalAccountOwnershipChallenge = endpoint(
  "createExternalAccountOwnershipChallenge",
  {
    summary: "Ask for a challenge to prove that a wallet is the customer's",
    subject: ownershipNotNeeded("customer"),
    ...challenge,
  },
);

export const verifyExternalAccountOwnership = endpoint("verifyExternalAccountOwnership", {
  summary: "Prove that a wallet is the customer's",
  subject: noOwnershipChallenge("customer"),
  ...verify,
});

export const createPlatformExternalAccountOwnershipChallenge = endpoint(
  "createPlatformExternalAccountOwnershipChallenge",
  {
    summary: "Ask for a challenge to prove that a wallet is the platform's",
    subject: ownershipNotNeeded("platform"),
    ...challenge,
  },
);

export const verifyPlatformExternalAccountOwnership = endpoint(
  "verifyPlatformExternalAccountOwnership",
  {
    summary: "Prove that a wallet is the platform's",
    subject: noOwnershipChallenge("platform"),
    ...verify,
  },
);
