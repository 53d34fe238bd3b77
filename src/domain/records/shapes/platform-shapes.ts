import * as z from "zod";
import {
  API_VERSIONS,
  BRAND_PATH,
  BRAND_VARIABLE,
  ENVIRONMENT_VALUES,
} from "../../../contract/control/brands.ts";
import { isBrandWord } from "../../../contract/core/brand-words.ts";
import { isCodeSetting } from "../../../contract/core/code-choices.ts";
import { CRYPTO_MODES } from "../../../contract/core/crypto-modes.ts";
import { isPrintable, isReceiverUrl } from "../../../contract/core/network-reach.ts";
import { shapeIn } from "../../../contract/core/revised-shape.ts";
import { LATEST_REVISION, REVISIONS } from "../../../contract/core/revision-names.ts";
import { TROUBLE_NAMES } from "../../../contract/core/trouble-names.ts";
import { isUmaDomain } from "../../../contract/core/uma-domain.ts";
import {
  APPROVAL_MODES,
  CARD_EVENTS,
  END_USER_TERMS_MODES,
  SIGNATURE_FORMS,
  WALLET_CREDENTIALS,
} from "../../../contract/core/world-settings.ts";
import { CardTokenTexts } from "../../../contract/platform/card-token-texts.ts";
import {
  DomainName,
  EmbeddedWalletConfig,
  SupportedCurrency,
} from "../../../contract/platform/config.ts";
import { FaultEffect, FaultMatch } from "../../../contract/platform/faults.ts";
import { INVITATION_STATUSES } from "../../../contract/platform/invitations.ts";
import { isRateLimit, RATE_LIMIT_FORM } from "../../../contract/platform/rate-limit-text.ts";
import { PERMISSIONS } from "../../../contract/platform/tokens.ts";
import { DELIVERY_STATES } from "../../../contract/webhooks/delivery-states.ts";
import { EVENT_TYPES } from "../../../contract/webhooks/events.ts";
import { LAB_KINDS } from "../../../contract/webhooks/lab-vectors.ts";
import { TROUBLED } from "../../../contract/webhooks/troubles.ts";
import { trustedPem } from "../../../crypto/certificates.ts";
import type { FaultRecord } from "../fault-records.ts";
import type { InitialSettings, WorldSettings } from "../initial-settings.ts";
import type { NextOutcomeRecord } from "../outcome-records.ts";
import type { ApiTokenRecord, InvitationRecord } from "../platform-records.ts";
import type {
  DeliveryAttempt,
  DeliveryEndRecord,
  DeliveryRecord,
  EventRecord,
  FeeConfigRecord,
  PlatformConfigRecord,
  TimerRecord,
  TransactionLimit,
} from "../records.ts";
import { TIMER_NAMES } from "../timer-names.ts";
import type { TroubleRecord } from "../trouble-records.ts";
import {
  Base64,
  Count,
  Currency,
  Digest,
  Flag,
  Id,
  oneOf,
  StoredInstant,
  stamps,
  stored,
  Text,
} from "./stored-values.ts";

const settings: { [Name in keyof Required<WorldSettings>]: z.ZodType } = {
  sandboxUmaDomains: z.array(Text.refine(isUmaDomain, "Expected a domain name")).min(1).optional(),
  cryptoMode: oneOf(CRYPTO_MODES).optional(),
  walletCredential: oneOf(WALLET_CREDENTIALS).optional(),
  oidcIssuers: z.array(Text.min(1).refine(isPrintable, "Expected an issuer")).optional(),
  revision: oneOf(REVISIONS).optional(),
  cardEvents: oneOf(CARD_EVENTS).optional(),
  endUserTerms: oneOf(END_USER_TERMS_MODES).optional(),
  approvals: oneOf(APPROVAL_MODES).optional(),
  codes: Text.refine(isCodeSetting, "Expected a choice of codes").optional(),
  webhookSignature: oneOf(SIGNATURE_FORMS).optional(),
  rateLimit: Text.refine(isRateLimit, `Expected ${RATE_LIMIT_FORM}`).optional(),
};

const Brand = z.strictObject({
  word: Text.refine(isBrandWord, "Expected a word"),
  paths: z
    .record(Text.regex(BRAND_PATH, "Expected a path like /acme/v1"), oneOf(API_VERSIONS))
    .optional(),
  env: z
    .array(
      z.record(
        Text.regex(BRAND_VARIABLE, "Expected the name of a variable"),
        oneOf(ENVIRONMENT_VALUES),
      ),
    )
    .optional(),
});

