import { ControlClient } from "../client/control-client.ts";
import type { ReadEvent } from "../client/event-reader.ts";
import type { WorldRow } from "../contract/control/worlds.ts";
import { defined } from "../contract/core/defined.ts";
import { FeedLink, type LinkListener } from "../rows/feed-link.ts";
import { takeEvents } from "../rows/take-events.ts";
import { initialWorld, type Link, type WatchedWorld } from "../rows/world.ts";
import { strikeText } from "./armed-faults.ts";
import type { StoryLines } from "./detail.ts";
import type { Effect, KeyResult } from "./effect.ts";
import { hasPreview, pageOf, paintFrame } from "./frame.ts";
import type { Size } from "./layout.ts";
import { formOf } from "./layout.ts";
import type { Paint } from "./line.ts";
import { NewsListener } from "./news-notice.ts";
import { WHOLE_LISTS } from "./own-lines.ts";
import { type Outcome, perform, type SheetOutcome } from "./perform.ts";
import { focusOf, paste, press, previewOf } from "./press.ts";
import type { Scene } from "./scene.ts";
import { OUTCOMES_PATH } from "./spare.ts";
import { firstView, type StepBackSheet, type View, withToast } from "./view.ts";

/** Reason for leaving the screen: to end, or to read lines on the normal screen. */
export type Leaving = "leave" | "lines";

export interface SessionOptions {
  client: ControlClient;
  size: Size;
  paint: Paint;
  story: StoryLines;
  /** Leaving stops the simulator, so it asks first. */
  ownsSimulator?: boolean;
  /** The record to open with its story at the start. */
  opens?: string | undefined;
  /** Replaces how long events are batched under steady load, real milliseconds. */
  busyGatherMs?: number;
  /** Copies a text to the terminal's clipboard. */
  copy(text: string): void;
  leave(how: Leaving): void;
}

/** Keys that arrived together with others, by their character. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\t": "tab",
  "\u001b": "escape",
  "\u007f": "backspace",
  "\u0003": "ctrl-c",
  "\u0015": "ctrl-u",
};

/** One control character that is no newline, or a run of everything else. */
const TYPED_PIECES = /[^\P{Cc}\r\n]|[\P{Cc}\r\n]+/gu;

/** A frame younger than this needs no repaint for the clock alone, real milliseconds. */
const FRESH_MS = 900;

const sameLines = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, at) => line === b[at]);

const storyOf = (id: string): NonNullable<View["detail"]> => ({
  list: "payments",
  id,
  subject: id,
  path: `/why/${encodeURIComponent(id)}`,
  isWhy: true,
  isJson: false,
  top: 0,
});

/** The view of the newest payments: no detail, no filter, the cursor on the first row. */
const atNewest = (view: View): View => {
  const { payments: _cursor, ...cursors } = view.cursors;
  const { payments: _filter, ...filters } = view.filters;
  return { ...view, pane: "payments", detail: undefined, cursors, filters };
};

/** One viewer: what it knows of the world, its view, and the frame they make. */
export class Session implements LinkListener {
  private readonly options: SessionOptions;
  private client: ControlClient;
  private link: FeedLink;
  private isClosed = false;
  private readonly listeners = new Set<() => void>();
  private news = new NewsListener();
  private watched: WatchedWorld;
  private view: View;
  private size: Size;
  private isStale = true;
  private painted: readonly string[] = [];
  private frames = 0;
  private changedMs = 0;
  /** The row that the preview shows, as it was read. */
  private previewed: object | undefined;
  /** Reads of the open detail that were asked for since the one under way began, which counts. */
  private detailReads = 0;
  private isReading = false;

  constructor(options: SessionOptions) {
    this.options = options;
    this.client = options.client;
    this.watched = initialWorld(Date.now(), options.client.at.world);
    this.size = options.size;
    this.view = firstView(options.ownsSimulator);
    this.link = new FeedLink(options.client, this, options);
    if (options.opens !== undefined) {
      this.view = { ...this.view, detail: storyOf(options.opens) };
      void this.do({ do: "read", path: storyOf(options.opens).path });
    }
  }

  /** Follows the feed, of whichever world is shown, until it is closed. */
  async run() {
    while (!this.isClosed) await this.link.run();
  }

  /** The simulator and the world that is shown. */
  get at() {
    return this.client.at;
  }

