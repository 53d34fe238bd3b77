import type { ListName, WatchedWorld } from "../rows/world.ts";
import { listOfPane, PANES, type PaneName, rowsOf, TABS, type View } from "./view.ts";

export interface Size {
  columns: number;
  rows: number;
}

/** Number of lines and columns for each part of the screen. */
export type Form = "stack" | "single" | "tiny";

export const formOf = ({ columns, rows }: Size): Form => {
  if (columns < 60 || rows < 15) return "tiny";
  return columns < 70 || rows < 20 ? "single" : "stack";
};

/** A pane on the screen. */
export interface Section {
  pane: PaneName;
  list: ListName;
  hasHead: boolean;
  /** Lines above the rows, such as the balances of the ledger. */
  leadCount: number;
  /** Lines for rows. */
  height: number;
  /** Another list of pane 4, shown because there is room. */
  isExtra?: true;
}

/** Balances and totals stand above the postings. */
export const leadCountOf = (list: ListName) => (list === "postings" ? 2 : 0);

const HEADS_FROM_ROWS = 30;

/** Rows of another list of pane 4, so that several lists are shown. */
const MOST_EXTRA = 12;

/** Distributes the remaining lines among panes that need them, the focused one first. */
const share = (wants: readonly number[], room: number, focused: number): number[] => {
  const heights = wants.map(() => 1);
  let rest = room - heights.length;
  const grow = (at: number, most: number) => {
    const more = Math.max(0, Math.min((wants[at] ?? 1) - (heights[at] ?? 1), rest, most));
    heights[at] = (heights[at] ?? 1) + more;
    rest -= more;
  };
  grow(focused, Math.ceil(rest * 0.6));
  for (let isGrowing = true; isGrowing && rest > 0; ) {
    const before = rest;
    for (const at of wants.keys()) if (at !== focused) grow(at, 1);
    isGrowing = rest < before;
  }
  grow(focused, rest);
  return heights;
};

/** Other lists of pane 4 in the room that is left, the next one first: each gets all its rows, or what is left. */
const extrasOf = (
  watched: WatchedWorld,
  view: View,
  { hasHead, room }: { hasHead: boolean; room: number },
) => {
  const at = TABS.indexOf(view.tab);
  const others = [...TABS.slice(at + 1), ...TABS.slice(0, at)];
  let rest = room;
  return others.flatMap((list): Section[] => {
    const leadCount = leadCountOf(list);
    const around = 1 + (hasHead ? 1 : 0) + leadCount;
    const height = Math.min(rowsOf(watched, view, list).length, rest - around, MOST_EXTRA);
    if (height < 1) return [];
    rest -= around + height;
    return [{ pane: "more", list, hasHead, leadCount, height, isExtra: true }];
  });
};

/**
 * Panes on the screen, and the number of rows of each.
 * @param room lines between the header and the keys
 * @param reserved lines of it that other lists of pane 4 leave free, where nobody needs them
 */
export const sectionsOf = (
  watched: WatchedWorld,
  view: View,
  { size, room, reserved = 0 }: { size: Size; room: number; reserved?: number },
): Section[] => {
  const hasHead = size.rows >= HEADS_FROM_ROWS;
  const sectionOf = (pane: PaneName) => {
    const list = listOfPane(pane, view);
    return { pane, list, hasHead, leadCount: leadCountOf(list) };
  };
  if (formOf(size) !== "stack") {
    const section = sectionOf(view.pane);
    // The line that explains the chosen row stands below the rows.
    const height = Math.max(1, room - 1 - 1 - section.leadCount);
    return [{ ...section, hasHead: false, height }];
  }
  const sections = PANES.map(sectionOf).map((section) => ({
    ...section,
    hasHead: hasHead && rowsOf(watched, view, section.list).length > 0,
  }));
  const fixed = sections.reduce((sum, one) => sum + 1 + (one.hasHead ? 1 : 0) + one.leadCount, 0);
  const wants = sections.map(({ list }) => Math.max(1, rowsOf(watched, view, list).length));
  const heights = share(wants, room - fixed, PANES.indexOf(view.pane));
  const shown = sections.map((section, at) => ({ ...section, height: heights[at] ?? 1 }));
  const spare = room - fixed - heights.reduce((sum, height) => sum + height, 0);
  return [...shown, ...extrasOf(watched, view, { hasHead, room: spare - reserved })];
};
