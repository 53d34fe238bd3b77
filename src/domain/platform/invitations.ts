import { defined } from "../../contract/core/defined.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import {
  type CurrencyCode,
  currencyObject,
  isCurrencyCode,
} from "../../contract/money/currencies.ts";
import type {
  Invitation,
  InvitationClaim,
  InvitationInput,
  InvitationStatus,
} from "../../contract/platform/invitations.ts";
import {
  type Draft,
  HEX,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { assertInvariant } from "../core/invariant.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { customerAt, requireUmaAddress } from "../customers/uma-addresses.ts";
import { type InvitationTrigger, invitationLifecycle } from "../lifecycles/invitation.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import type { InvitationRecord } from "../records/platform-records.ts";

const CODE_LENGTH = 8;
/** Address that an invitation shows for its claim; the simulator serves no page there. */
export const INVITATION_PAGE = "https://invite.sandbox.test/i/";

/**
 * The status at an instant: a pending invitation is EXPIRED from `expiresAt` on
 * (spec/invitations.md#expiry).
 */
const statusAt = ({ status, expiresAtMs }: InvitationRecord, atMs: number): InvitationStatus => {
  const isOver = expiresAtMs !== undefined && atMs >= expiresAtMs;
  return (isOver && findMove(invitationLifecycle, status, "expire")?.to) || status;
};

const showInvitation = (invitation: InvitationRecord, atMs: number): Invitation => {
  const { id: code, inviterUma, inviteeUma, firstName, amountToSend, ...times } = invitation;
  return {
    code,
    createdAt: instant(times.createdAtMs),
    inviterUma,
    status: statusAt(invitation, atMs),
    url: INVITATION_PAGE + code,
    ...(times.claimedAtMs !== undefined && { claimedAt: instant(times.claimedAtMs) }),
    ...(times.expiresAtMs !== undefined && { expiresAt: instant(times.expiresAtMs) }),
    ...defined({ inviteeUma, firstName }),
    ...(amountToSend && {
      amountToSend: {
        amount: amountToSend.amountMinor,
        currency: currencyObject(amountToSend.currency),
      },
    }),
  };
};

const unusedCode = (draft: Draft, moment: Moment): string => {
  const code = moment.draw("invitation-code", CODE_LENGTH, HEX);
  return draft.get("Invitation", code) ? unusedCode(draft, moment) : code;
};

/**
 * The currency of an inviter's amount: its first, or the platform's first for an unknown inviter
 * (spec/invitations.md#amount).
 */
const inviterCurrency = (view: View, inviterUma: string): CurrencyCode => {
  const [own] = customerAt(view, inviterUma)?.currencies ?? [];
  const code = own ?? platformConfig(view).supportedCurrencies[0]?.currencyCode ?? "";
  assertInvariant(isCurrencyCode(code), "a currency of the inviter or of the platform", { code });
  return code;
};

const requireInRange = (amountMinor: number) => {
  if (amountMinor > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", {
      field: "amountToSend",
      value: amountMinor,
      max: MAX_AMOUNT_MINOR,
    });
};

/**
 * POST /invitations: invites on behalf of any well-formed address (spec/invitations.md#creation).
 * No money is sent or held; the inviter's platform pays when it hears of the claim.
 */
export const createInvitation: Rule<{ body: InvitationInput }, Invitation> = (
  draft,
  { body },
  moment,
) => {
  const { inviterUma, firstName, amountToSend: amountMinor, expiresAt } = body;
  requireUmaAddress(inviterUma, "inviterUma");
  if (platformConfig(draft).umaDomain === undefined) refuse("INVITATIONS_NOT_CONFIGURED");
  if (amountMinor !== undefined) requireInRange(amountMinor);
  const invitation: InvitationRecord = {
    id: unusedCode(draft, moment),
    status: "PENDING",
    inviterUma,
    ...defined({ firstName }),
    ...(amountMinor !== undefined && {
      amountToSend: { amountMinor, currency: inviterCurrency(draft, inviterUma) },
    }),
    ...(expiresAt !== undefined && { expiresAtMs: Date.parse(expiresAt) }),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Invitation", invitation);
  return showInvitation(invitation, moment.atMs);
};

interface ByPath {
  params: { invitationCode: string };
}

/** Finds the invitation that a path names, else 404. */
export const invitationByPath: Reading<ByPath, InvitationRecord> = (view, { params }) => {
  const { invitationCode: id } = params;
  return (
    view.get("Invitation", id) ?? refuse("INVITATION_NOT_FOUND", { id, resource: "Invitation" })
  );
};

/** GET /invitations/{invitationCode}, in any status. */
export const getInvitation: Reading<ByPath, Invitation> = (view, input, moment) =>
  showInvitation(invitationByPath(view, input, moment), moment.atMs);

/** Refuses to change an ended invitation, by how it ended (spec/invitations.md#cancel-and-end). */
const refuseEnded = (invitation: InvitationRecord, status: InvitationStatus): never => {
  const { id: code, expiresAtMs = 0 } = invitation;
  if (status === "CLAIMED") return refuse("INVITATION_ALREADY_CLAIMED", { code, status });
  if (status === "CANCELLED") return refuse("INVITATION_CANCELLED", { code, status });
  return refuse("INVITATION_EXPIRED", { code, status, expiresAt: instant(expiresAtMs) });
};

/**
 * Makes the move of a trigger and emits its event, if the table has one
 * (spec/invitations.md#lifecycle).
 */
const moved = (
  draft: Draft,
  {
    invitation,
    on,
    changes,
  }: {
    invitation: InvitationRecord;
    on: Exclude<InvitationTrigger, "expire">;
    changes?: Partial<InvitationRecord>;
  },
  moment: Moment,
): Invitation => {
  const { atMs } = moment;
  const status = statusAt(invitation, atMs);
  const move = findMove(invitationLifecycle, status, on) ?? refuseEnded(invitation, status);
  const after: InvitationRecord = {
    ...invitation,
    ...changes,
    status: move.to as InvitationRecord["status"],
    updatedAtMs: atMs,
  };
  draft.put("Invitation", after);
  const shown = showInvitation(after, atMs);
  if (move.emits) emit(draft, moment, { type: move.emits, data: shown });
  return shown;
};

/**
 * POST /invitations/{invitationCode}/claim: by any well-formed address, once
 * (spec/invitations.md#claim). Refuses an invitation that has reached its expiry instant.
 */
export const claimInvitation: Rule<ByPath & { body: InvitationClaim }, Invitation> = (
  draft,
  { params, body },
  moment,
) => {
  const invitation = invitationByPath(draft, { params }, moment);
  const inviteeUma = requireUmaAddress(body.inviteeUma, "inviteeUma");
  const changes = { inviteeUma, claimedAtMs: moment.atMs };
  return moved(draft, { invitation, on: "claim", changes }, moment);
};

/** POST /invitations/{invitationCode}/cancel; sends no event. */
export const cancelInvitation: Rule<ByPath, Invitation> = (draft, input, moment) =>
  moved(draft, { invitation: invitationByPath(draft, input, moment), on: "cancel" }, moment);
