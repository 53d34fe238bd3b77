import { expect, test } from "vitest";
import type { InvitationStatus } from "../../../src/contract/platform/invitations.ts";
import {
  type InvitationTrigger,
  invitationLifecycle,
} from "../../../src/domain/lifecycles/invitation.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

/** spec/invitations.md#lifecycle */
const INVITATION_MOVES: Matrix<InvitationStatus, InvitationTrigger> = {
  PENDING: {
    claim: ["CLAIMED", "INVITATION.CLAIMED"],
    cancel: ["CANCELLED"],
    expire: ["EXPIRED"],
  },
  CLAIMED: { claim: "refused", cancel: "refused", expire: "refused" },
  EXPIRED: { claim: "refused", cancel: "refused", expire: "refused" },
  CANCELLED: { claim: "refused", cancel: "refused", expire: "refused" },
};

testMatrix(invitationLifecycle, INVITATION_MOVES);

test("an invitation starts PENDING without an event; every other status is final", () => {
  expect(invitationLifecycle.starts).toBe("PENDING");
  expect(invitationLifecycle.startEmits).toBeUndefined();
  expect([...invitationLifecycle.ends].sort()).toEqual(["CANCELLED", "CLAIMED", "EXPIRED"]);
});
