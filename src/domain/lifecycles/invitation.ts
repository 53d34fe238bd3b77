import type { InvitationStatus } from "../../contract/platform/invitations.ts";
import { lifecycle } from "./lifecycle.ts";

export type InvitationTrigger = "claim" | "cancel" | "expire";

/** An invitation; only its claim sends an event (spec/invitations.md#lifecycle). */
export const invitationLifecycle = lifecycle<InvitationStatus, InvitationTrigger>({
  starts: "PENDING",
  ends: ["CLAIMED", "EXPIRED", "CANCELLED"],
  moves: [
    { from: "PENDING", on: "claim", to: "CLAIMED", emits: "INVITATION.CLAIMED" },
    { from: "PENDING", on: "cancel", to: "CANCELLED" },
    { from: "PENDING", on: "expire", to: "EXPIRED" },
  ],
});
