import * as z from "zod";
import { AUTH_METHOD_TYPES } from "../../../contract/wallets/credentials.ts";
import { DELEGATED_KEY_STATUSES } from "../../../contract/wallets/delegated-keys.ts";
import type {
  AuthMethodRecord,
  DelegatedKeyRecord,
  MailRecord,
  RequestRecord,
  SessionRecord,
  UsedChallengeRecord,
} from "../wallet-records.ts";
import {
  Base64,
  Count,
  Id,
  JsonText,
  oneOf,
  StoredInstant,
  stamps,
  stored,
  Text,
} from "./stored-values.ts";

export const WALLET_SHAPES = {
  AuthMethod: () =>
    stored<AuthMethodRecord>({
      ...stamps,
      accountId: Id,
      type: oneOf(AUTH_METHOD_TYPES),
      nickname: Text,
      email: Text.optional(),
      phoneNumber: Text.optional(),
      otp: z
        .strictObject({
          code: Text,
          expiresAtMs: StoredInstant,
          wrongCount: Count,
          targetKeyHex: Text.regex(/^[0-9a-f]{64}$/, "Expected a private key in hex").optional(),
        })
        .optional(),
      otpReissuedAtMs: z.array(StoredInstant).optional(),
      oidc: z
        .strictObject({
          issuer: Text,
          isOwn: z.literal(true).optional(),
          subject: Text.optional(),
          audience: Text.optional(),
        })
        .optional(),
      passkey: z
        .strictObject({
          credentialId: Base64,
          verified: z
            .strictObject({
              publicKeyCose: Base64,
              algorithm: z.int(),
              counter: Count,
              rpIdHash: Text.optional(),
              appOrigin: Text.optional(),
            })
            .optional(),
        })
        .optional(),
    }),
  Session: () =>
    stored<SessionRecord>({
      ...stamps,
      accountId: Id,
      authMethodId: Id,
      type: oneOf(AUTH_METHOD_TYPES),
      nickname: Text,
      credentialId: Text.optional(),
      publicKeyHex: Text.regex(/^0[23][0-9a-f]{64}$/, "Expected a compressed point in hex"),
      expiresAtMs: StoredInstant,
      revokedAtMs: StoredInstant.optional(),
    }),
  Request: () =>
    stored<RequestRecord>({
      ...stamps,
      operation: Text,
      body: JsonText,
      payloadToSign: Text,
      clientPublicKey: Text.optional(),
      seen: Text.optional(),
      expiresAtMs: StoredInstant,
      usedAtMs: StoredInstant.optional(),
    }),
  DelegatedKey: () =>
    stored<DelegatedKeyRecord>({
      ...stamps,
      cardId: Id,
      accountId: Id,
      fundingSourceId: Id,
      nickname: Text,
      publicKeyHex: Text.regex(/^0[23][0-9a-f]{64}$/, "Expected a compressed point in hex"),
      status: oneOf(DELEGATED_KEY_STATUSES),
    }),
  UsedChallenge: () =>
    stored<UsedChallengeRecord>({ id: Id, digest: Text, usedAtMs: StoredInstant }),
  Mail: () =>
    stored<MailRecord>({
      ...stamps,
      to: Text,
      code: Text,
      subject: Text,
      text: Text,
      credentialId: Id,
      channel: z.literal("sms").optional(),
      expiresAtMs: StoredInstant,
    }),
};
