import { useSyncExternalStore } from "react";

/** The place behind `#`: a path, and a query of filters. */
const place = () => {
  const [path = "", query = ""] = location.hash.replace(/^#/, "").split("?");
  return { path: path.startsWith("/") ? path : `/${path}`, query };
};

/** The place that is drawn. The address is ahead of it until its event comes. */
let drawn: ReturnType<typeof place> | undefined;

const drawnPlace = () => {
  drawn ??= place();
  return drawn;
};

/** All parts of a page learn of a new place at one moment: one that is drawn early would be drawn twice. */
const subscribe = (listener: () => void) => {
  const onChange = () => {
    drawn = place();
    listener();
  };
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
};

/** Goes to a place; `replace` leaves none in the history of the browser. */
export const go = (to: string, { replace = false }: { replace?: boolean } = {}) => {
  if (!replace) {
    location.hash = to;
    return;
  }
  history.replaceState(history.state, "", `#${to}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
};

/** The path behind `#`, for wouter. */
export const useHashPath = (): [string, typeof go] => [
  useSyncExternalStore(subscribe, () => drawnPlace().path),
  go,
];

/** The query behind `#`, for wouter. */
export const useHashQuery = () => useSyncExternalStore(subscribe, () => drawnPlace().query);

/** One value of the query, and how to change it in the address. */
export const useQueryValue = (name: string): [string, (value: string) => void] => {
  const query = new URLSearchParams(useHashQuery());
  const set = (value: string) => {
    const now = place();
    const next = new URLSearchParams(now.query);
    if (value === "") next.delete(name);
    else next.set(name, value);
    const text = next.toString();
    go(text === "" ? now.path : `${now.path}?${text}`, { replace: true });
  };
  return [query.get(name) ?? "", set];
};

const PLACES: Readonly<Record<string, string>> = {
  Ledger: "ledger",
  Quote: "payments",
  Transaction: "payments",
  AgentAction: "approvals",
  Webhook: "webhooks",
  Customer: "customers",
  InternalAccount: "accounts",
  ExternalAccount: "accounts",
  Card: "cards",
  CardTransaction: "cards",
  Agent: "agents",
};

/** The place of a record or a request, by its id. */
export const placeOf = (id: string): string => {
  if (id.startsWith("req-")) return `/requests/${id}`;
  const kind = id.slice(0, id.indexOf(":"));
  return `/${PLACES[kind] ?? "records"}/${encodeURIComponent(id)}`;
};
