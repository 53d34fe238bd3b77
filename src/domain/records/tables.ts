import { isWrongOnPurpose } from "../../contract/webhooks/webhook-lab.ts";
import { primaryIdentifier } from "./primary-identifier.ts";
import type { DestinationRecord, Kind, Records, SourceRecord } from "./records.ts";

/** Owner key of what belongs to the platform itself. */
export const PLATFORM_OWNER = "platform";

/** Keys under which a record is found; no key: it is not in that index. */
type Indexes<R> = Record<string, (record: R) => readonly string[]>;

export const ownerKey = (record: { customerId?: string }) => record.customerId ?? PLATFORM_OWNER;

/** Two external accounts are the same when this is: one address may hold several currencies. */
export const identityKey = (
  owner: string,
  { accountInfo, currency }: Pick<Records["ExternalAccount"], "accountInfo" | "currency">,
) => `${owner} ${currency} ${accountInfo.accountType} ${primaryIdentifier(accountInfo).value}`;

/** Whether a delivery still wants an attempt. */
export const isOpen = ({ state }: Pick<Records["Delivery"], "state">) =>
  state === "WAITING" || state === "RETRYING";

/** Open, or ended: when it was born, or later. Those that ended later are ordered by `DeliveryEnd`. */
const progressOf = (delivery: Records["Delivery"]) => {
  if (isOpen(delivery)) return ["open"];
  return delivery.endId === undefined ? ["ended", "ended at birth"] : ["ended"];
};

const optional = (key: string | undefined) => (key === undefined ? [] : [key]);

/** What account filters compare with: an account id or a UMA address (payments O-48). */
const identifierOf = (party: SourceRecord | DestinationRecord): string[] => {
  if ("accountId" in party) return [party.accountId];
  return "umaAddress" in party ? [party.umaAddress] : [];
};

/**
 * Keys of a customer list: among those present, or among all. One key answers both the filter and
 * whether deleted ones count, so that a page costs the same however many there are.
 */
export const customerKey = (isIncludingDeleted: boolean, value: string) =>
  `${isIncludingDeleted ? "any" : "present"} ${value}`;

const scopes = ({ isDeleted }: Records["Customer"], ...values: readonly string[]) =>
  values.flatMap((value) => [
    customerKey(true, value),
    ...(isDeleted ? [] : [customerKey(false, value)]),
  ]);

/** Key of an account list: whose accounts, customers' or the platform's, and what they share. */
export const holderKey = (holder: "customer" | "platform", value: string) => `${holder} ${value}`;

const holderOf = ({ customerId }: { customerId?: string }) =>
  customerId === undefined ? "platform" : "customer";

/**
 * The tables of a world and how their records are found. Every order comes from an index: each
 * lists ids in creation order. All kinds also have the index `all`, under the key ``.
 */
