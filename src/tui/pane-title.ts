import type { DeliveryRow } from "../contract/control/feed-rows.ts";
import { inGroups } from "../contract/core/digit-groups.ts";
import { isWaiting } from "../rows/approvals.ts";
import type { RowContext } from "../rows/column.ts";
import { LISTS } from "../rows/lists.ts";
import { span } from "../rows/span.ts";
import { countIn, countMatching, type ListName, type WatchedWorld } from "../rows/world.ts";
import { safeLine } from "../text/safe-text.ts";
import { widthOf } from "../text/text-width.ts";
import type { Section } from "./layout.ts";
import { fitLine, type Line, lineWidth } from "./line.ts";
import { quietRule } from "./rule.ts";
import type { Scene } from "./scene.ts";
import {
  filterOf,
  idsOf,
  PANES,
  type PaneName,
  rowsOf,
  TABS,
  type TabName,
  type View,
} from "./view.ts";
import { windowOf } from "./window.ts";

const PANE_WORDS: Readonly<Record<PaneName, string>> = {
  payments: "Payments",
  approvals: "Approvals",
  deliveries: "Webhooks",
  more: "More",
};

const TAB_WORDS: Readonly<Record<TabName, string>> = {
  requests: "Requests",
  timers: "Timers",
  mails: "Inbox",
  postings: "Ledger",
  customers: "Customers",
  cards: "Cards",
};

const countOf = (watched: WatchedWorld, list: ListName) => inGroups(countIn(watched, list));

const OPEN = new Set(["PENDING", "PROCESSING"]);

const openPayments = (watched: WatchedWorld) =>
  countMatching(watched, "payments", ({ status }) => OPEN.has(status)).text;

const DELIVERY_WORDS: Partial<Record<DeliveryRow["state"], string>> = {
  ACCEPTED: "accepted",
  RETRYING: "retrying",
  WAITING: "retrying",
  HELD: "retrying",
  GIVEN_UP: "given up",
};

const deliveriesOf = (watched: WatchedWorld, word: string) =>
  countMatching(
    watched,
    "deliveries",
    ({ state }) => (DELIVERY_WORDS[state] ?? "not sent") === word,
  );

/** Below this width zero counts and the scheme of a URL are left out. */
const ROOMY = 110;

const deliveriesText = (watched: WatchedWorld, width: number) =>
  ["accepted", "retrying", "given up", "not sent"]
    .map((word) => ({ word, ...deliveriesOf(watched, word) }))
    .filter(
      ({ word, count }) =>
        count > 0 || word === "accepted" || (width >= ROOMY && word !== "not sent"),
    )
    .map(({ word, text }) => `${text} ${word}`)
    .join(", ");

const summaryOf = (watched: WatchedWorld, pane: PaneName, width: number): string => {
  const { lists } = watched;
  if (pane === "payments")
    return lists.payments.length === 0
      ? "0"
      : `${countOf(watched, "payments")}, ${openPayments(watched)} open`;
  if (pane === "approvals") {
    const { count, text } = countMatching(watched, "approvals", isWaiting);
    const all = lists.approvals.length;
    if (count === 0) return all === 0 ? "0" : `${countOf(watched, "approvals")} decided`;
    return `${text} ${count === 1 ? "waits" : "wait"} for you`;
  }
  return lists.deliveries.length === 0 ? "0" : deliveriesText(watched, width);
};

const tabTexts = (watched: WatchedWorld, view: View, isCounted: boolean) =>
  TABS.map((tab) => {
    const hasCount = tab !== "postings" && (isCounted || tab === view.tab);
    const word = `${TAB_WORDS[tab]}${hasCount ? ` ${countOf(watched, tab)}` : ""}`;
    return tab === view.tab ? `[${word}]` : word;
  }).join("  ");

/** Cells of a title around the names of its tabs: the rule, its number and a space. */
const AROUND_TABS = 7;
/** Cells of the rule in front of a summary. */
const AROUND_SUMMARY = 4;

/** The tabs, all with their counts where these fit beside the summary. */
const tabsText = (watched: WatchedWorld, view: View, room: number) => {
  const counted = tabTexts(watched, view, true);
  return counted.length + AROUND_TABS <= room ? counted : tabTexts(watched, view, false);
};

const filterText = (watched: WatchedWorld, view: View, list: ListName) => {
  const filter = filterOf(view, list);
  if (filter === "") return undefined;
  const shownCount = rowsOf(watched, view, list).length;
  // The filter looks at the rows that are here.
  return `/${safeLine(filter)} ${shownCount} of ${inGroups(watched.lists[list].length)}`;
};

