import type { Endpoint } from "../http/door/endpoint.ts";
import * as beneficiaryTrust from "./accounts/beneficiary-trust.ts";
import * as externalAccounts from "./accounts/external-accounts.ts";
import * as internalAccounts from "./accounts/internal-accounts.ts";
import * as stablecoins from "./accounts/stablecoins.ts";
import * as vasps from "./accounts/vasps.ts";
import * as walletOwnership from "./accounts/wallet-ownership.ts";
import * as agentApprovals from "./agents/agent-approvals.ts";
import * as agents from "./agents/agents.ts";
import * as agentsMe from "./agents/agents-me.ts";
import * as cardReveals from "./cards/card-reveals.ts";
import * as cardSimulations from "./cards/card-simulations.ts";
import * as cards from "./cards/cards.ts";
import * as sandboxCards from "./cards/sandbox-cards.ts";
import * as beneficialOwners from "./customers/beneficial-owners.ts";
import * as bulkCustomers from "./customers/bulk-customers.ts";
import * as contactVerification from "./customers/contact-verification.ts";
import * as customers from "./customers/customers.ts";
import * as documents from "./customers/documents.ts";
import * as endUserTerms from "./customers/end-user-terms.ts";
import * as kycLinks from "./customers/kyc-links.ts";
import * as strongAuthentication from "./customers/strong-authentication.ts";
import * as verifications from "./customers/verifications.ts";
import * as exchangeRates from "./money/exchange-rates.ts";
import * as withdrawalFees from "./money/withdrawal-fees.ts";
import * as discoveries from "./payments/discoveries.ts";
import * as quoteAuthorization from "./payments/quote-authorization.ts";
import * as quotes from "./payments/quotes.ts";
import * as receivers from "./payments/receivers.ts";
import * as sandboxSend from "./payments/sandbox-send.ts";
import * as sandboxUma from "./payments/sandbox-uma.ts";
import * as transactions from "./payments/transactions.ts";
import * as transfers from "./payments/transfers.ts";
import * as umaProviders from "./payments/uma-providers.ts";
import * as config from "./platform/config.ts";
import * as invitations from "./platform/invitations.ts";
import * as tokens from "./platform/tokens.ts";
import * as credentials from "./wallets/credentials.ts";
import * as delegatedKeys from "./wallets/delegated-keys.ts";
import * as sessions from "./wallets/sessions.ts";
import * as wallets from "./wallets/wallets.ts";
import * as webhookTest from "./webhooks/webhook-test.ts";

/** Every operation of the platform's surface, in any revision. */
export const ENDPOINTS_OF_ANY_REVISION: readonly Endpoint<unknown>[] = [
  agentApprovals,
  agents,
  agentsMe,
  bulkCustomers,
  beneficialOwners,
  cards,
  cardReveals,
  config,
  credentials,
  customers,
  delegatedKeys,
  discoveries,
  documents,
  endUserTerms,
  beneficiaryTrust,
  contactVerification,
  quoteAuthorization,
  strongAuthentication,
  walletOwnership,
  exchangeRates,
  externalAccounts,
  internalAccounts,
  invitations,
  kycLinks,
  quotes,
  receivers,
  sandboxCards,
  sandboxSend,
  sessions,
  sandboxUma,
  tokens,
  stablecoins,
  transactions,
  transfers,
  umaProviders,
  verifications,
  wallets,
  webhookTest,
  withdrawalFees,
  vasps,
  cardSimulations,
].flatMap((resource) => Object.values(resource) as Endpoint<unknown>[]);

/** The operations of the first revision. */
export const PLATFORM_ENDPOINTS = ENDPOINTS_OF_ANY_REVISION.filter(({ since }) => !since);