  close() {
    this.isClosed = true;
    this.link.close();
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The lines of the screen; the same value while nothing has changed. */
  readonly frame = (): readonly string[] => {
    if (!this.isStale) return this.painted;
    this.isStale = false;
    const lines = paintFrame(this.scene(), this.options.paint);
    if (sameLines(lines, this.painted)) return this.painted;
    this.painted = lines;
    this.frames += 1;
    return lines;
  };

  /** Number of the present frame: Ink draws again when it changes. */
  get frameNumber() {
    return this.frames;
  }

  /** Handles a key, by its character or its name. */
  key(key: string) {
    const scene = this.scene();
    if (this.isNoticeSeen()) this.view = { ...this.view, notice: undefined };
    this.take(press({ ...scene, ...pageOf(scene), view: this.view }, key));
    void this.preview();
  }

  /** True where a key closes the notice: not one of a text, nor on a screen without room for it. */
  private isNoticeSeen() {
    const focus = focusOf(this.view);
    return focus !== "text" && focus !== "form" && formOf(this.size) !== "tiny";
  }

  /**
   * Reads the chosen row where it is shown in full: after a key, and once a second when the row has
   * changed. One read at a time.
   */
  private async preview() {
    if (this.isReading || this.watched.link.state !== "live") return;
    const scene = this.scene();
    const { detail, row } = previewOf(scene);
    const { preview } = this.view;
    if (preview?.path === detail.path && this.previewed === row) return;
    if (!hasPreview(scene)) return;
    this.isReading = true;
    this.previewed = row;
    const { client } = this;
    const isWhole = WHOLE_LISTS.has(detail.list) && detail.path !== OUTCOMES_PATH;
    const read = isWhole ? undefined : await perform(client, { do: "read", path: detail.path });
    this.isReading = false;
    if (client !== this.client) return;
    const answer = read && "path" in read ? { body: read.body, failure: read.failure } : {};
    this.view = { ...this.view, preview: { ...detail, ...defined(answer) } };
    this.changed();
  }

  /** Handles several characters at once: text pasted into a line, or keys that came together. */
  text(text: string) {
    const focus = focusOf(this.view);
    if (focus === "text" || focus === "form") this.typed(text);
    else for (const key of text) this.key(KEY_NAMES[key] ?? key);
  }

  /** Line ends of a pasted text are not keys, since they would send it; other characters without a key go. */
  private typed(text: string) {
    for (const piece of text.match(TYPED_PIECES) ?? []) {
      const key = KEY_NAMES[piece];
      if (/^[\r\n]|^\P{Cc}/u.test(piece)) this.take(paste(this.scene(), piece));
      else if (key !== undefined) this.key(key);
    }
  }

  resize(size: Size) {
    this.size = size;
    this.changed();
  }

  /** Handles a second of the system clock. */
  tick() {
    const wallMs = Date.now();
    void this.preview();
    const { link } = this.watched;
    const { toast } = this.view;
    if (toast && toast.untilMs <= wallMs) this.view = { ...this.view, toast: undefined };
    else if (link.state === "live" && this.needsNoTick(wallMs)) return;
    this.changed();
  }

  /** Tells if no repaint is due for the clock: it stands, or a frame has just been made. */
  private needsNoTick(wallMs: number) {
    const { clock } = this.watched;
    return (clock && clock.mode !== "real") || wallMs - this.changedMs < FRESH_MS;
  }

  received(events: readonly ReadEvent[]) {
    const struck = strikeText(this.watched, events);
    const before = this.openRow();
    const { notice } = this.view;
    const news = this.news.read(notice, events, this.watched.link.state !== "live");
    if (news !== notice) this.view = { ...this.view, notice: news };
    this.watched = takeEvents(this.watched, events, Date.now());
    this.readAgain(events, before);
    if (struck === undefined) this.changed();
    else this.say(struck);
  }

  /** Reads the open detail again where it may have changed: rows of long ago are not listed. */
  private readAgain(events: readonly ReadEvent[], before: object | undefined) {
    const { detail } = this.view;
    if (!detail || (WHOLE_LISTS.has(detail.list) && !detail.isWhy)) return;
    const row = this.openRow();
    const isChanged =
      row === undefined ? events.some(({ event }) => event === "rows") : row !== before;
    if (isChanged || events.some(({ event }) => event === "hello")) void this.readDetail();
  }

  /** One read at a time, and one more where something changed meanwhile: no answer overtakes another. */
  private async readDetail() {
    this.detailReads += 1;
    if (this.detailReads > 1) return;
    for (let left = 1; left > 0 && this.view.detail; left = Math.min(1, this.detailReads - 1)) {
      this.detailReads = 1;
      await this.do({ do: "read", path: this.view.detail.path });
    }
    this.detailReads = 0;
  }

  /** The row that is open in full; another object once it has changed. */
  private openRow() {
    const { detail } = this.view;
    if (!detail) return undefined;
    const rows: readonly { id: string }[] = this.watched.lists[detail.list];
    return rows.find(({ id }) => id === detail.id);
  }

  linked({ state, nextTryMs }: Partial<Link> & Pick<Link, "state">) {
    const { link } = this.watched;
    const sinceMs = link.state === state ? link.sinceMs : Date.now();
    this.watched = {
      ...this.watched,
      link: { state, sinceMs, missed: link.missed, ...defined({ nextTryMs }) },
    };
    this.changed();
  }

  /** Leaves a world that is gone for the default one. */
  worldGone() {
    const { world } = this.client.at;
    if (world === undefined) return;
    this.switchTo(undefined, `world ${world} was removed; showing the default world`);
  }

  /** Shows another world, from its present state on. */
  private switchTo(world: string | undefined, says: string) {
    const { world: _before, ...at } = this.client.at;
    const { pane, tab, advances, ownsSimulator } = this.view;
    const { link } = this;
    this.client = new ControlClient({ ...at, ...defined({ world }) });
    this.watched = initialWorld(Date.now(), world);
    this.view = { ...firstView(ownsSimulator), pane, tab, advances };
    this.link = new FeedLink(this.client, this, this.options);
    this.news = new NewsListener();
    link.close();
    this.say(says);
  }

  private scene(): Scene {
    const { watched, view, size } = this;
    const { paint, story } = this.options;
    const { client } = this;
    return {
      watched,
      view,
      size,
      wallMs: Date.now(),
      url: client.url,
      ascii: paint.ascii,
      story,
    };
  }

  private take({ view, effect }: KeyResult) {
    this.view = view;
    this.changed();
    if (effect) void this.do(effect);
  }

  private async do(effect: Effect) {
    const { client } = this;
    const { copy, leave } = this.options;
    if (effect.do === "leave" || effect.do === "lines") return leave(effect.do);
    if (effect.do === "switch")
      return this.switchTo(
        effect.isStarting ? undefined : effect.name,
        `showing world ${effect.name}`,
      );
    if (effect.do === "retry") return this.link.retry();
    if (effect.do === "copy") {
      copy(effect.text);
      return this.say(`copied  ${effect.text}`);
    }
    const { news } = this;
    if (effect.do === "step-back") news.expectOpening(1);
    const outcome = await perform(client, effect);
    if (effect.do === "step-back" && outcome && "isRefused" in outcome && outcome.isRefused)
      news.expectOpening(-1);
    if (outcome) this.takeOutcome(outcome);
  }

  private takeOutcome(outcome: Outcome) {
    if ("sheet" in outcome) return this.takeAnswer(outcome);
    if ("worlds" in outcome) return this.takeWorlds(outcome.worlds);
    if ("undone" in outcome) return this.takeUndone(outcome.undone);
    if ("says" in outcome) {
      const { sheet } = this.view;
      if (sheet?.kind === "step-back" || sheet?.kind === "worlds")
        this.view = { ...this.view, sheet: undefined };
      if (outcome.payment !== undefined) this.view = atNewest(this.view);
      return this.say(outcome.says);
    }
    const { path, body, failure } = outcome;
    const { detail } = this.view;
    if (detail?.path !== path) return;
    const { failure: _before, ...rest } = detail;
    this.view = { ...this.view, detail: { ...rest, body, ...defined({ failure }) } };
    this.changed();
  }

  /** Shows what a step back would undo, if it is still asked for. */
  private takeUndone(undone: NonNullable<StepBackSheet["undone"]>) {
    if (this.view.sheet?.kind !== "step-back") return;
    this.view = { ...this.view, sheet: { kind: "step-back", undone } };
    this.changed();
  }

  /** Lists the worlds, the present one chosen, if they are still asked for. */
  private takeWorlds(rows: readonly WorldRow[]) {
    if (this.view.sheet?.kind !== "worlds") return;
    const at = Math.max(
      0,
      rows.findIndex(({ name }) => name === this.watched.world),
    );
    this.view = { ...this.view, sheet: { kind: "worlds", rows, at } };
    this.changed();
  }

  /** Closes the sheet that asked, or shows in it why it was refused. */
  private takeAnswer({ sheet: kind, says, isRefused, made }: SheetOutcome) {
    const { sheet } = this.view;
    const isOpen = sheet?.kind === kind && sheet.isSent;
    if (isOpen && isRefused) {
      this.view = { ...this.view, sheet: { ...sheet, isSent: false, failure: says } };
      return this.changed();
    }
    if (isOpen && made !== undefined) return this.switchTo(made, says);
    if (isOpen) this.view = { ...this.view, sheet: undefined };
    this.say(says);
  }

  private say(text: string) {
    this.view = withToast(this.view, text, Date.now());
    this.changed();
  }

  private changed() {
    this.isStale = true;
    this.changedMs = Date.now();
    for (const listener of this.listeners) listener();
  }
}
