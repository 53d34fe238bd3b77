import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

const Provider = enumOf("StablecoinProvider", ["BRALE"]);
const Environment = enumOf("StablecoinProviderEnvironment", ["SANDBOX", "PRODUCTION"]);
const AccountStatus = enumOf("StablecoinProviderAccountStatus", ["ACTIVE", "INVALID", "REVOKED"]);
const Network = enumOf("StablecoinNetwork", ["SPARK"]);

const IssuanceStatus = enumOf("StablecoinIssuanceStatus", [
  "PENDING_REVIEW",
  "PROVISIONING",
  "PROVISIONED",
  "REJECTED",
  "FAILED",
]);

const OperationsStatus = enumOf("StablecoinServiceOperationsStatus", [
  "NOT_ENABLED",
  "PENDING_APPROVAL",
  "ENABLING",
  "ENABLED",
  "DISABLED",
]);

const OperationType = enumOf("StablecoinOperationType", ["MINT", "BURN"]);

const OperationStatus = enumOf("StablecoinOperationStatus", [
  "CREATED",
  "PENDING_FUNDING",
  "PENDING_PROVIDER",
  "PROCESSING",
  "COMPLETED",
  "FAILED",
  "EXPIRED",
]);

const Name = z.string().min(1).max(255);

/** An amount of a stablecoin, in its smallest unit, as text. */
const TokenAmount = z.string().regex(/^[0-9]{1,78}$/);

const stamps = { createdAt: Instant, updatedAt: Instant };

/** Body of POST /stablecoin-provider-accounts (spec/later-accounts.md#stablecoins). */
export const StablecoinProviderAccountLinkInput = named("StablecoinProviderAccountLinkInput", () =>
  z.object({
    provider: Provider,
    apiClientId: Name,
    apiClientSecret: Name,
    providerAccountId: Name.optional(),
  }),
);

export const StablecoinProviderAccount = named("StablecoinProviderAccount", () =>
  z.object({
    id: z.string(),
    provider: Provider,
    providerAccountId: z.string(),
    providerEnvironment: Environment,
    status: AccountStatus,
    lastVerifiedAt: Instant.optional(),
    ...stamps,
  }),
);

export const ProviderAccountsQuery = {
  provider: Provider.optional(),
  status: AccountStatus.optional(),
};

/** Body of POST /stablecoins. */
export const StablecoinRegisterInput = named("StablecoinRegisterInput", () =>
  z.object({
    providerTokenIdentifier: Name,
    networkTokenIdentifier: Name,
    network: Network,
    stablecoinProviderAccountId: Name.optional(),
  }),
);

/** Stablecoin of a reply; none exists here. */
export const Stablecoin = named("Stablecoin", () =>
  z.object({
    id: z.string(),
    name: z.string(),
    symbol: z.string(),
    baseCurrency: z.string(),
    network: Network,
    decimals: z.int(),
    issuanceStatus: IssuanceStatus,
    serviceOperationsStatus: OperationsStatus,
    networkTokenIdentifier: z.string(),
    currency: z.string().optional(),
    provider: Provider,
    stablecoinProviderAccountId: z.string(),
    providerEnvironment: Environment,
    providerTokenIdentifier: z.string(),
    ...stamps,
  }),
);

export const StablecoinsQuery = {
  issuanceStatus: IssuanceStatus.optional(),
  serviceOperationsStatus: OperationsStatus.optional(),
  provider: Provider.optional(),
};

/** A source or a destination that an account of each kind is. */
const internalSource = (id: string) =>
  z
    .object({ type: z.literal("SERVICE_INTERNAL_ACCOUNT"), accountId: Name })
    .meta({ id: `${id}InternalAccount` });

const providerBalance = (id: string) =>
  z
    .object({
      type: z.literal("PROVIDER_INTERNAL_BALANCE"),
      sourceTokenIdentifier: Name,
      cryptoNetwork: Name,
    })
    .meta({ id: `${id}ProviderBalance` });

const MintFundingSource = named("StablecoinMintFundingSource", () =>
  z.discriminatedUnion("type", [
    z
      .object({
        type: z.enum(["WIRE", "ACH_DEBIT", "SAME_DAY_ACH_DEBIT"]),
        externalAccountId: Name,
      })
      .meta({ id: "StablecoinMintFundingBank" }),
    internalSource("StablecoinMintFunding"),
    providerBalance("StablecoinMintFunding"),
  ]),
);

/** Body of POST /stablecoins/{stablecoinId}/mints. */
export const StablecoinMintInput = named("StablecoinMintInput", () =>
  z.object({
    amount: TokenAmount,
    fundingSource: MintFundingSource,
    destination: z.object({ accountId: Name }).meta({ id: "StablecoinMintDestination" }),
    description: z.string().max(1024).optional(),
  }),
);

const BurnSource = named("StablecoinBurnSource", () =>
  z.discriminatedUnion("type", [
    z
      .object({ type: z.literal("EXTERNAL_ACCOUNT"), accountId: Name })
      .meta({ id: "StablecoinBurnSourceExternalAccount" }),
    internalSource("StablecoinBurnSource"),
    z
      .object({ type: z.literal("PROVIDER_INTERNAL_BALANCE") })
      .meta({ id: "StablecoinBurnSourceProviderBalance" }),
  ]),
);

/** Body of POST /stablecoins/{stablecoinId}/burns. */
export const StablecoinBurnInput = named("StablecoinBurnInput", () =>
  z.object({
    amount: TokenAmount,
    source: BurnSource,
    destination: z
      .object({
        type: z.literal("EXTERNAL_ACCOUNT"),
        externalAccountId: Name,
        rail: z.enum(["WIRE", "ACH_CREDIT", "SAME_DAY_ACH_CREDIT", "RTP_CREDIT"]),
      })
      .meta({ id: "StablecoinBurnDestination" }),
    description: z.string().max(1024).optional(),
  }),
);

/** StablecoinOperation of a reply: a mint or a burn; none exists here. */
export const StablecoinOperation = named("StablecoinOperation", () =>
  z.object({
    id: z.string(),
    stablecoinId: z.string(),
    operationType: OperationType,
    status: OperationStatus,
    amount: TokenAmount,
    provider: Provider,
    providerEnvironment: Environment,
    stablecoinProviderAccountId: z.string(),
    expiresAt: Instant.optional(),
    providerStatus: z.string().optional(),
    failureReason: z.string().optional(),
    description: z.string().optional(),
    ...stamps,
  }),
);

export const StablecoinOperationsQuery = { operationType: OperationType.optional() };
