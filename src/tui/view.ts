import type { WorldRow } from "../contract/control/worlds.ts";
import { queueOf } from "../rows/approvals.ts";
import { matches, termsOf } from "../rows/filter.ts";
import { listNamed } from "../rows/lists.ts";
import type { News } from "../rows/news.ts";
import type { ListName, Rows, WatchedWorld } from "../rows/world.ts";
import type { Cursor } from "./window.ts";

export const PANES = ["payments", "approvals", "deliveries", "more"] as const;
export type PaneName = (typeof PANES)[number];

export const TABS = ["requests", "timers", "mails", "postings", "customers", "cards"] as const;
export type TabName = (typeof TABS)[number];

/** The state of a sheet whose answer the simulator may refuse. */
interface Refusable {
  /** Whether the simulator has been asked and has not answered yet. */
  isSent?: boolean | undefined;
  /** Reason it was refused; typing removes it. */
  failure?: string | undefined;
}

interface EndpointSheet extends Refusable {
  kind: "endpoint";
  text: string;
  before: string;
  /** Whether the text is prefilled: typing replaces it. */
  isFresh: boolean;
}

interface FaultSheet extends Refusable {
  kind: "fault";
  field: "call" | "how";
  call: string;
  how: string;
  /** Typed text, which narrows the choices. */
  sought: string;
  isFresh: boolean;
}

/** A sheet that covers the last lines and takes the keys. */
export type Sheet =
  | { kind: "advance"; text: string; earlierAt: number; failure?: string | undefined }
  | { kind: "filter"; text: string; before: string }
  | { kind: "reason"; id: string; text: string }
  | EndpointSheet
  | FaultSheet
  | {
      kind: "confirm";
      does:
        | "make-payout"
        | "approve"
        | "resend"
        | "send-test"
        | "stop"
        | "take-back"
        | "remove-world";
      id: string;
    }
  | StepBackSheet
  | WorldsSheet
  | ForkSheet;

/** The question before a step back; it can be answered once it is known what would be undone. */
export interface StepBackSheet {
  kind: "step-back";
  undone?: { before: string; lines: readonly string[] };
}

/** The worlds of the simulator, one of them chosen; read when the sheet is opened. */
export interface WorldsSheet {
  kind: "worlds";
  rows?: readonly WorldRow[];
  at: number;
}

/** The name of a world to be made. */
export interface ForkSheet extends Refusable {
  kind: "fork";
  /** Name of the world that it begins as. */
  from: string;
  text: string;
}

/** One row in full, read once when it is opened. */
export interface Detail {
  list: ListName;
  /** The row, and the record it is about. */
  id: string;
  subject: string;
  path: string;
  /** Whether it shows the story of the subject. */
  isWhy: boolean;
  isJson: boolean;
  /** The reply; absent while it is on its way. */
  body?: unknown;
  failure?: string;
  top: number;
}

/** The state of the screen, apart from the world. */
export interface View {
  pane: PaneName;
  tab: TabName;
  cursors: { readonly [Name in ListName]?: Cursor };
  filters: { readonly [Name in ListName]?: string };
  sheet?: Sheet | undefined;
  detail?: Detail | undefined;
  /** The chosen row in full, where a tall terminal has room for it. */
  preview?: Detail | undefined;
  isHelp: boolean;
  toast?: { text: string; untilMs: number } | undefined;
  /** News of the world, until a key is pressed. */
  notice?: News | undefined;
  /** Earlier advances, the newest first. */
  advances: readonly string[];
  /** Whether the simulator is part of this process, so that leaving stops it. */
  ownsSimulator: boolean;
}

export const firstView = (ownsSimulator = false): View => ({
  pane: "payments",
  tab: "requests",
  cursors: {},
  filters: {},
  isHelp: false,
  advances: [],
  ownsSimulator,
});

/** The list of a pane. */
export const listOfPane = (pane: PaneName, { tab }: Pick<View, "tab">): ListName =>
  pane === "more" ? tab : pane;

export const focusedList = (view: View) => listOfPane(view.pane, view);

/** The filter of a list, typed or applied. */
export const filterOf = (view: View, name: ListName) =>
  view.sheet?.kind === "filter" && focusedList(view) === name
    ? view.sheet.text
    : (view.filters[name] ?? "");

/** The rows of a list that match its filter. */
export const rowsOf = (
  watched: WatchedWorld,
  view: View,
  name: ListName,
): readonly Rows[ListName][] => {
  const rows: readonly Rows[ListName][] =
    name === "approvals" ? queueOf(watched.lists.approvals) : watched.lists[name];
  const terms = termsOf(filterOf(view, name));
  if (terms.length === 0) return rows;
  const { fields } = listNamed(name);
  return rows.filter((row) => matches(terms, fields(row as never)));
};

const knownIds = new WeakMap<object, readonly string[]>();

/** The ids of rows, computed once for each list. */
export const idsOf = (rows: readonly Rows[ListName][]): readonly string[] => {
  const known = knownIds.get(rows) ?? rows.map(({ id }) => id);
  knownIds.set(rows, known);
  return known;
};

/** Time that a toast is shown, real milliseconds. */
const TOAST_MS = 4000;

export const withToast = (view: View, text: string, wallMs: number): View => ({
  ...view,
  toast: { text, untilMs: wallMs + TOAST_MS },
});
