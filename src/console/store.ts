import type { ReadEvent } from "../client/event-reader.ts";
import { FED_LISTS } from "../contract/control/row-lists.ts";
import { FeedLink, type LinkListener } from "../rows/feed-link.ts";
import { type News, newsIn, type ReceivedRun } from "../rows/news.ts";
import { takeEvents } from "../rows/take-events.ts";
import { initialWorld, isCut, type Link, type WatchedWorld } from "../rows/world.ts";
import type { Control } from "./control.ts";

/** A hidden tab gives its connection back after this long: a browser opens six to one host. */
const HIDDEN_MS = 30_000;

/**
 * Longest wait of an event under steady load, real milliseconds: drawing takes most of the time.
 */
const BUSY_GATHER_MS = 450;

/** The first drawing has the first rows alone; the rest is read this much later, real milliseconds. */
const REST_MS = 1_000;

/** The watched world, which every view reads: told again after each batch of events. */
export class Store {
  private watched: WatchedWorld;
  private readonly control: Control;
  private readonly listeners = new Set<() => void>();
  private link: FeedLink | undefined;
  /** Id of the last event before the connection was given back. */
  private leftAfter: string | undefined;
  private hiding: ReturnType<typeof setTimeout> | undefined;
  private filling: ReturnType<typeof setTimeout> | undefined;
  /** Rises with every batch that changed the world. */
  private changes = 0;
  private run: ReceivedRun | undefined;
  private lastNews: News | undefined;
  /** Set when a token is wanted, or the world is gone. */
  private refused: string | undefined;

  constructor(control: Control, world?: string) {
    this.control = control;
    this.watched = initialWorld(Date.now(), world);
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly world = () => this.watched;
  readonly changeCount = () => this.changes;
  readonly refusal = () => this.refused;
  readonly news = () => this.lastNews;

  /** True once the simulator has told its world, has refused, or is lost. */
  readonly hasAnswer = () =>
    this.watched.clock !== undefined ||
    this.refused !== undefined ||
    this.watched.link.state === "lost";

  /** Ends the notice of the last news. */
  forgetNews() {
    this.lastNews = undefined;
    this.tell();
  }

  /** Follows the feed until `close`. */
  open() {
    document.addEventListener("visibilitychange", this.onVisibility);
    this.follow({ first: true });
  }

  close() {
    document.removeEventListener("visibilitychange", this.onVisibility);
    clearTimeout(this.hiding);
    this.leave();
  }

  /** Tries to connect now. */
  retry() {
    if (this.refused !== undefined) this.setRefused(undefined);
    if (this.link) this.link.retry();
    else this.follow();
  }

  private leave() {
    clearTimeout(this.filling);
    this.filling = undefined;
    this.link?.close();
    this.link = undefined;
  }

  /** @param options.first begins with the first rows, and follows all of them a moment later */
  private follow({ first = false } = {}) {
    const listener: LinkListener = {
      received: (events) => {
        this.received(events);
        if (first) this.fillLater();
      },
      linked: (link) => this.linked(link),
      worldGone: () => this.setRefused("WORLD_NOT_FOUND"),
      refused: (code) => this.setRefused(code),
    };
    const options = { busyGatherMs: BUSY_GATHER_MS, after: this.leftAfter, first };
    this.link = new FeedLink(this.control, listener, options);
    void this.link.run();
  }

  private fillLater() {
    if (this.filling !== undefined || !FED_LISTS.some((name) => isCut(this.watched, name))) return;
    this.filling = setTimeout(() => {
      this.leave();
      this.follow();
    }, REST_MS);
  }

  private readonly onVisibility = () => {
    clearTimeout(this.hiding);
    if (!document.hidden) {
      if (!this.link) this.follow();
      return;
    }
    this.hiding = setTimeout(() => {
      this.leftAfter = this.link?.receivedId;
      this.leave();
      // What is known is old when the tab comes back, until the simulator has told the rest.
      this.linked({ state: "connecting" });
    }, HIDDEN_MS);
  };

  private received(events: readonly ReadEvent[]) {
    this.refused = undefined;
    this.changes += 1;
    this.read(events);
    this.watched = takeEvents(this.watched, events, Date.now());
    this.tell();
  }

  private read(events: readonly ReadEvent[]) {
    const { control, run, lastNews } = this;
    const received = { run, news: lastNews, ownOpenings: control.ownOpenings };
    const wasLost = this.watched.link.state !== "live";
    const now = newsIn(received, events, { wasLost, receivedMs: Date.now() });
    control.ownOpenings = now.ownOpenings;
    this.run = now.run;
    this.lastNews = now.news;
  }

  private linked(link: Partial<Link> & Pick<Link, "state">) {
    const { link: before } = this.watched;
    const sinceMs = before.state === link.state ? before.sinceMs : Date.now();
    this.watched = { ...this.watched, link: { ...before, ...link, sinceMs } };
    this.tell();
  }

  private setRefused(code: string | undefined) {
    this.refused = code;
    this.tell();
  }

  private tell() {
    for (const listener of this.listeners) listener();
  }
}
