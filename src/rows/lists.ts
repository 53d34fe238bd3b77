import { approvals } from "./approvals.ts";
import { cards } from "./cards.ts";
import { customers } from "./customers.ts";
import { deliveries } from "./deliveries.ts";
import type { List } from "./list.ts";
import { mails } from "./mails.ts";
import { payments } from "./payments.ts";
import { postings } from "./postings.ts";
import { agents, externalAccounts, internalAccounts, purchases } from "./record-lists.ts";
import { requests } from "./requests.ts";
import { timers } from "./timers.ts";
import type { ListedName } from "./world.ts";

export const LISTS: { readonly [Name in ListedName]: List<Name> } = {
  payments,
  approvals,
  deliveries,
  requests,
  timers,
  mails,
  postings,
  customers,
  cards,
  purchases,
  internalAccounts,
  externalAccounts,
  agents,
};

/** A list by name; the name decides the type of its rows. */
export const listNamed = (name: ListedName) => LISTS[name] as unknown as List;
