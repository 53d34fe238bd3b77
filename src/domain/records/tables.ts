import { isWrongOnPurpose } from "../../contract/webhooks/lab-vectors.ts";
import { primaryIdentifier } from "./primary-identifier.ts";
import type { DestinationRecord, Kind, Records, SourceRecord } from "./records.ts";

/** Owner key of the platform's own records. */
export const PLATFORM_OWNER = "platform";

/** Keys under which an index holds a record; without a key the record is not in that index. */
type Indexes<R> = Record<string, (record: R) => readonly string[]>;

export const ownerKey = (record: { customerId?: string }) => record.customerId ?? PLATFORM_OWNER;

/**
 * Identity of an external account. One address may hold several currencies
 * (spec/external-accounts.md#equality).
 */
export const identityKey = (
  owner: string,
  { accountInfo, currency }: Pick<Records["ExternalAccount"], "accountInfo" | "currency">,
) => `${owner} ${currency} ${accountInfo.accountType} ${primaryIdentifier(accountInfo).value}`;

/** Whether a delivery still wants an attempt. */
export const isOpen = ({ state }: Pick<Records["Delivery"], "state">) =>
  state === "WAITING" || state === "HELD" || state === "RETRYING";

/**
 * State of a delivery for the list: open, ended at birth, or ended later. `DeliveryEnd` orders
 * those that ended later.
 */
const progressOf = (delivery: Records["Delivery"]) => {
  if (isOpen(delivery)) return ["open"];
  return delivery.endId === undefined ? ["ended", "ended at birth"] : ["ended"];
};

const optional = (key: string | undefined) => (key === undefined ? [] : [key]);

/**
 * Values that account filters match: an account id or a UMA address
 * (spec/lists.md#combined-filters).
 */
const identifierOf = (party: SourceRecord | DestinationRecord): string[] => {
  if ("accountId" in party) return [party.accountId];
  return "umaAddress" in party ? [party.umaAddress] : [];
};

/**
 * Key of a customer list, of the existing customers or of all. One key answers both the filter and
 * the choice of deleted ones, so the cost of a page does not grow with the list.
 */
export const customerKey = (isIncludingDeleted: boolean, value: string) =>
  `${isIncludingDeleted ? "any" : "present"} ${value}`;

const scopes = ({ isDeleted }: Records["Customer"], ...values: readonly string[]) =>
  values.flatMap((value) => [
    customerKey(true, value),
    ...(isDeleted ? [] : [customerKey(false, value)]),
  ]);

/** Key of an account list: accounts of customers or of the platform, with a shared value. */
export const holderKey = (holder: "customer" | "platform", value: string) => `${holder} ${value}`;

const holderOf = ({ customerId }: { customerId?: string }) =>
  customerId === undefined ? "platform" : "customer";

/**
 * The tables of a world and their indexes. Each index lists ids in creation order. All kinds also
 * have the index `all`, under the key ``.
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
      byPhoneNumber: ({ phoneNumber }) => optional(phoneNumber),
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
  CardReveal: { indexes: {} },
  CardTransaction: {
    indexes: {
      byCard: ({ cardId }) => [cardId],
      byHold: ({ accountId, heldMinor }) => (heldMinor > 0 ? [accountId] : []),
    },
  },
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
  DelegatedKey: {
    indexes: {
      byAccount: ({ accountId }) => [accountId],
      byFundingSource: ({ fundingSourceId }) => [fundingSourceId],
    },
  },
  Delivery: {
    indexes: {
      // A lane orders first attempts; retries run beside it.
      byLane: ({ state, lane }) => (state === "WAITING" ? [lane] : []),
      byProgress: progressOf,
      // Deliberately bad deliveries are left out of the counts of what the world sends.
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
  NextOutcome: { indexes: { byTable: ({ table }) => [table] } },
  PlatformConfig: { indexes: {} },
  Quote: { indexes: {} },
  Rates: { indexes: {} },
  Replay: { indexes: { byKey: (replay) => [replay.key] } },
  Request: { indexes: {} },
  Session: { indexes: { byAccount: ({ accountId }) => [accountId] } },
  Timer: {
    indexes: {
      // A canceled timer is nothing that its subject waits for.
      bySubject: ({ subject, canceledAtMs }) => (canceledAtMs === undefined ? [subject] : []),
      canceled: ({ canceledAtMs }) => (canceledAtMs === undefined ? [] : [""]),
    },
  },
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
  Trouble: { indexes: {} },
  UsedChallenge: { indexes: { byDigest: ({ digest }) => [digest] } },
  Verification: {
    indexes: { byCustomer: ({ customerId }) => [customerId], byStatus: ({ status }) => [status] },
  },
};

export const KINDS = Object.keys(TABLES) as Kind[];
