import * as z from "zod";
import type { WorldBrand } from "../core/brand-words.ts";
import { CRYPTO_MODES } from "../core/crypto-modes.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { REVISIONS } from "../core/revision-names.ts";
import { Instant } from "../core/scalars.ts";
import {
  APPROVAL_MODES,
  CARD_EVENTS,
  END_USER_TERMS_MODES,
  SIGNATURE_FORMS,
  WALLET_CREDENTIALS,
} from "../core/world-settings.ts";
import { BrandShown } from "./brands.ts";
import { Speed } from "./clock.ts";
import { CLOCK_MODES, type ClockMode } from "./clock-modes.ts";
import { NextTimer } from "./timers.ts";
import { JsonValue, Sums } from "./values.ts";

const Mode = enumOf("ClockMode", CLOCK_MODES);

/** Every setting that a start decides, as it is in force; help names the options. */
const Settings = named("WorldSettings", () =>
  z.object({
    crypto: enumOf("CryptoMode", CRYPTO_MODES),
    walletCredential: enumOf("WalletCredentials", WALLET_CREDENTIALS),
    approvals: enumOf("ApprovalMode", APPROVAL_MODES),
    cardEvents: enumOf("CardEventSpelling", CARD_EVENTS),
    revision: enumOf("Revision", REVISIONS),
    endUserTerms: enumOf("EndUserTermsMode", END_USER_TERMS_MODES),
    /** `fixed`, `random`, or the code that every mail has. */
    codes: z.string(),
    webhookSignature: enumOf("SignatureForm", SIGNATURE_FORMS),
    oidcIssuers: z.array(z.string()).readonly(),
    sandboxUmaDomains: z.array(z.string()).readonly(),
    /** Calls of each token, such as `10/s`; or `none`. */
    rateLimit: z.string(),
    /** Word in place of `service` on the wire, with the paths and variables of its clients. */
    brand: BrandShown.optional(),
    /** `real`, `manual`, `auto` or a speed such as `60x`. */
    clock: z.string(),
    clientId: z.string(),
    webhookEndpoint: z.string().optional(),
    /** Fingerprint of the key that signs webhooks. */
    webhookKey: z.string(),
    /** Key that signs what one-time codes are sealed to, in revisions that seal them. */
    otpSignerPublicKey: z.string().optional(),
  }),
);

const StorageStatus = named("StorageStatus", () =>
  z.object({
    url: z.string(),
    /** Number of changes since the beginning. */
    records: z.int(),
    journalBytes: z.int(),
    fsync: z.boolean(),
    writable: z.boolean(),
    /** Reason why it is not writable. */
    why: z.string().optional(),
    /** Whole path of the folder, with `file:` storage. */
    directory: z.string().optional(),
    /** Tells that the folder was removed or replaced meanwhile; absent where it was not. */
    lost: z.string().optional(),
    /** Damaged checkpoint files that this start passed over. */
    passedOver: z
      .array(z.object({ file: z.string(), found: z.string() }))
      .readonly()
      .optional(),
  }),
);

const WebhooksStatus = named("WebhooksStatus", () =>
  z.object({
    endpoint: z.string().optional(),
    /** Reason why the endpoint gets none, when its address alone tells. */
    notCalled: z.string().optional(),
    /** Fingerprint of the key that signs them. */
    key: z.string(),
    accepted: z.int(),
    waiting: z.int(),
    /** Held back on purpose; left out where there is none. */
    held: z.int().optional(),
    retrying: z.int(),
    givenUp: z.int(),
    undeliverable: z.int(),
  }),
);

/**
 * Reply of GET /_sim/status, which the package publishes: its declaration needs no library.
 */
export interface SimulatorStatus {
  world: string;
  /** Simulated instant. */
  now: string;
  version: string;
  pid: number;
  upMs: number;
  /** Milliseconds for which it serves calls after it was told to stop; absent where it is 0. */
  drainMs?: number | undefined;
  apiUrl: string;
  controlUrl: string;
  seed: string;
  fixture: string;
  clock: { mode: ClockMode; speed?: number | undefined; aheadMs: number };
  /** Every setting that a start decides, as it is in force; help names the options. */
  settings: {
    crypto: string;
    walletCredential: string;
    approvals: string;
    cardEvents: string;
    revision: string;
    endUserTerms: string;
    codes: string;
    webhookSignature: string;
    oidcIssuers: readonly string[];
    sandboxUmaDomains: readonly string[];
    /** Calls of each token, such as `10/s`; or `none`. */
    rateLimit: string;
    brand?: WorldBrand | undefined;
    clock: string;
    clientId: string;
    webhookEndpoint?: string | undefined;
    /** Fingerprint of the key that signs webhooks. */
    webhookKey: string;
    /** Key that signs what one-time codes are sealed to, in revisions that seal them. */
    otpSignerPublicKey?: string | undefined;
  };
  storage: {
    url: string;
    records: number;
    journalBytes: number;
    fsync: boolean;
    writable: boolean;
    why?: string | undefined;
    /** Whole path of the folder, with `file:` storage. */
    directory?: string | undefined;
    /** Tells that the folder was removed or replaced meanwhile; absent where it was not. */
    lost?: string | undefined;
    /** Damaged checkpoint files that this start passed over. */
    passedOver?: readonly { file: string; found: string }[] | undefined;
  };
  ledger: { totals: Record<string, number> };
  approvals: { count: number; oldestWaitsMs?: number | undefined };
  timers: { count: number; next?: { dueAt: string; timer: string; subject: string } | undefined };
  webhooks: {
    endpoint?: string | undefined;
    /** Reason why the endpoint gets none, when its address alone tells. */
    notCalled?: string | undefined;
    /** Fingerprint of the key that signs them. */
    key: string;
    accepted: number;
    waiting: number;
    /** Held back on purpose; left out where there is none. */
    held?: number | undefined;
    retrying: number;
    givenUp: number;
    undeliverable: number;
  };
  stopped?: { why: string; by: string; values: Record<string, unknown> } | undefined;
}

/** Shape of the reply; it has a name of its own, since the interface is published. */
export const StatusReply: z.ZodType<SimulatorStatus> = z.lazy(() =>
  z.object({
    world: z.string(),
    now: Instant,
    version: z.string(),
    pid: z.int(),
    upMs: z.number(),
    drainMs: z.int().optional(),
    apiUrl: z.string(),
    controlUrl: z.string(),
    seed: z.string(),
    fixture: z.string(),
    clock: z.object({ mode: Mode, speed: Speed.optional(), aheadMs: z.number() }),
    settings: Settings,
    storage: StorageStatus,
    ledger: z.object({ totals: Sums }),
    approvals: z.object({ count: z.int(), oldestWaitsMs: z.number().optional() }),
    timers: z.object({ count: z.int(), next: NextTimer.optional() }),
    webhooks: WebhooksStatus,
    /** The violated invariant that stopped the world. */
    stopped: z
      .object({ why: z.string(), by: z.string(), values: z.record(z.string(), JsonValue) })
      .optional(),
  }),
);
