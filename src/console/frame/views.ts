import { MAX_ROWS } from "../../contract/control/feed-rows.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import type { WatchedWorld } from "../../rows/world.ts";

/** A view of the sidebar. */
export interface ViewRow {
  path: string;
  says: string;
  /** A count beside it, and what that asks for. */
  count?(watched: WatchedWorld): { text: string; mark?: "asks" | "waits" | "failed" } | undefined;
}

const open = (count: number, mark: "asks" | "waits") =>
  count === 0 ? undefined : { text: `${count} ${mark === "asks" ? "!" : "~"}`, mark };

/** Webhooks that reached nobody: a person has to resend them. */
const givenUp = (count: number) =>
  count === 0 ? undefined : { text: `${count} ✗`, mark: "failed" as const };

/** The store keeps the newest of each list: a full one has more. */
const plain = (count: number) => {
  if (count === 0) return undefined;
  return { text: count < MAX_ROWS ? String(count) : `${inGroups(MAX_ROWS)}+` };
};

/** Views by group, in the order of the sidebar. */
export const VIEW_GROUPS: readonly { title?: string; views: readonly ViewRow[] }[] = [
  {
    views: [
      { path: "/", says: "Home" },
      { path: "/payments", says: "Payments", count: ({ lists }) => plain(lists.payments.length) },
      {
        path: "/approvals",
        says: "Approvals",
        count: ({ lists }) =>
          open(
            lists.approvals.filter(({ status }) => status === "PENDING_APPROVAL").length,
            "asks",
          ),
      },
      {
        path: "/webhooks",
        says: "Webhooks",
        count: ({ lists }) =>
          givenUp(lists.deliveries.filter(({ state }) => state === "GIVEN_UP").length) ??
          open(
            lists.deliveries.filter(({ state }) => ["WAITING", "HELD", "RETRYING"].includes(state))
              .length,
            "waits",
          ) ??
          plain(lists.deliveries.length),
      },
      { path: "/requests", says: "Requests", count: ({ lists }) => plain(lists.requests.length) },
      { path: "/inbox", says: "Inbox", count: ({ lists }) => plain(lists.mails.length) },
    ],
  },
  {
    title: "records",
    views: [
      { path: "/customers", says: "Customers" },
      { path: "/accounts", says: "Accounts" },
      { path: "/wallets", says: "Wallets" },
      { path: "/cards", says: "Cards" },
      { path: "/agents", says: "Agents" },
      { path: "/ledger", says: "Ledger" },
      { path: "/timers", says: "Timers", count: ({ lists }) => plain(lists.timers.length) },
    ],
  },
  {
    title: "sandbox",
    views: [
      { path: "/worlds", says: "Worlds" },
      { path: "/snapshots", says: "Snapshots" },
      { path: "/faults", says: "Faults", count: ({ faults }) => plain(faults.length) },
      { path: "/outcomes", says: "Outcomes" },
      { path: "/lifecycles", says: "Lifecycles" },
      { path: "/coverage", says: "Coverage" },
    ],
  },
  {
    title: "learn",
    views: [
      { path: "/reference", says: "Reference" },
      { path: "/guides", says: "Guides" },
    ],
  },
];

/** All views in one row. */
export const VIEWS = VIEW_GROUPS.flatMap(({ views }) => views);
