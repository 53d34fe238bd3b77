import type { DelegatedKey, DelegatedKeyInput } from "../../contract/wallets/delegated-keys.ts";
import { sessionKeyFrom } from "../../crypto/session-keys.ts";
import { type Draft, HEX, type Moment, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { DelegatedKeyRecord } from "../records/wallet-records.ts";
import { activeKeyOf, fundingSourceIdOf, showDelegatedKey } from "./delegated-keys.ts";
import type { SignedCall, SigningRequest } from "./signed-operations.ts";
import { type Challenged, challenge, requireAnswered } from "./signed-retry.ts";

interface CreateInput {
  body: DelegatedKeyInput;
  call: SignedCall;
}

/** Hex characters of a key's entropy. */
const ENTROPY_HEX = 96;

/** The wallet of a new key, which funds the card. */
const sourceOf = (view: View, { cardId, internalAccountId }: DelegatedKeyInput) => {
  const card =
    view.get("Card", cardId) ??
    refuse("REFERENCE_NOT_FOUND", { field: "cardId", id: cardId, resource: "Card" });
  const wallet = view.get("InternalAccount", internalAccountId);
  if (wallet?.type !== "EMBEDDED_WALLET" || !card.fundingSources.includes(wallet.id))
    return refuse(
      "REFERENCE_NOT_FOUND",
      { field: "internalAccountId", id: internalAccountId, resource: "CardFundingSource" },
      `${internalAccountId} is not a wallet that funds the card ${cardId}`,
    );
  const active = activeKeyOf(view, { cardId, accountId: wallet.id });
  if (active) refuse("DELEGATED_KEY_EXISTS", { delegatedKeyId: active.id });
  return wallet;
};

/** Asks for a user of the wallet that has the new key. */
const userRequest = (
  wallet: InternalAccountRecord,
  { nickname }: DelegatedKeyInput,
  publicKey: string,
): SigningRequest => ({
  wallet,
  clientPublicKey: publicKey,
  activity: {
    type: "ACTIVITY_TYPE_CREATE_USERS_V3",
    parameters: {
      users: [
        {
          apiKeys: [{ apiKeyName: nickname, curveType: "API_KEY_CURVE_P256", publicKey }],
          userName: nickname,
        },
      ],
    },
  },
});

/** Asks for the policy by which that user may sign. */
const policyRequest = (wallet: InternalAccountRecord, keyId: string): SigningRequest => {
  const user = keyId.slice(keyId.indexOf(":") + 1);
  return {
    wallet,
    activity: {
      type: "ACTIVITY_TYPE_CREATE_POLICY_V3",
      parameters: {
        consensus: `approvers.any(user, user.id == '${user}')`,
        effect: "EFFECT_ALLOW",
        policyName: `delegated-key-${user}`,
      },
    },
    seen: {
      value: keyId,
      refuseChanged: () => refuse("UNKNOWN_REQUEST_ID", { check: "it is for another key" }),
    },
  };
};

const pendingKey = (
  draft: Draft,
  { body, publicKeyHex }: { body: DelegatedKeyInput; publicKeyHex: string },
  moment: Moment,
): DelegatedKeyRecord => {
  const { cardId, internalAccountId: accountId, nickname } = body;
  const key: DelegatedKeyRecord = {
    id: moment.newId("DelegatedKey"),
    cardId,
    accountId,
    fundingSourceId: fundingSourceIdOf({ cardId, accountId }),
    nickname,
    publicKeyHex,
    status: "PENDING",
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("DelegatedKey", key);
  return key;
};

const newPublicKey = (moment: Moment) =>
  sessionKeyFrom(moment.draw("delegated-key", ENTROPY_HEX, HEX)).publicKeyHex;

/**
 * POST /auth/delegated-keys in three calls: what to sign first, what to sign next, the ACTIVE key
 * (spec/later-wallets.md#delegated-keys). The second call leaves a PENDING key.
 */
export const createDelegatedKey: Rule<CreateInput, DelegatedKey | Challenged> = (
  draft,
  { body, call },
  moment,
) => {
  const wallet = sourceOf(draft, body);
  if (call.signature === undefined && call.requestId === undefined) {
    const asked = userRequest(wallet, body, newPublicKey(moment));
    return challenge(draft, { asked, call, body }, moment);
  }
  const answered = draft.get("Request", call.requestId ?? "");
  const key = draft.get("DelegatedKey", answered?.seen ?? "");
  if (!key) {
    const publicKeyHex = answered?.clientPublicKey ?? "";
    const asked = userRequest(wallet, body, publicKeyHex);
    requireAnswered(draft, { asked, call, body }, moment);
    const { id } = pendingKey(draft, { body, publicKeyHex }, moment);
    return challenge(draft, { asked: policyRequest(wallet, id), call, body }, moment);
  }
  requireAnswered(draft, { asked: policyRequest(wallet, key.id), call, body }, moment);
  const active = { ...key, status: "ACTIVE", updatedAtMs: moment.atMs } as const;
  draft.put("DelegatedKey", active);
  return showDelegatedKey(active);
};