const rightText = ({ watched, view, size }: Scene, { pane, list, height }: Section) => {
  const ids = idsOf(rowsOf(watched, view, list));
  const { newCount } = windowOf(ids, view.cursors[list], height);
  if (newCount > 0) return `↑ ${inGroups(newCount)} new`;
  if (pane === "deliveries") {
    const { webhookEndpoint = "no endpoint" } = watched;
    return size.columns >= ROOMY ? webhookEndpoint : webhookEndpoint.replace(/^https?:\/\//, "");
  }
  return list === "approvals" ? "waiting first" : LISTS[list].order;
};

/**
 * Title of a pane: `━━ 1 Payments ━━ 5, 2 open ━━━ newest first ━━`. A heavy rule marks the focus.
 */
export const paneTitle = (
  scene: Scene,
  section: Section,
  { width, ellipsis }: RowContext,
): Line => {
  const { watched, view } = scene;
  const { pane, list } = section;
  const isFocused = pane === view.pane;
  const rule = isFocused ? "━" : "─";
  const look = isFocused ? "bold" : "dim";
  const number = PANES.indexOf(pane) + 1;
  const summary =
    filterText(watched, view, list) ??
    (pane === "more" ? undefined : summaryOf(watched, pane, width));
  const room = width - (summary === undefined ? 0 : widthOf(summary) + AROUND_SUMMARY);
  const name = pane === "more" ? tabsText(watched, view, room) : PANE_WORDS[pane];
  const left: Line = [
    span(`${rule}${rule} `, look),
    span(`${number} ${name}`, isFocused ? "bold" : undefined),
    ...(summary === undefined ? [] : [span(` ${rule}${rule} `, look), span(summary)]),
    span(" "),
  ];
  const right = ` ${safeLine(rightText(scene, section))} ${rule}${rule}`;
  const gap = width - lineWidth(left) - widthOf(right);
  if (gap < 1)
    return fitLine(
      [...left, span(rule.repeat(Math.max(0, width - lineWidth(left))), look)],
      width,
      ellipsis,
    );
  return [...left, span(rule.repeat(gap), look), span(right, "dim")];
};

/** Title of another list of pane 4, shown without focus: `── Timers 2 ─── next first ──`. */
export const extraTitle = (
  { watched, view }: Scene,
  { list }: Section,
  { width, ellipsis }: RowContext,
): Line => {
  const filter = filterText(watched, view, list);
  const count = list === "postings" ? "" : ` ${countOf(watched, list)}`;
  const title = `${listWord(list)}${count}${filter === undefined ? "" : `  ${filter}`}`;
  return fitLine(quietRule(title, LISTS[list].order, width), width, ellipsis);
};

const badgeOf = (watched: WatchedWorld, pane: PaneName) => {
  if (pane === "payments") return ` ${countOf(watched, "payments")}`;
  if (pane === "approvals") {
    const { count, text } = countMatching(watched, "approvals", isWaiting);
    return count === 0 ? " 0" : ` ${text}!`;
  }
  const [givenUp, retrying] = [
    deliveriesOf(watched, "given up"),
    deliveriesOf(watched, "retrying"),
  ];
  return givenUp.count > 0 ? ` ${givenUp.text}✗` : retrying.count > 0 ? ` ${retrying.text}~` : "";
};

/** All panes in one line, for screens that show one at a time. */
export const tabsTitle = (scene: Scene, { width, ellipsis }: RowContext): Line => {
  const { watched, view } = scene;
  const filter = filterText(watched, view, view.pane === "more" ? view.tab : view.pane);
  const spans = PANES.map((pane, at) => {
    const isFocused = pane === view.pane;
    const word = pane === "more" && isFocused ? TAB_WORDS[view.tab] : PANE_WORDS[pane];
    const badge = pane === "more" ? "" : badgeOf(watched, pane);
    const text = `${at + 1} ${word}${badge}`;
    const gap = at === 0 ? "" : "  ";
    return isFocused ? span(`${gap}━━ ${text} ━━`, "bold") : span(`${gap}${text}`);
  });
  const left: Line = filter === undefined ? spans : [...spans, span(`  ${filter}`)];
  const gap = width - lineWidth(left) - 1;
  return fitLine(
    gap > 0 ? [...left, span(" "), span("━".repeat(gap), "dim")] : left,
    width,
    ellipsis,
  );
};

/** The name of a list above one of its rows. */
export const listWord = (list: ListName) =>
  list === "payments" || list === "approvals" || list === "deliveries"
    ? PANE_WORDS[list]
    : TAB_WORDS[list];
