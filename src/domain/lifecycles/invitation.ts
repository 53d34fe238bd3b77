import type { InvitationStatus } from "../../contract/platform/invitations.ts";
import { lifecycle } from "./lifecycle.ts";

export type InvitationTrigger = "claim" | "cancel" | "expire";

/** An invitation (platform digest 9): it is told of when it is claimed, and then only. */
export const invitationLifecycle = lifecycle<InvitationStatus, InvitationTrigger>({
  starts: "PENDING",
  ends: ["CLAIMED", "EXPIRED", "CANCELLED"],
  moves: [
    { from: "PENDING", on: "claim", to: "CLAIMED", emits: "INVITATION.CLAIMED" },
    { from: "PENDING", on: "cancel", to: "CANCELLED" },
    { from: "PENDING", on: "expire", to: "EXPIRED" },
  ],
});
