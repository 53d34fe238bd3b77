import { primaryIdentifier } from "./outcomes.ts";
import type { Kind, Records } from "./records.ts";

/** Owner key of what belongs to the platform itself. */
export const PLATFORM_OWNER = "platform";

/** Keys under which a record is found; no key: it is not in that index. */
type Indexes<R> = Record<string, (record: R) => readonly string[]>;

export const ownerKey = (record: { customerId?: string }) => record.customerId ?? PLATFORM_OWNER;

/** What makes two external accounts of one owner the same (payments O-16). */
export const identityKey = (owner: string, info: Records["ExternalAccount"]["accountInfo"]) =>
  `${owner} ${info.accountType} ${primaryIdentifier(info).value}`;

/** Deliveries that still want an attempt, and those that never will. */
export const isOpen = ({ state }: Records["Delivery"]) =>
  state === "WAITING" || state === "RETRYING";

const optional = (key: string | undefined) => (key === undefined ? [] : [key]);

/**
 * The tables of a world and how their records are found. Every order comes from an index: each
 * lists ids in creation order. All kinds also have the index `all`, under the key ``.
 */
export const TABLES: { [K in Kind]: { indexes: Indexes<Records[K]> } } = {
  ApiToken: { indexes: { byClientId: (token) => [token.clientId] } },
  Customer: {
    indexes: {
      byPlatformCustomerId: (customer) => (customer.isDeleted ? [] : [customer.platformCustomerId]),
      byUmaAddress: (customer) => (customer.isDeleted ? [] : [customer.umaAddress.toLowerCase()]),
      byPresence: (customer) => [customer.isDeleted ? "deleted" : "present"],
    },
  },
  Delivery: {
    indexes: {
      byLane: (delivery) => (isOpen(delivery) ? [delivery.lane] : []),
      byProgress: (delivery) => [isOpen(delivery) ? "open" : "ended"],
      byState: (delivery) => [delivery.state],
    },
  },
  Event: { indexes: {} },
  ExternalAccount: {
    indexes: {
      byIdentity: (account) => [identityKey(ownerKey(account), account.accountInfo)],
      byOwner: (account) => [ownerKey(account)],
      byCurrency: (account) => [account.currency],
      byHolder: (account) => [account.customerId === undefined ? "platform" : "customer"],
    },
  },
  InternalAccount: {
    indexes: {
      byOwner: (account) => [ownerKey(account)],
      byCurrency: (account) => [account.currency],
      byType: (account) => [account.type],
      byHolder: (account) => [account.customerId === undefined ? "platform" : "customer"],
    },
  },
  PlatformConfig: { indexes: {} },
  Quote: { indexes: {} },
  Replay: { indexes: { byKey: (replay) => [replay.key] } },
  Timer: { indexes: { bySubject: (timer) => optional(timer.subject) } },
  Transaction: {
    indexes: {
      byCustomer: (transaction) => [transaction.customerId],
      byStatus: (transaction) => [transaction.status],
      byType: (transaction) => [transaction.type],
    },
  },
};

export const KINDS = Object.keys(TABLES) as Kind[];
