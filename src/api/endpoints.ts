import type { Endpoint } from "../http/endpoint.ts";
import * as agentApprovals from "./agent-approvals.ts";
import * as agents from "./agents.ts";
import * as agentsMe from "./agents-me.ts";
import * as beneficialOwners from "./beneficial-owners.ts";
import * as bulkCustomers from "./bulk-customers.ts";
import * as cards from "./cards.ts";
import * as config from "./config.ts";
import * as credentials from "./credentials.ts";
import * as customers from "./customers.ts";
import * as discoveries from "./discoveries.ts";
import * as documents from "./documents.ts";
import * as exchangeRates from "./exchange-rates.ts";
import * as externalAccounts from "./external-accounts.ts";
import * as internalAccounts from "./internal-accounts.ts";
import * as invitations from "./invitations.ts";
import * as kycLinks from "./kyc-links.ts";
import * as quotes from "./quotes.ts";
import * as receivers from "./receivers.ts";
import * as sandboxCards from "./sandbox-cards.ts";
import * as sandboxSend from "./sandbox-send.ts";
import * as sandboxUma from "./sandbox-uma.ts";
import * as sessions from "./sessions.ts";
import * as tokens from "./tokens.ts";
import * as transactions from "./transactions.ts";
import * as transfers from "./transfers.ts";
import * as umaProviders from "./uma-providers.ts";
import * as verifications from "./verifications.ts";
import * as wallets from "./wallets.ts";
import * as webhookTest from "./webhook-test.ts";
import * as withdrawalFees from "./withdrawal-fees.ts";

/** Every operation of the platform's surface. */
export const PLATFORM_ENDPOINTS: readonly Endpoint[] = [
  agentApprovals,
  agents,
  agentsMe,
  bulkCustomers,
  beneficialOwners,
  cards,
  config,
  credentials,
  customers,
  discoveries,
  documents,
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
  transactions,
  transfers,
  umaProviders,
  verifications,
  wallets,
  webhookTest,
  withdrawalFees,
].flatMap((resource) => Object.values(resource) as Endpoint[]);
