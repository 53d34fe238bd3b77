import { consoleLink, placeOfAny } from "../contract/control/console-link.ts";
import { armedIn } from "../rows/armed-faults.ts";
import { listNamed } from "../rows/lists.ts";
import type { ListName, Rows } from "../rows/world.ts";
import { ANSWERING, faultSheet, typeText } from "./answering.ts";
import type { KeyResult } from "./effect.ts";
import { type Action, actionOf, type Focus } from "./keys.ts";
import { WHOLE_LISTS } from "./own-lines.ts";
import { contextOf, type Scene } from "./scene.ts";
import { OUTCOMES_PATH } from "./spare.ts";
import { chosenRow, type Target, targetOf } from "./target.ts";
import {
  type Detail,
  focusedList,
  idsOf,
  PANES,
  rowsOf,
  type Sheet,
  TABS,
  type View,
  withToast,
} from "./view.ts";
import { cursorAt, windowOf } from "./window.ts";
import { CHOOSING, openWorlds } from "./worlds-sheet.ts";

/** Context of a key beside the scene. */
export interface Pressable extends Scene {
  /** Rows that fit in the focused list, or lines in the detail. */
  height: number;
  /** The first line of a detail that is scrolled to its end. */
  lastTop: number;
}

/** The part of the screen that receives the keys. */
export const focusOf = ({ sheet, detail, isHelp }: View): Focus => {
  if (sheet?.kind === "confirm" || sheet?.kind === "step-back") return "confirm";
  if (sheet?.kind === "worlds") return "worlds";
  if (sheet) return sheet.kind === "fault" ? "form" : "text";
  if (isHelp) return "help";
  return detail ? "detail" : "list";
};

const say = ({ view, wallMs }: Scene, text: string): KeyResult => ({
  view: withToast(view, text, wallMs),
});

const showing = (view: View, sheet: Sheet): KeyResult => ({ view: { ...view, sheet } });

const moveTo = (scene: Pressable, to: (chosen: number, count: number) => number): KeyResult => {
  const { watched, view, height } = scene;
  const list = focusedList(view);
  const ids = idsOf(rowsOf(watched, view, list));
  const from = view.cursors[list];
  const { chosen } = windowOf(ids, from, height);
  const cursor = cursorAt(ids, to(chosen, ids.length), { from, height });
  return { view: { ...view, cursors: { ...view.cursors, [list]: cursor } } };
};

const scroll = ({ view, lastTop }: Pressable, by: number): KeyResult => {
  const { detail } = view;
  if (!detail) return { view };
  const top = Math.max(0, Math.min(lastTop, Math.min(detail.top, lastTop) + by));
  return { view: { ...view, detail: { ...detail, top } } };
};

const move = (scene: Pressable, by: number): KeyResult =>
  scene.view.detail ? scroll(scene, by) : moveTo(scene, (chosen) => chosen + by);

const half = ({ height }: Pressable) => Math.max(1, Math.floor(height / 2));

/** Goes back to the first row, which follows new activity. */
const toFirst = (scene: Pressable): KeyResult => {
  const { view } = scene;
  if (view.detail) return scroll(scene, -view.detail.top);
  const { [focusedList(view)]: _pinned, ...cursors } = view.cursors;
  return { view: { ...view, cursors } };
};

const toPane = (view: View, step: number): KeyResult => {
  const at = (PANES.indexOf(view.pane) + step + PANES.length) % PANES.length;
  return { view: { ...view, pane: PANES[at] ?? "payments" } };
};

const toTab = (view: View, step: number): KeyResult => {
  const at = (TABS.indexOf(view.tab) + step + TABS.length) % TABS.length;
  return { view: { ...view, pane: "more", tab: TABS[at] ?? "requests" } };
};

const opened = (view: View, detail: Detail): KeyResult =>
  WHOLE_LISTS.has(detail.list) && !detail.isWhy
    ? { view: { ...view, detail } }
    : { view: { ...view, detail }, effect: { do: "read", path: detail.path } };

const whyPath = (subject: string) => `/why/${encodeURIComponent(subject)}`;
const recordPath = (subject: string) => `/records/${encodeURIComponent(subject)}`;

/** The record whose story is told: of a quote its payment, which has the timers and webhooks. */
const storied = (list: ListName, row: Rows[ListName], about: string) =>
  list === "payments" ? ((row as Rows["payments"]).transactionId ?? about) : about;

/** A row in full, before it is read: its own facts, or why it is so. */
const detailOf = (
  { list, row }: Target,
  { isWhy, isJson = false }: { isWhy: boolean; isJson?: boolean },
): Detail => {
  const { subject, reads } = listNamed(list);
  const about = subject(row as never);
  const factsPath = reads?.(row as never) ?? recordPath(about);
  const asked = isWhy ? storied(list, row, about) : about;
  const path = isWhy ? whyPath(asked) : factsPath;
  return { list, id: row.id, subject: asked, path, isWhy, isJson, top: 0 };
};

const openRow = (
  { view }: Scene,
  selection: Target,
  how: { isWhy: boolean; isJson?: boolean },
): KeyResult => opened(view, detailOf(selection, how));

