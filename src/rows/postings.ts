import type { Posting } from "../contract/control/ledger.ts";
import { money } from "../text/layout.ts";
import { timeOf } from "./clock-face.ts";
import { list, shortIdsIn, shortOf } from "./list.ts";

const signed = ({ amount, currency }: Posting) =>
  `${amount > 0 ? "+" : ""}${money(amount, currency)}`;

/** Postings of the ledger. */
export const postings = list({
  name: "postings",
  order: "newest first",
  empty: "No money has moved yet",
  columns: [
    { head: "at", min: 8, cell: ({ at }, context) => timeOf(at, context) },
    { head: "amount", align: "right", min: 13, cell: signed },
    { head: "account", cell: ({ account }, context) => shortOf(account, context) },
    {
      head: "because",
      cut: "end",
      cell: ({ cause }, context) => shortIdsIn(cause, context),
    },
  ],
  fields: ({ id, account, currency, amount, cause }) => ({
    id: account,
    status: "",
    type: currency,
    code: cause,
    isOpen: false,
    words: () => [id],
    amounts: () => [{ amount, currency }],
  }),
  subject: ({ account }) => account,
  command: ({ account }) => `service-sim why ${account}`,
  explain: ({ cause }, context) => shortIdsIn(cause, context),
});
