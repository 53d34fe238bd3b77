import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

/** States of a delegated key (spec/later-wallets.md#delegated-keys). */
export const DELEGATED_KEY_STATUSES = ["PENDING", "ACTIVE", "REVOKED"] as const;
export type DelegatedKeyStatus = (typeof DELEGATED_KEY_STATUSES)[number];

const LONGEST_NICKNAME = 256;

/** Body of POST /auth/delegated-keys, the same on all three calls. */
export const DelegatedKeyInput = named("DelegatedKeyInput", () =>
  z.object({
    cardId: AnyId,
    internalAccountId: AnyId,
    nickname: z.string().min(1).max(LONGEST_NICKNAME),
  }),
);

export type DelegatedKeyInput = z.infer<typeof DelegatedKeyInput>;

/** Query of GET /auth/delegated-keys; at least one of the two is needed. */
export const DelegatedKeysQuery = {
  accountId: z.string().min(1).optional(),
  fundingSourceId: z.string().min(1).optional(),
};

/** Delegated key of a reply (spec/later-wallets.md#delegated-keys). */
export const DelegatedKey = named("DelegatedKey", () =>
  z.object({
    id: idOf("DelegatedKey"),
    cardId: idOf("Card"),
    fundingSourceId: idOf("CardFundingSource"),
    accountId: idOf("InternalAccount"),
    publicKey: z.string().regex(/^0[23][0-9a-f]{64}$/),
    nickname: z.string(),
    status: enumOf("DelegatedKeyStatus", DELEGATED_KEY_STATUSES),
    createdAt: Instant,
    updatedAt: Instant,
  }),
);

export type DelegatedKey = z.infer<typeof DelegatedKey>;
