import type {
  ExternalAccountRow,
  InternalAccountRow,
  PurchaseRow,
} from "../contract/control/record-rows.ts";
import { money } from "../text/layout.ts";
import { timeOf } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list, markOfStatus, markSpan, tailOf } from "./list.ts";

interface Held {
  holder?: InternalAccountRow["holder"];
  createdAt: string;
}

const holderName = ({ holder }: Held) =>
  holder === undefined ? "the platform" : (holder.name ?? "");

const holderCode = ({ holder }: Held) => holder?.platformCustomerId ?? "";

/** Texts of a holder that a word may match. */
const holderWords = ({ holder }: Held) => [holder?.name, holder?.platformCustomerId, holder?.id];

/** `Ada Byron, checkout-7`. */
const holderText = (row: Held) => [holderName(row), holderCode(row)].filter(Boolean).join(", ");

const createdText = ({ createdAt }: { createdAt: string }, context: RowContext) =>
  timeOf(createdAt, context);

const command = ({ id }: { id: string }) => `service-sim why ${id}`;

/** Internal accounts, and what they hold. */
export const internalAccounts = list({
  name: "internalAccounts",
  order: "newest first",
  empty: "No account yet. A customer's first one is made with the customer",
  columns: [
    { head: "", cell: ({ status }) => markSpan(markOfStatus(status)) },
    { head: "status", gap: 1, min: 6, cell: ({ status }) => status },
    { head: "id", cell: ({ id }, context) => tailOf(id, context) },
    { head: "type", cell: ({ type }) => type },
    {
      head: "balance",
      align: "right",
      min: 12,
      cell: ({ balance }) => money(balance.amount, balance.currency),
    },
    { head: "holder", cut: "end", cell: holderName },
    { head: "your id", from: 96, cut: "end", cell: holderCode },
    { head: "created", from: 76, cell: createdText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status,
    type: row.type,
    code: "",
    isOpen: row.status !== "CLOSED",
    words: () => holderWords(row),
    amounts: () => [row.balance],
  }),
  subject: ({ id }) => id,
  command,
  explain: (row) => `${holderText(row)}, ${row.type}`,
});

const bankText = ({ bank = "" }: ExternalAccountRow) => bank;

/** Bank accounts and wallets outside of the platform. */
export const externalAccounts = list({
  name: "externalAccounts",
  order: "newest first",
  empty: "No external account yet. POST /customers/external-accounts adds one",
  columns: [
    { head: "", cell: ({ status }) => markSpan(markOfStatus(status)) },
    { head: "id", gap: 1, cell: ({ id }, context) => tailOf(id, context) },
    { head: "type", from: 70, cell: ({ type }) => type },
    { head: "number", cell: ({ identifier }) => identifier },
    { head: "beneficiary", cut: "end", cell: ({ beneficiary = "" }) => beneficiary },
    { head: "bank", from: 110, cut: "end", cell: bankText },
    { head: "customer", from: 96, cut: "end", cell: holderText },
    { head: "created", from: 76, cell: createdText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status,
    type: row.type,
    code: row.currency,
    isOpen: true,
    words: () => [row.beneficiary, row.bank, row.identifier, ...holderWords(row)],
  }),
  subject: ({ id }) => id,
  command,
  explain: (row) => [row.beneficiary, row.bank, `of ${holderText(row)}`].filter(Boolean).join(", "),
});

const cardText = ({ card }: PurchaseRow, context: RowContext) =>
  card.lastFour === undefined ? tailOf(card.id, context) : `ends ${card.lastFour}`;

/** Purchases by card. */
export const purchases = list({
  name: "purchases",
  order: "newest first",
  empty: "No purchase yet. Make one on a card's page",
  columns: [
    { head: "", cell: ({ status }) => markSpan(markOfStatus(status)) },
    { head: "status", gap: 1, min: 10, cell: ({ status }) => status },
    { head: "id", cell: ({ id }, context) => tailOf(id, context) },
    {
      head: "amount",
      align: "right",
      min: 12,
      cell: ({ amount, currency }) => money(amount, currency),
    },
    {
      head: "settled",
      from: 96,
      align: "right",
      cell: ({ settled, currency }) => (settled === 0 ? "" : money(settled, currency)),
    },
    {
      head: "refunded",
      from: 110,
      align: "right",
      cell: ({ refunded, currency }) => (refunded === 0 ? "" : money(refunded, currency)),
    },
    { head: "merchant", cut: "end", cell: ({ merchant }) => merchant },
    { head: "card", from: 70, cell: cardText },
    { head: "created", from: 76, cell: createdText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status,
    type: row.currency,
    code: row.reason ?? "",
    isOpen: row.status === "AUTHORIZED",
    words: () => [row.merchant, row.card.id, row.card.lastFour],
    amounts: () => [row, { amount: row.settled, currency: row.currency }],
  }),
  subject: ({ id }) => id,
  command,
  explain: (row, context) =>
    [row.merchant, `card ${cardText(row, context)}`, row.reason].filter(Boolean).join(", "),
});

/** Agents of customers. */
export const agents = list({
  name: "agents",
  order: "newest first",
  empty: "No agent yet. POST /agents creates one",
  columns: [
    { head: "", cell: ({ status }) => markSpan(markOfStatus(status)) },
    { head: "status", gap: 1, min: 6, cell: ({ status }) => status },
    { head: "id", cell: ({ id }, context) => tailOf(id, context) },
    { head: "name", cut: "end", cell: ({ name }) => name },
    { head: "customer", cut: "end", from: 70, cell: holderText },
    { head: "created", from: 76, cell: createdText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status,
    type: "",
    code: "",
    isOpen: row.status === "ACTIVE",
    words: () => [row.name, ...holderWords(row)],
  }),
  subject: ({ id }) => id,
  command,
  explain: (row) => `${row.name}, ${holderText(row)}`,
});
