import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { AmountInput, Instant, InstantInput, PersonalText } from "../core/scalars.ts";
import { CurrencyAmount } from "../money/money.ts";

export const INVITATION_STATUSES = ["PENDING", "CLAIMED", "EXPIRED", "CANCELLED"] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** UmaInvitation of a reply and of its event (spec/invitations.md#fields). */
export const Invitation = z.lazy(() =>
  z
    .object({
      code: z.string().regex(/^[0-9a-f]{8}$/),
      createdAt: Instant,
      inviterUma: z.string(),
      status: enumOf("InvitationStatus", INVITATION_STATUSES),
      url: z.url(),
      claimedAt: Instant.optional(),
      expiresAt: Instant.optional(),
      inviteeUma: z.string().optional(),
      firstName: z.string().optional(),
      amountToSend: CurrencyAmount.optional(),
    })
    .meta({ id: "UmaInvitation" }),
);

export type Invitation = z.infer<typeof Invitation>;

/**
 * Body of POST /invitations; the amount is in the inviter's currency
 * (spec/invitations.md#creation).
 */
export const InvitationInput = named("InvitationInput", () =>
  z.object({
    inviterUma: z.string(),
    firstName: PersonalText.optional(),
    amountToSend: AmountInput.optional(),
    expiresAt: InstantInput.optional(),
  }),
);

export type InvitationInput = z.infer<typeof InvitationInput>;

/** Body of POST /invitations/{invitationCode}/claim (spec/invitations.md#claim). */
export const InvitationClaim = named("InvitationClaimInput", () =>
  z.object({ inviteeUma: z.string() }),
);

export type InvitationClaim = z.infer<typeof InvitationClaim>;
