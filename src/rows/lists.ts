import { approvals } from "./approvals.ts";
import { cards } from "./cards.ts";
import { customers } from "./customers.ts";
import { deliveries } from "./deliveries.ts";
import type { List } from "./list.ts";
import { mails } from "./mails.ts";
import { payments } from "./payments.ts";
import { postings } from "./postings.ts";
import { requests } from "./requests.ts";
import { timers } from "./timers.ts";
import type { ListName } from "./world.ts";

export const LISTS: { readonly [Name in ListName]: List<Name> } = {
  payments,
  approvals,
  deliveries,
  requests,
  timers,
  mails,
  postings,
  customers,
  cards,
};

/** A list by name; the name decides the type of its rows. */
export const listNamed = (name: ListName) => LISTS[name] as unknown as List;
