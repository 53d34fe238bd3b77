import {
  Invitation,
  InvitationClaim,
  InvitationInput,
} from "../../contract/platform/invitations.ts";
import * as invitations from "../../domain/platform/invitations.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const ENDED_REFUSALS = [
  "INVITATION_NOT_FOUND",
  "INVITATION_ALREADY_CLAIMED",
  "INVITATION_CANCELLED",
  "INVITATION_EXPIRED",
] as const;

export const createInvitation = endpoint("createInvitation", {
  summary: "Invite a person to join by UMA",
  body: InvitationInput,
  replies: [201, Invitation],
  refuses: [
    "INVALID_UMA_ADDRESS",
    "INVITATIONS_NOT_CONFIGURED",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  handle: ({ body }, { commit }) => commit(invitations.createInvitation, { body }),
});

export const getInvitation = endpoint("getInvitation", {
  summary: "Get an invitation by its code",
  replies: [200, Invitation],
  refuses: ["INVITATION_NOT_FOUND"],
  handle: (input, { read }) => read(invitations.getInvitation, input),
});

export const claimInvitation = endpoint("claimInvitation", {
  summary: "Claim an invitation and notify the inviter's platform",
  body: InvitationClaim,
  replies: [200, Invitation],
  refuses: [...ENDED_REFUSALS, "INVALID_UMA_ADDRESS"],
  subject: invitations.invitationByPath,
  handle: (input, { commit }) => commit(invitations.claimInvitation, input),
});

export const cancelInvitation = endpoint("cancelInvitation", {
  summary: "Cancel an unclaimed invitation",
  replies: [200, Invitation],
  refuses: ENDED_REFUSALS,
  handle: (input, { commit }) => commit(invitations.cancelInvitation, input),
});
