import type { ReactNode } from "react";
import type { ListName, Rows } from "../../rows/world.ts";
import { ActLink } from "../parts/act.tsx";
import { EndpointForm } from "../parts/endpoint-form.tsx";
import { Title } from "../parts/pane.tsx";
import { SearchedList } from "../parts/searched-list.tsx";
import { placeOf } from "../routes.ts";
import { Balances } from "./balances.tsx";
import { ResendFailed } from "./resend-failed.tsx";

interface ListViewProps<Name extends ListName> {
  name: Name;
  title: string;
  hrefOf(row: Rows[Name]): string;
  /** Stands above the list. */
  children?: ReactNode;
}

/** A whole list of the feed, with its search. */
const ListView = <Name extends ListName>({
  name,
  title,
  hrefOf,
  children,
}: ListViewProps<Name>) => (
  <>
    <Title>{title}</Title>
    {children}
    <SearchedList name={name} title={title} hrefOf={hrefOf as never} />
  </>
);

export const Payments = () => (
  <ListView name="payments" title="Payments" hrefOf={({ id }) => placeOf(id)} />
);

/** All webhooks, under their endpoint and the tools for a receiver. */
export const Webhooks = () => (
  <ListView name="deliveries" title="Webhooks" hrefOf={({ id }) => placeOf(id)}>
    <EndpointForm>
      <ResendFailed />
      <ActLink href="#/webhooks/send">Send an example…</ActLink>
      <ActLink href="#/webhooks/doctor">Check a signature…</ActLink>
    </EndpointForm>
  </ListView>
);

export const Requests = () => (
  <ListView name="requests" title="Requests" hrefOf={({ id }) => placeOf(id)} />
);

/** All postings, under the balance of each account. */
export const Ledger = () => (
  <ListView name="postings" title="Ledger" hrefOf={({ account }) => placeOf(account)}>
    <Balances />
  </ListView>
);

export const Timers = () => (
  <ListView name="timers" title="Timers" hrefOf={({ subject }) => placeOf(subject)} />
);