/** The row that a tall terminal shows below the panes; the test rules where none is chosen. */
export const previewOf = (scene: Scene): { detail: Detail; row?: object } => {
  const { view } = scene;
  const row = chosenRow(scene);
  const list = focusedList(view);
  if (row) return { detail: detailOf({ list, row }, { isWhy: false }), row };
  const how = { subject: "", isWhy: false, isJson: false, top: 0 };
  return { detail: { list, id: "", path: OUTCOMES_PATH, ...how } };
};

const open = (scene: Scene, how: { isWhy: boolean; isJson?: boolean }): KeyResult => {
  const selection = targetOf(scene);
  if (selection) return openRow(scene, selection, how);
  const { detail } = scene.view;
  if (!detail) return say(scene, "no row to open here");
  const { subject } = detail;
  const path = how.isWhy ? whyPath(subject) : recordPath(subject);
  return opened(scene.view, { ...unlisted(detail), path, isJson: false, ...how });
};

/** A record that no list has, such as one that the screen was started with, before it is read. */
const unlisted = ({ list, id, subject }: Detail) => ({ list, id, subject, top: 0 });

const json = (scene: Scene): KeyResult => {
  const { view } = scene;
  if (view.detail)
    return { view: { ...view, detail: { ...view.detail, isJson: !view.detail.isJson, top: 0 } } };
  return open(scene, { isWhy: false, isJson: true });
};

/** Opens the row above or below the open one, and puts the cursor there. */
const openNeighbor = (scene: Pressable, step: number): KeyResult => {
  const { watched, view, height } = scene;
  const { detail } = view;
  if (!detail) return { view };
  const { list, id, isWhy, isJson } = detail;
  const rows = rowsOf(watched, view, list);
  const ids = idsOf(rows);
  const at = ids.indexOf(id) + step;
  const row = ids.includes(id) ? rows[at] : undefined;
  if (!row) return say(scene, step < 0 ? "this is the first row" : "this is the last row");
  const cursor = cursorAt(ids, at, { from: view.cursors[list], height });
  const moved = { ...view, cursors: { ...view.cursors, [list]: cursor } };
  return openRow({ ...scene, view: moved }, { list, row }, { isWhy, isJson });
};

/** Goes one level back: from a detail, then from a filter. */
const back = ({ view }: Scene): KeyResult => {
  if (view.detail) return { view: { ...view, detail: undefined } };
  const { [focusedList(view)]: _cleared, ...filters } = view.filters;
  return { view: { ...view, filters } };
};

const ask = (scene: Scene, does: "approve" | "reject"): KeyResult => {
  const selection = targetOf(scene);
  const letter = does === "approve" ? "A" : "X";
  if (selection?.list !== "approvals")
    return say(scene, `${letter} ${does}s the chosen action: choose one in pane 2`);
  const { id, status } = selection.row as Rows["approvals"];
  if (status !== "PENDING_APPROVAL") return say(scene, `${letter}: it is ${status} already`);
  return showing(
    scene.view,
    does === "approve" ? { kind: "confirm", does, id } : { kind: "reason", id, text: "" },
  );
};

const askResend = (scene: Scene): KeyResult => {
  const selection = targetOf(scene);
  if (selection?.list !== "deliveries")
    return say(scene, "R resends the chosen webhook: choose one in pane 3");
  if (scene.watched.webhookEndpoint === undefined)
    return say(scene, "R: no endpoint yet, E sets one");
  return showing(scene.view, { kind: "confirm", does: "resend", id: selection.row.id });
};

const askTest = (scene: Scene): KeyResult =>
  scene.watched.webhookEndpoint === undefined
    ? say(scene, "T: no endpoint yet, E sets one")
    : showing(scene.view, { kind: "confirm", does: "send-test", id: "" });

const askEndpoint = ({ view, watched: { webhookEndpoint = "" } }: Scene): KeyResult =>
  showing(view, {
    kind: "endpoint",
    text: webhookEndpoint,
    before: webhookEndpoint,
    isFresh: webhookEndpoint !== "",
  });

/** Asks which call to fail: the one under the cursor, if it is a request. */
const askFault = (scene: Scene): KeyResult => {
  const selection = targetOf(scene);
  const row = selection?.list === "requests" ? (selection.row as Rows["requests"]) : undefined;
  return showing(scene.view, faultSheet(row?.operation));
};

const askTakeBack = (scene: Scene): KeyResult =>
  armedIn(scene.watched, contextOf(scene).nowMs).length === 0
    ? say(scene, "U: no fault is active, F adds one")
    : showing(scene.view, { kind: "confirm", does: "take-back", id: "" });

/** The record to copy, with its command and its page of the console, if any. */
const copied = (scene: Scene) => {
  const selection = targetOf(scene);
  const { detail } = scene.view;
  if (!selection)
    return detail && { about: detail.subject, command: `service-sim why ${detail.subject}` };
  const { list, row } = selection;
  const { subject, command } = listNamed(list);
  return {
    about: subject(row as never),
    command: detail?.isWhy ? `service-sim why ${detail.subject}` : command(row as never),
    ...(list === "mails" && { place: "/inbox" }),
  };
};

