import type { WatchedWorld as Watched } from "../../../src/rows/world.ts";
import type { FeedItem, Subscription } from "../../../src/runtime/feed-subscription.ts";
import { turn } from "../../runtime/setup/turns.ts";
import { must } from "./breach.ts";
import type { Call, Parsed } from "./call.ts";
import type { History } from "./history.ts";
import { GREETED_ROWS, type Product } from "./product.ts";
import type { WatchedWorld } from "./simulated-process.ts";

const WALL_MS = 0;

/** Lists of a watcher that `GET /_sim/rows` has too. */
const LISTS = [
  ...["payments", "approvals", "deliveries", "requests", "timers"],
  ...["mails", "postings", "customers", "cards"],
] as const;

/** Members that count something else: changes of the world, and calls before they are answered. */
const UNTOLD = new Set(["version", "seen", "struck"]);

const plain = (rows: unknown) =>
  JSON.stringify(rows, (key, value) => (UNTOLD.has(key) ? undefined : value), 1);

const linesOf = (rows: unknown) => plain(rows).split("\n");

const differenceOf = (one: unknown, other: unknown) => {
  const [lines, others] = [linesOf(one), linesOf(other)];
  const at = lines.findIndex((line, place) => line !== others[place]);
  if (at < 0 && lines.length === others.length) return undefined;
  const from = Math.max(0, at - 6);
  const part = (all: string[]) =>
    all
      .slice(from, from + 12)
      .join(" ")
      .replace(/\s+/g, " ");
  return `${part(lines)}  where it should be  ${part(others)}`;
};

const shownIn = ({ lists, counts, totals, held, webhookEndpoint, faults }: Watched) => ({
  ...lists,
  counts: Object.entries(counts).sort(),
  totals,
  held,
  webhookEndpoint,
  faults,
});

/** A watcher of one world: the rows that it keeps are those that a new watcher is greeted with. */
class WatchedRows {
  private readonly product: Product;
  private readonly world: WatchedWorld;
  private kept: Watched;
  private hasFailed: Error | undefined;
  private subscription: Subscription | undefined;
  private hasLeft = false;

  constructor(product: Product, world: WatchedWorld) {
    this.product = product;
    this.world = world;
    this.kept = product.initialWorld(WALL_MS);
    void this.follow().catch((error) => {
      this.hasFailed = error;
    });
  }

  private taken(before: Watched, { event, data }: FeedItem) {
    const read = JSON.parse(JSON.stringify({ event, data }));
    return this.product.takeEvents(before, [read], WALL_MS);
  }

  /** Reads the feed, and once more from its start where it had too much to tell. */
  private async follow() {
    for (let count = 1; count > 0 && !this.hasLeft; ) {
      count = 0;
      const subscription = this.world.feed.subscribe({ rows: true });
      this.subscription = subscription;
      for (let item = await subscription.next(); item; item = await subscription.next()) {
        count += 1;
        this.kept = this.taken(this.kept, item);
      }
    }
  }

  leave() {
    this.hasLeft = true;
    this.subscription?.cancel();
  }

  private async greeted({ first = false } = {}) {
    const subscription = this.world.feed.subscribe({ rows: true, first });
    const hello = await subscription.next();
    subscription.cancel();
    return hello && this.taken(this.product.initialWorld(WALL_MS), hello);
  }

  /** Compares what it keeps with a snapshot event, where everything so far is on the disk. */
  async check() {
    const { engine, name } = this.world;
    if (engine.stopped || engine.journal.durableSeq() < engine.state.seq) return;
    const [greeted, few] = await Promise.all([this.greeted(), this.greeted({ first: true })]);
    // The feed has told what has just become durable.
    await turn();
    if (this.hasFailed) throw this.hasFailed;
    if (!greeted || !few) return;
    const [kept, wanted] = [shownIn(this.kept), shownIn(greeted)];
    for (const [list, rows] of Object.entries(wanted)) {
      const difference = differenceOf(kept[list as keyof typeof kept], rows);
      must(difference === undefined, () => `a watcher of ${name} keeps ${list}: ${difference}`);
    }
    const firsts = LISTS.map((list) => [list, greeted.lists[list].slice(0, GREETED_ROWS.first)]);
    const begun = { ...greeted, lists: Object.fromEntries(firsts) };
    const difference = differenceOf(shownIn(few), shownIn(begun));
    must(difference === undefined, () => `the first rows of ${name} have ${difference}`);
  }

  /** Compares the first pages of each list with a snapshot event. */
  async checkPages(ask: (call: Call) => Promise<Parsed>) {
    for (const list of LISTS) {
      const rows: unknown[] = [];
      let cursor = "";
      for (let pages = 0; pages < 5; pages += 1) {
        const page = await ask({
          surface: "control",
          world: this.world.name,
          operation: "rows",
          method: "GET",
          path: `/rows?list=${list}&limit=3${cursor}`,
          expects: [200],
        });
        if (page === undefined) return;
        rows.push(...page.data);
        if (!page.hasMore) break;
        cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
      }
      const wanted = (await this.greeted())?.lists[list] ?? [];
      const difference = differenceOf(rows.slice(0, wanted.length), wanted);
      must(difference === undefined, () => `the pages of ${list} have ${difference}`);
    }
  }
}

const watchers = new WeakMap<WatchedWorld, WatchedRows>();

/** Lets the watchers of all worlds go: a world that is watched stays in memory. */
export const leaveRows = (history: History) => {
  for (const name of history.tracked.keys()) {
    const world = history.process?.world(name);
    if (!world) continue;
    watchers.get(world)?.leave();
    watchers.delete(world);
  }
};

/** Compares the rows that watchers of all worlds keep with those of a snapshot event, and of pages. */
export const checkRows = async (history: History, { byPages = false } = {}) => {
  for (const name of history.tracked.keys()) {
    const world = history.disk.isKilled ? undefined : history.process?.world(name);
    // A world whose files cannot be read is not watched.
    if (!world?.engine.state.world) continue;
    const watcher = watchers.get(world) ?? new WatchedRows(history.product, world);
    watchers.set(world, watcher);
    await watcher.check();
    if (byPages) await watcher.checkPages((call) => history.ask(call));
  }
};
