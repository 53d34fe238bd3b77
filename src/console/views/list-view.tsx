import type { ReactNode } from "react";
import type { ListName, Rows } from "../../rows/world.ts";
import { ActLink } from "../parts/act.tsx";
import { EndpointForm } from "../parts/endpoint-form.tsx";
import { Title } from "../parts/pane.tsx";
import { SearchedList } from "../parts/searched-list.tsx";
import { ResendFailed } from "./resend-failed.tsx";

/** The endpoint of webhooks, and the tools for a receiver. */
const Endpoint = () => (
  <EndpointForm>
    <ResendFailed />
    <ActLink href="#/webhooks/send">Send an example…</ActLink>
    <ActLink href="#/webhooks/doctor">Check a signature…</ActLink>
  </EndpointForm>
);

/** A whole list of the feed, with its search. */
export const ListView = <Name extends ListName>({
  name,
  title,
  hrefOf,
  children,
}: {
  name: Name;
  title: string;
  hrefOf(row: Rows[Name]): string;
  /** Stands above the list. */
  children?: ReactNode;
}) => (
  <>
    <Title>{title}</Title>
    {name === "deliveries" && <Endpoint />}
    {children}
    <SearchedList name={name} title={title} hrefOf={hrefOf as never} />
  </>
);
