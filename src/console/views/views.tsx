import type { ComponentType } from "react";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { isWaiting } from "../../rows/approvals.ts";
import { countIn, countMatching, type ListName, type WatchedWorld } from "../../rows/world.ts";
import { Home } from "./home.tsx";

/** The place that a view is drawn for. */
export interface ViewPlace {
  /** Path of its row in the table, such as `/customers`. */
  of: string;
  /** Rest of the place behind the path; empty without one. */
  id: string;
}

type Shown = ComponentType<ViewPlace>;

/** A count beside the name of a view. */
export interface Badge {
  text: string;
  /** Urgency: a person, time, or a failure. */
  mark?: "asks" | "waits" | "failed";
}

/** A view of the console: everything that the page has to know of it. */
export type View = {
  /** Place behind `#`; one that ends in `/:id` takes the rest of the place. */
  path: string;
  /** Name of the view: in the sidebar, in *Go to*, and in the browser's history. */
  says: string;
  /** Part of the sidebar; a view without one is reached from others. */
  group?: keyof typeof GROUPS;
  /** Command that shows the same: after the program's name, or a whole line of curl. */
  command: string | ((id: string) => string);
  /** True when the view is the same in all worlds. */
  isOfAllWorlds?: boolean;
  /** A count beside its name, and what that asks for. */
  badge?(watched: WatchedWorld): Badge | undefined;
} & (
  | { view: Shown }
  /** Loads a view that nobody opens first. */
  | { load(): Promise<Shown> }
);

/** Parts of the sidebar, with their titles. */
export const GROUPS = {
  daily: "",
  records: "records",
  sandbox: "sandbox",
  learn: "learn",
} as const;

const SIGNS = { failed: "✗", asks: "!", waits: "~" } as const;

const marked = (mark: keyof typeof SIGNS, { count, text }: ReturnType<typeof countMatching>) =>
  count === 0 ? undefined : { text: `${text} ${SIGNS[mark]}`, mark };

const countOf =
  (name: ListName) =>
  (watched: WatchedWorld): Badge | undefined => {
    const count = countIn(watched, name);
    return count === 0 ? undefined : { text: inGroups(count) };
  };

const why = (id: string) => `why ${id}`;

const records = async () => (await import("./records.tsx")).RecordsView;
const record = async () => (await import("./record.tsx")).RecordView;
const approvals = async () => {
  const { Approvals } = await import("./approvals.tsx");
  return ({ id }: ViewPlace) => <Approvals id={id === "" ? undefined : id} />;
};
const reference = async () => {
  const { Reference } = await import("./reference.tsx");
  return ({ id }: ViewPlace) => <Reference rest={id} />;
};

const docs = (topic: string) => `docs ${topic}`;
const guides = async () => (await import("./guides.tsx")).Topics;
const page = (view: string) => async () => {
  const { DocPage } = await import("./guides.tsx");
  return ({ id }: ViewPlace) => <DocPage key={`${view}/${id}`} view={view} name={id} />;
};

const DAILY: readonly View[] = [
  { path: "/", says: "Home", group: "daily", command: "tui", view: Home },
  {
    path: "/payments",
    says: "Payments",
    group: "daily",
    command: "api listTransactions",
    badge: countOf("payments"),
    load: async () => (await import("./lists.tsx")).Payments,
  },
  {
    path: "/payments/:id",
    says: "Payment",
    command: why,
    load: async () => (await import("./payment.tsx")).Payment,
  },
  {
    path: "/approvals",
    says: "Approvals",
    group: "daily",
    command: "approvals",
    badge: (watched) => marked("asks", countMatching(watched, "approvals", isWaiting)),
    load: approvals,
  },
  { path: "/approvals/:id", says: "Approval", command: why, load: approvals },
  {
    path: "/webhooks",
    says: "Webhooks",
    group: "daily",
    command: "webhooks",
    badge: (watched) => {
      const of = (...states: readonly string[]) =>
        countMatching(watched, "deliveries", ({ state }) => states.includes(state));
      return (
        marked("failed", of("GIVEN_UP")) ??
        marked("waits", of("WAITING", "HELD", "RETRYING")) ??
        countOf("deliveries")(watched)
      );
    },
    load: async () => (await import("./lists.tsx")).Webhooks,
  },
  {
    path: "/webhooks/doctor",
    says: "Check a signature",
    command: "webhooks doctor",
    load: async () => (await import("./webhook-tools.tsx")).Doctor,
  },
  {
    path: "/webhooks/send",
    says: "Send a webhook",
    command: "webhooks trigger",
    load: async () => (await import("./webhook-tools.tsx")).Send,
  },
  {
    path: "/webhooks/:id",
    says: "Webhook",
    command: (id) => `webhooks show ${id}`,
    load: async () => (await import("./webhook.tsx")).WebhookView,
  },
  {
    path: "/requests",
    says: "Requests",
    group: "daily",
    command: "requests",
    badge: countOf("requests"),
    load: async () => (await import("./lists.tsx")).Requests,
  },
  {
    path: "/requests/:id",
    says: "Request",
    command: (id) => `requests ${id}`,
    load: async () => (await import("./request.tsx")).RequestView,
  },
  {
    path: "/inbox",
    says: "Inbox",
    group: "daily",
    command: "inbox",
    badge: countOf("mails"),
    load: async () => (await import("./inbox.tsx")).Inbox,
  },
];

