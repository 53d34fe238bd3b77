import type { Kind, Records, TimerRecord } from "./records/records.ts";
import type { TimerName } from "./records/timer-names.ts";

/** A member that names another record, the kinds it may be of, and its value. */
type Reference = readonly [member: string, kinds: readonly Kind[], id: string | undefined];

const CUSTOMER: readonly Kind[] = ["Customer"];
const ACCOUNT: readonly Kind[] = ["InternalAccount"];
const PAYMENT: readonly Kind[] = ["Transaction"];

const ofCustomer = ({ customerId }: { customerId?: string }): Reference[] => [
  ["customerId", CUSTOMER, customerId],
];

const ofJob = ({ jobId }: { jobId: string }): Reference[] => [["jobId", ["Job"], jobId]];

const ofAccount = ({ accountId }: { accountId: string }): Reference[] => [
  ["accountId", ACCOUNT, accountId],
];

/** Kinds of the subjects of timers, by the word before the dot of their names. */
const SUBJECTS: Readonly<Record<string, readonly Kind[]>> = {
  approval: ["AgentAction"],
  bulk: ["Job"],
  card: ["Card", "CardTransaction"],
  incoming: PAYMENT,
  payment: PAYMENT,
  quote: ["Quote"],
  refund: PAYMENT,
  webhook: ["Delivery"],
};

const subjectOf = (name: TimerName) => SUBJECTS[name.split(".")[0] ?? ""] ?? [];

const ofTimer = ({ name, subject, poisoned, canceledAtMs }: TimerRecord): Reference[] =>
  poisoned === undefined && canceledAtMs === undefined
    ? [["subject", subjectOf(name), subject]]
    : [];

/**
 * References that every rule takes to be there. Left out are those to records that may be deleted
 * while the one that names them stays, such as the external account of a payment.
 */
const REFERENCES: { [K in Kind]?: (record: Records[K]) => readonly Reference[] } = {
  BeneficialOwner: ofCustomer,
  Verification: ofCustomer,
  KycLink: ofCustomer,
  InternalAccount: ofCustomer,
  ExternalAccount: ofCustomer,
  Agent: ofCustomer,
  DeviceCode: ({ agentId }) => [["agentId", ["Agent"], agentId]],
  AgentAction: (action) => [
    ...ofCustomer(action),
    ["agentId", ["Agent"], action.status === "PENDING_APPROVAL" ? action.agentId : undefined],
    ["transactionId", PAYMENT, action.transactionId],
  ],
  Quote: ({ transactionId }) => [["transactionId", PAYMENT, transactionId]],
  Transaction: (payment) => [
    ...ofCustomer(payment),
    ["creditsAccountId", ACCOUNT, payment.creditsAccountId],
    ...(payment.type === "OUTGOING"
      ? ([
          ["debitsAccountId", ACCOUNT, payment.debitsAccountId],
          ["quoteId", ["Quote"], payment.quoteId],
        ] as const)
      : []),
  ],
  Card: ({ cardholderId, fundingSources }) => [
    ["cardholderId", CUSTOMER, cardholderId],
    ...fundingSources.map((id) => ["fundingSources", ACCOUNT, id] as const),
  ],
  CardTransaction: ({ cardId, accountId }) => [
    ["cardId", ["Card"], cardId],
    ...ofAccount({ accountId }),
  ],
  AuthMethod: ofAccount,
  Session: ofAccount,
  Document: ({ documentHolder }) => [
    ["documentHolder", ["Customer", "BeneficialOwner"], documentHolder],
  ],
  BulkRows: ofJob,
  BulkErrors: ofJob,
  Delivery: ({ id, endId }) => [
    ["id", ["Event"], id],
    ["endId", ["DeliveryEnd"], endId],
  ],
  Event: ({ id }) => [["id", ["Delivery"], id]],
  DeliveryEnd: ({ deliveryId }) => [["deliveryId", ["Delivery"], deliveryId]],
  Timer: ofTimer,
};

/** The references of a record that must lead to another one. */
export const referencesOf = <K extends Kind>(kind: K, record: Records[K]): readonly Reference[] =>
  REFERENCES[kind]?.(record) ?? [];
