import type { DelegatedKey } from "../../contract/wallets/delegated-keys.ts";
import { digestHex } from "../../crypto/digest.ts";
import {
  type Draft,
  find,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import type { CardRecord } from "../records/card-records.ts";
import type { DelegatedKeyRecord } from "../records/wallet-records.ts";

/** A card, and a wallet that funds it. */
export interface CardSource {
  cardId: string;
  accountId: string;
}

const UUID_PARTS = [8, 4, 4, 4, 12] as const;

/** Writes 32 hex characters as a UUID. */
const uuidOf = (hex: string) => {
  let at = 0;
  return UUID_PARTS.map((length) => {
    at += length;
    return hex.slice(at - length, at);
  }).join("-");
};

/** The id of a card's funding source: it follows from the card and the account. */
export const fundingSourceIdOf = ({ cardId, accountId }: CardSource): string =>
  `CardFundingSource:${uuidOf(digestHex(`funding source ${cardId} ${accountId}`))}`;

/** Shows a delegated key (spec/later-wallets.md#delegated-keys). */
export const showDelegatedKey = (key: DelegatedKeyRecord): DelegatedKey => ({
  id: key.id,
  cardId: key.cardId,
  fundingSourceId: key.fundingSourceId,
  accountId: key.accountId,
  publicKey: key.publicKeyHex,
  nickname: key.nickname,
  status: key.status,
  createdAt: instant(key.createdAtMs),
  updatedAt: instant(key.updatedAtMs),
});

/** The ACTIVE key of a card for a wallet, if there is one. */
export const activeKeyOf = (view: View, source: CardSource): DelegatedKeyRecord | undefined =>
  find(view, "DelegatedKey", ["byFundingSource", fundingSourceIdOf(source)]).find(
    ({ status }) => status === "ACTIVE",
  );

/** Tells whether a card has an ACTIVE delegated key for a wallet. */
export const hasActiveKey = (view: View, source: CardSource): boolean =>
  activeKeyOf(view, source) !== undefined;

/**
 * Tells whether a source may fund purchases of a card: a wallet needs an ACTIVE delegated key
 * (spec/later-wallets.md#wallets-that-fund-cards).
 */
export const mayFund = (view: View, source: CardSource): boolean =>
  !isChanged(view, "delegatedKeys") ||
  view.get("InternalAccount", source.accountId)?.type !== "EMBEDDED_WALLET" ||
  hasActiveKey(view, source);

const revoke = (draft: Draft, key: DelegatedKeyRecord, { atMs }: Moment) =>
  draft.put("DelegatedKey", { ...key, status: "REVOKED", updatedAtMs: atMs });

/** Revokes the keys of a card for sources that it no longer has. */
export const revokeUnboundKeys = (
  draft: Draft,
  { before, after }: { before: CardRecord; after: readonly string[] },
  moment: Moment,
) => {
  for (const accountId of before.fundingSources) {
    const key = after.includes(accountId)
      ? undefined
      : activeKeyOf(draft, { cardId: before.id, accountId });
    if (key) revoke(draft, key, moment);
  }
};

interface ByPath {
  params: { id: string };
}

const keyByPath = (view: View, { params: { id } }: ByPath): DelegatedKeyRecord =>
  view.get("DelegatedKey", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "DelegatedKey" });

/** GET /auth/delegated-keys/{id}, in any state. */
export const getDelegatedKey: Reading<ByPath, DelegatedKey> = (view, input) =>
  showDelegatedKey(keyByPath(view, input));

/** DELETE /auth/delegated-keys/{id}: takes no signature. */
export const deleteDelegatedKey: Rule<ByPath, void> = (draft, input, moment) => {
  const key = keyByPath(draft, input);
  const { id, status } = key;
  if (status !== "ACTIVE") refuse("DELEGATED_KEY_NOT_ACTIVE", { id, status });
  revoke(draft, key, moment);
};

interface KeysQuery {
  accountId?: string | undefined;
  fundingSourceId?: string | undefined;
}

/** GET /auth/delegated-keys: oldest first, in any state; unknown ids give an empty list. */
export const listDelegatedKeys: Reading<{ query: KeysQuery }, { data: DelegatedKey[] }> = (
  view,
  { query: { accountId, fundingSourceId } },
) => {
  if (accountId === undefined && fundingSourceId === undefined)
    refuse("INVALID_INPUT", { field: "accountId" }, "accountId or fundingSourceId is required");
  const keys =
    accountId === undefined
      ? find(view, "DelegatedKey", ["byFundingSource", fundingSourceId ?? ""])
      : find(view, "DelegatedKey", ["byAccount", accountId]);
  const data = keys
    .filter((key) => fundingSourceId === undefined || key.fundingSourceId === fundingSourceId)
    .map(showDelegatedKey);
  return { data };
};