export const TABLES: { [K in Kind]: { indexes: Indexes<Records[K]> } } = {
  Agent: {
    indexes: {
      byCustomer: ({ customerId }) => [customerId],
      byToken: ({ tokenHash }) => optional(tokenHash),
    },
  },
  AgentAction: {
    indexes: {
      byAgent: ({ agentId }) => [agentId],
      byCustomer: ({ customerId }) => [customerId],
      byStatus: ({ status }) => [status],
      byQuote: ({ request }) => (request.type === "EXECUTE_QUOTE" ? [request.quoteId] : []),
      byTransaction: ({ transactionId }) => optional(transactionId),
    },
  },
  AuthMethod: {
    indexes: {
      byAccount: ({ accountId }) => [accountId],
      byEmail: ({ email }) => optional(email?.toLowerCase()),
    },
  },
  ApiToken: {
    indexes: { byClientId: ({ clientId }) => [clientId], byName: ({ name }) => [name] },
  },
  BulkErrors: { indexes: { byJob: ({ jobId }) => [jobId] } },
  BulkRows: { indexes: { byJob: ({ jobId }) => [jobId] } },
  Card: {
    indexes: {
      byAccount: ({ fundingSources }) => [...new Set(fundingSources)],
      byCardholder: ({ cardholderId }) => [cardholderId],
      byPlatformCardId: ({ platformCardId }) => [platformCardId],
      byState: ({ state }) => [state],
    },
  },
  CardTransaction: { indexes: { byCard: ({ cardId }) => [cardId] } },
  BeneficialOwner: { indexes: { byCustomer: ({ customerId }) => [customerId] } },
  Customer: {
    indexes: {
      byPlatformCustomerId: (customer) => scopes(customer, customer.platformCustomerId),
      byUmaAddress: (customer) => scopes(customer, customer.umaAddress.toLowerCase()),
      byType: (customer) => scopes(customer, customer.customerType),
      byRegion: (customer) => scopes(customer, ...optional(customer.region)),
      byCurrency: (customer) => scopes(customer, ...customer.currencies),
      byPresence: (customer) => scopes(customer, ""),
    },
  },
  Delivery: {
    indexes: {
      // A lane orders first attempts: retries run beside it.
      byLane: ({ state, lane }) => (state === "WAITING" ? [lane] : []),
      byProgress: progressOf,
      // What is wrong on purpose is counted nowhere among what the world sends.
      byState: ({ state, lab }) => (isWrongOnPurpose(lab) ? [] : [state]),
    },
  },
  DeliveryEnd: { indexes: {} },
  DeviceCode: {
    indexes: { byAgent: ({ agentId }) => [agentId], byCode: ({ code }) => [code] },
  },
  Document: {
    indexes: {
      byHolder: ({ documentHolder }) => [documentHolder],
      byFile: ({ file }) => [file.sha256],
    },
  },
  Event: { indexes: {} },
  ExternalAccount: {
    indexes: {
      byIdentity: (account) => [identityKey(ownerKey(account), account)],
      byOwner: (account) => [ownerKey(account)],
      byCurrency: (account) => [holderKey(holderOf(account), account.currency)],
      byHolder: (account) => [holderKey(holderOf(account), "")],
    },
  },
  Fault: { indexes: {} },
  InternalAccount: {
    indexes: {
      byOwner: (account) => [ownerKey(account)],
      byCurrency: (account) => [holderKey(holderOf(account), account.currency)],
      byType: (account) => [holderKey(holderOf(account), account.type)],
      byHolder: (account) => [holderKey(holderOf(account), "")],
    },
  },
  Invitation: { indexes: {} },
  Job: { indexes: {} },
  KycLink: { indexes: {} },
  Lookup: { indexes: {} },
  Mail: { indexes: { byTo: ({ to }) => [to.toLowerCase()] } },
  PlatformConfig: { indexes: {} },
  Quote: { indexes: {} },
  Rates: { indexes: {} },
  Replay: { indexes: { byKey: (replay) => [replay.key] } },
  Request: { indexes: {} },
  Session: { indexes: { byAccount: ({ accountId }) => [accountId] } },
  Timer: { indexes: { bySubject: (timer) => optional(timer.subject) } },
  Transaction: {
    indexes: {
      byCustomer: (transaction) => [transaction.customerId],
      byPlatformCustomer: (transaction) => [transaction.platformCustomerId],
      byAccount: ({ source, destination }) => [
        ...new Set([...identifierOf(source), ...identifierOf(destination)]),
      ],
      bySender: ({ source }) => identifierOf(source),
      byReceiver: ({ destination }) => identifierOf(destination),
      byReference: (transaction) => [
        transaction.reference,
        ...optional(transaction.type === "OUTGOING" ? transaction.refund?.reference : undefined),
      ],
      byStatus: (transaction) => [transaction.status],
      byType: (transaction) => [transaction.type],
    },
  },
  UsedChallenge: { indexes: { byDigest: ({ digest }) => [digest] } },
  Verification: {
    indexes: { byCustomer: ({ customerId }) => [customerId], byStatus: ({ status }) => [status] },
  },
};

export const KINDS = Object.keys(TABLES) as Kind[];