/** Copies an id, the command that shows it, or its address in the console of the simulator. */
const copy = (scene: Scene, what: "id" | "command" | "link"): KeyResult => {
  const found = copied(scene);
  if (!found) return say(scene, "nothing to copy here");
  const { about, command, place = placeOfAny(about) } = found;
  const { asked } = scene.watched;
  const texts = {
    id: () => about,
    command: () => (asked === undefined ? command : `${command} --world ${asked}`),
    link: () => consoleLink(scene.url, place, asked),
  };
  return { view: scene.view, effect: { do: "copy", text: texts[what]() } };
};

const leave = ({ view }: Scene): KeyResult =>
  view.ownsSimulator && !(view.sheet?.kind === "confirm" && view.sheet.does === "stop")
    ? showing(view, { kind: "confirm", does: "stop", id: "" })
    : { view, effect: { do: "leave" } };

const toggleClock = (scene: Scene): KeyResult => {
  const { clock } = scene.watched;
  if (!clock) return say(scene, "z: the clock is not known yet");
  return {
    view: scene.view,
    effect: { do: "clock", mode: clock.mode === "real" ? "manual" : "real" },
  };
};

const LOOKING: Partial<Record<Action, (scene: Pressable) => KeyResult>> = {
  "row-up": (scene) => move(scene, -1),
  "row-down": (scene) => move(scene, 1),
  "half-up": (scene) => move(scene, -half(scene)),
  "half-down": (scene) => move(scene, half(scene)),
  first: toFirst,
  newest: toFirst,
  last: (scene) =>
    scene.view.detail ? scroll(scene, scene.lastTop) : moveTo(scene, (_, count) => count - 1),
  "pane-next": ({ view }) => toPane(view, 1),
  "pane-before": ({ view }) => toPane(view, -1),
  "pane-1": ({ view }) => ({ view: { ...view, pane: "payments" } }),
  "pane-2": ({ view }) => ({ view: { ...view, pane: "approvals" } }),
  "pane-3": ({ view }) => ({ view: { ...view, pane: "deliveries" } }),
  "pane-4": ({ view }) => ({ view: { ...view, pane: "more" } }),
  "tab-before": ({ view }) => toTab(view, -1),
  "tab-next": ({ view }) => toTab(view, 1),
  "record-before": (scene) => openNeighbor(scene, -1),
  "record-after": (scene) => openNeighbor(scene, 1),
  open: (scene) => open(scene, { isWhy: false }),
  why: (scene) => open(scene, { isWhy: true }),
  json,
  back,
  advance: ({ view }) => showing(view, { kind: "advance", text: "", earlierAt: -1 }),
  "next-timer": ({ view }) => ({
    view,
    effect: { do: "advance", body: { next: true }, called: "next" },
  }),
  clock: toggleClock,
  "step-back": ({ view }) => ({
    view: { ...view, sheet: { kind: "step-back" } },
    effect: { do: "undoable" },
  }),
  filter: ({ view }) => {
    const before = view.filters[focusedList(view)] ?? "";
    return showing(view, { kind: "filter", text: before, before });
  },
  "copy-id": (scene) => copy(scene, "id"),
  "copy-command": (scene) => copy(scene, "command"),
  "copy-link": (scene) => copy(scene, "link"),
  "make-payout": ({ view }) => showing(view, { kind: "confirm", does: "make-payout", id: "" }),
  approve: (scene) => ask(scene, "approve"),
  reject: (scene) => ask(scene, "reject"),
  resend: askResend,
  "send-test": askTest,
  endpoint: askEndpoint,
  "fail-next": askFault,
  "take-back": askTakeBack,
  worlds: openWorlds,
  retry: ({ view }) => ({ view, effect: { do: "retry" } }),
  help: ({ view }) => ({ view: { ...view, isHelp: true } }),
  leave,
  lines: ({ view }) => ({ view, effect: { do: "lines" } }),
};

const ACTS: Partial<Record<Focus, typeof LOOKING>> = {
  text: ANSWERING,
  form: ANSWERING,
  confirm: ANSWERING,
  worlds: CHOOSING,
};

/** Whether input is typed text rather than the name of a key. */
const isText = (key: string) => [...key].length === 1;

/**
 * Handles a key.
 * @param key a character, or the name of a key like `up` or `ctrl-c`
 */
export const press = (scene: Pressable, key: string): KeyResult => {
  const { view } = scene;
  const focus = focusOf(view);
  const action = actionOf(focus, key);
  if (focus === "help" && action !== "leave") return { view: { ...view, isHelp: false } };
  const isTyping = focus === "text" || focus === "form";
  if (isTyping && action === undefined) return isText(key) ? typeText(view, key) : { view };
  if (action === undefined) return { view };
  const acts = ACTS[focus] ?? LOOKING;
  return acts[action]?.(scene) ?? (action === "leave" ? leave(scene) : { view });
};

/** Handles text pasted into a typed line. */
export const paste = ({ view }: Scene, text: string): KeyResult =>
  typeText(view, text.replace(/[\r\n]+/g, " "));