/** Lists of records, each with the view of one of them. */
const RECORDS: readonly View[] = (
  [
    ["/customers", "Customers", "Customer", "api listCustomers"],
    ["/accounts", "Accounts", "Account", "api listCustomerInternalAccounts"],
    ["/wallets", "Wallets", "Wallet", "api listCustomerInternalAccounts type==EMBEDDED_WALLET"],
    ["/cards", "Cards", "Card", "api listCards"],
    ["/agents", "Agents", "Agent", "api listAgents"],
  ] as const
).flatMap(([path, says, one, command]) => [
  { path, says, group: "records" as const, command, load: records },
  { path: `${path}/:id`, says: one, command: why, load: record },
]);

const LEDGER: readonly View[] = [
  {
    path: "/ledger",
    says: "Ledger",
    group: "records",
    command: "curl -s {origin}/_sim/ledger",
    load: async () => (await import("./lists.tsx")).Ledger,
  },
  {
    path: "/ledger/:id",
    says: "Ledger account",
    command: why,
    load: async () => (await import("./ledger-account.tsx")).LedgerAccount,
  },
  {
    path: "/timers",
    says: "Timers",
    group: "records",
    command: "timers",
    badge: countOf("timers"),
    load: async () => (await import("./lists.tsx")).Timers,
  },
  { path: "/records/:id", says: "Record", command: why, load: record },
  {
    path: "/why/:id",
    says: "Record",
    command: why,
    load: async () => (await import("./why.tsx")).Why,
  },
];

const SANDBOX: readonly View[] = [
  {
    path: "/worlds",
    says: "Worlds",
    group: "sandbox",
    command: "worlds",
    isOfAllWorlds: true,
    load: async () => (await import("./worlds.tsx")).Worlds,
  },
  {
    path: "/snapshots",
    says: "Snapshots",
    group: "sandbox",
    command: "snapshot list",
    load: async () => (await import("./snapshots.tsx")).Snapshots,
  },
  {
    path: "/diff",
    says: "Diff",
    command: "diff",
    load: async () => (await import("./diff.tsx")).Diff,
  },
  {
    path: "/faults",
    says: "Faults",
    group: "sandbox",
    command: "faults",
    badge: ({ faults }) => (faults.length === 0 ? undefined : { text: String(faults.length) }),
    load: async () => (await import("./faults.tsx")).Faults,
  },
  {
    path: "/outcomes",
    says: "Outcomes",
    group: "sandbox",
    command: "outcomes",
    isOfAllWorlds: true,
    load: async () => (await import("./outcomes.tsx")).Outcomes,
  },
  {
    path: "/lifecycles",
    says: "Lifecycles",
    group: "sandbox",
    command: "lifecycles",
    isOfAllWorlds: true,
    load: async () => (await import("./lifecycles.tsx")).Lifecycles,
  },
  {
    path: "/coverage",
    says: "Coverage",
    group: "sandbox",
    command: "coverage",
    load: async () => (await import("./coverage.tsx")).Coverage,
  },
];

const LEARN: readonly View[] = [
  {
    path: "/reference",
    says: "Reference",
    group: "learn",
    command: "docs",
    isOfAllWorlds: true,
    load: reference,
  },
  {
    path: "/reference/:id",
    says: "Reference",
    command: (id) => (/^\w+$/.test(id) ? `docs ${id}` : "docs"),
    isOfAllWorlds: true,
    load: reference,
  },
  {
    path: "/guides",
    says: "Guides",
    group: "learn",
    command: "docs",
    isOfAllWorlds: true,
    load: guides,
  },
  { path: "/guides/:id", says: "Guide", command: docs, isOfAllWorlds: true, load: page("guides") },
  {
    path: "/spec/:id",
    says: "Specification",
    command: (id) => docs(`spec/${id}`),
    isOfAllWorlds: true,
    load: page("spec"),
  },
  {
    path: "/decisions/:id",
    says: "Decision",
    command: (id) => docs(`decisions/${id}`),
    isOfAllWorlds: true,
    load: page("decisions"),
  },
];

/** All views of the console, those of the sidebar in its order. */
export const ALL_VIEWS = [...DAILY, ...RECORDS, ...LEDGER, ...SANDBOX, ...LEARN];

/** Views of the sidebar. */
export const VIEWS = ALL_VIEWS.filter(({ group }) => group !== undefined);

/** The view of a place, and what stands behind its path; undefined where there is none. */
export const viewAt = (place: string): { view: View; id: string } | undefined => {
  const whole = ALL_VIEWS.find(({ path }) => path === place);
  if (whole) return { view: whole, id: "" };
  const [, first = "", ...rest] = place.split("/");
  const view = ALL_VIEWS.find(({ path }) => path === `/${first}/:id`);
  const id = decodeURIComponent(rest.join("/"));
  return view && id !== "" ? { view, id } : undefined;
};