/** The receiver of a world's webhooks, and the certificates that it is trusted by. */
const receiver = {
  webhookEndpoint: Text.refine(isReceiverUrl, "Expected the URL of a receiver").optional(),
  webhookCa: Text.refine(
    (text) => trustedPem(text) !== undefined,
    "Expected certificates as PEM",
  ).optional(),
};

const FeeConfigRow = stored<FeeConfigRecord>({
  feeType: z.literal("CROSS_CURRENCY_TRANSACTION"),
  sourceCurrency: Currency,
  variableFeeBps: Count,
  fixedMinor: Count,
});

const LimitRow = stored<TransactionLimit>({
  maxTransactionAmount: Count.optional(),
  dailyVolume: Count.optional(),
});

const Attempt = stored<DeliveryAttempt>({
  attempt: Count,
  atMs: StoredInstant,
  tookMs: z.number().min(0),
  httpStatus: z.int().optional(),
  error: Text.optional(),
  reply: Text.optional(),
  cut: z.strictObject({ reply: Count }).optional(),
  signature: Text,
});

/** An entry that any revision takes: worlds change theirs, and records stay. */
const storedCurrency = () => shapeIn(SupportedCurrency, LATEST_REVISION);

export const PLATFORM_SHAPES = {
  PlatformConfig: () =>
    stored<PlatformConfigRecord>({
      ...stamps,
      ...settings,
      umaDomain: DomainName.optional(),
      ...receiver,
      brand: Brand.optional(),
      opening: stored<InitialSettings>({
        ...receiver,
        brand: Brand.optional(),
        settings: z.strictObject(settings),
      }).optional(),
      supportedCurrencies: z.array(storedCurrency()),
      formerCurrencies: z.array(storedCurrency()).optional(),
      isRegulatedFinancialInstitution: Flag,
      embeddedWalletConfig: EmbeddedWalletConfig.optional(),
      feeConfigs: z.array(FeeConfigRow).optional(),
      cardTokenization2faConfig: CardTokenTexts.optional(),
      transactionLimits: z.record(Text, LimitRow).optional(),
    }),
  ApiToken: () =>
    stored<ApiTokenRecord>({
      ...stamps,
      name: Text,
      clientId: Text,
      // An exported start token has none.
      secretHash: z.union([Digest, z.literal("")]),
      permissions: z.array(oneOf(PERMISSIONS)),
    }),
  Invitation: () =>
    stored<InvitationRecord>({
      ...stamps,
      status: oneOf(INVITATION_STATUSES),
      inviterUma: Text,
      inviteeUma: Text.optional(),
      firstName: Text.optional(),
      amountToSend: z.strictObject({ amountMinor: Count, currency: Currency }).optional(),
      expiresAtMs: StoredInstant.optional(),
      claimedAtMs: StoredInstant.optional(),
    }),
  Fault: () => stored<FaultRecord>({ ...stamps, match: FaultMatch, fault: FaultEffect }),
  NextOutcome: () =>
    stored<NextOutcomeRecord>({
      ...stamps,
      table: Text,
      row: Text,
      for: Text.optional(),
      times: Count,
    }),
  Timer: () =>
    stored<TimerRecord>({
      id: Text,
      name: oneOf(TIMER_NAMES),
      subject: Id,
      dueAtMs: StoredInstant,
      order: Count,
      poisoned: Text.optional(),
      canceledAtMs: StoredInstant.optional(),
    }),
  Event: () =>
    stored<EventRecord>({
      id: Id,
      body: Text,
      signed: Text.optional(),
      base64: Base64.optional(),
    }),
  Delivery: () =>
    stored<DeliveryRecord>({
      id: Id,
      type: oneOf(EVENT_TYPES),
      lane: Text,
      about: Text.optional(),
      cause: Text,
      rule: Text.optional(),
      bornAtMs: StoredInstant,
      state: oneOf(DELIVERY_STATES),
      attemptCount: Count,
      attempts: z.array(Attempt),
      nextAttemptAtMs: StoredInstant.optional(),
      endId: Id.optional(),
      reason: z.literal("outbox full").optional(),
      lab: oneOf(LAB_KINDS).optional(),
      trouble: z.strictObject({ id: Id, did: oneOf(TROUBLED) }).optional(),
      copies: Count.optional(),
    }),
  DeliveryEnd: () => stored<DeliveryEndRecord>({ id: Id, deliveryId: Id, atMs: StoredInstant }),
  Trouble: () =>
    stored<TroubleRecord>({
      ...stamps,
      does: oneOf(TROUBLE_NAMES),
      type: oneOf(EVENT_TYPES).optional(),
      about: Text.optional(),
      times: Count.optional(),
      byMs: Count.optional(),
      anyRecord: z.literal(true).optional(),
      met: Count,
      group: z.array(Id).optional(),
    }),
};
