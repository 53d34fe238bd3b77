import type { PlantedBug } from "./planted-bugs.ts";

/** Bugs of the rows that watchers keep, that a snapshot event has, and that are read page by page. */
export const ROW_BUGS: readonly PlantedBug[] = [
  {
    name: "a watcher keeps a timer that has fired",
    foundBy: 1,
    file: "control/feed/feed-rows.ts",
    search: '["Timer", "Mail", "Quote", "Delivery", "Fault"]',
    replace: '["Mail", "Quote", "Delivery", "Fault"]',
  },
  {
    name: "an old row that changes comes first in what a watcher keeps",
    foundBy: 6,
    file: "rows/take-events.ts",
    search: "merged.splice(placeIn(merged, row, order), 0, row);",
    replace: "merged.splice(0, 0, row);",
  },
  {
    name: "a page of rows ends one row early",
    foundBy: 1,
    file: "control/feed/rows.ts",
    search: "(found ?? keys).slice(start, start + limit);",
    replace: "(found ?? keys).slice(start, start + limit).slice(0, -1);",
  },
  {
    name: "a snapshot event has no payment that is over",
    foundBy: 4,
    file: "control/feed/row-sources.ts",
    search: ".flatMap((key) => row(world, key) ?? []);",
    replace:
      ".flatMap((key) => row(world, key) ?? []).filter((one) => (one as { settledAt?: string }).settledAt === undefined);",
  },
  {
    name: "the first rows of a list are taken for all of them",
    foundBy: 1,
    file: "control/feed/feed-rows.ts",
    search: "first: () => allRows(sources, FIRST_ROWS),",
    replace: "first: () => ({ ...allRows(sources, FIRST_ROWS), counts: undefined }),",
  },
  {
    name: "a watcher is not told that a world was read again after a failed write",
    foundBy: 230013464,
    file: "runtime/feed.ts",
    search: "if (this.isReloaded) this.haveAllStartOver(",
    replace: "if (this.isReloaded && this.count < 0) this.haveAllStartOver(",
  },
];
