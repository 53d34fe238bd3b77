import type { CustomerRow } from "../contract/control/feed-rows.ts";
import { money } from "../text/layout.ts";
import { timeOf } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list, markOfStatus, markSpan, tailOf } from "./list.ts";

const nameOf = ({ name, platformCustomerId }: CustomerRow) => name ?? platformCustomerId;

const amounts = ({ balances }: CustomerRow) =>
  balances.map(({ amount, currency }) => money(amount, currency));

/** Below this width one balance stands for all. */
const ROOMY = 110;

const holdsText = (row: CustomerRow, { width }: RowContext) => {
  const [first = "holds nothing", ...others] = amounts(row);
  if (width >= ROOMY) return [first, ...others].join("  ");
  return others.length === 0 ? first : `${first} +${others.length}`;
};

/** Customers of the platform, with the state of their identity check. */
export const customers = list({
  name: "customers",
  order: "newest first",
  empty: "No customer yet. POST /customers creates one",
  columns: [
    { head: "", cell: ({ status = "" }) => markSpan(markOfStatus(status)) },
    { head: "status", gap: 1, min: 10, cell: ({ status = "" }) => status },
    { head: "id", cell: ({ id }, context) => tailOf(id, context) },
    { head: "type", min: 10, cell: ({ type }) => type },
    { head: "name", cut: "end", cell: nameOf },
    { head: "your id", min: 7, from: ROOMY, cut: "end", cell: (row) => row.platformCustomerId },
    { head: "created", from: 96, cell: ({ createdAt }, context) => timeOf(createdAt, context) },
    { head: "holds", from: 70, cell: holdsText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status ?? "",
    type: row.type,
    code: "",
    isOpen: row.status === "PENDING",
    words: () => [row.name, row.platformCustomerId],
    amounts: () => row.balances,
  }),
  subject: ({ id }) => id,
  command: ({ id }) => `service-sim why ${id}`,
  explain: (row) => [nameOf(row), ...amounts(row)].join(", "),
});
