import type { WorldRow } from "../contract/control/worlds.ts";
import { inGroups } from "../contract/core/digit-groups.ts";
import type { Column, RowContext } from "../rows/column.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import type { KeyResult } from "./effect.ts";
import type { Action } from "./keys.ts";
import { type Line, textLine } from "./line.ts";
import type { Scene } from "./scene.ts";
import { layoutTable } from "./table.ts";
import { type Sheet, type View, type WorldsSheet, withToast } from "./view.ts";

/** Worlds that are shown at once, if the screen has the lines. */
const MAX_SHOWN = 8;
/** Lines of the screen that stay beside them. */
const OTHER_LINES = 10;

const columnsOf = ({ world }: WatchedWorld): readonly Column<WorldRow>[] => [
  { head: "", cell: ({ name }) => span(name === world ? "✓" : " ", "green") },
  { head: "world", gap: 1, cut: "end", cell: ({ name }) => name },
  {
    head: "records",
    align: "right",
    min: 7,
    cell: ({ records }) => inGroups(records),
  },
  { head: "now", cell: ({ now }) => `${now.slice(0, 10)} ${now.slice(11, 19)}Z` },
  { head: "signs in as", from: 70, cut: "end", cell: ({ clientId }) => clientId },
  {
    head: "",
    from: 90,
    cut: "end",
    cell: ({ from }) => (from === undefined ? "default world" : `fork of ${from}`),
  },
];

const shownCount = ({ size }: Scene) => Math.max(1, Math.min(MAX_SHOWN, size.rows - OTHER_LINES));

/** The question of which world to show, with the worlds there are. */
export const worldsQuestion = (
  { rows, at }: WorldsSheet,
  scene: Scene,
  context: RowContext,
): { title: string; lines: readonly Line[]; keys: string } => {
  if (!rows)
    return {
      title: "Which world?",
      lines: [textLine("reading …", "dim")],
      keys: "esc cancel",
    };
  const count = shownCount(scene);
  const top = Math.max(0, Math.min(at - Math.floor(count / 2), rows.length - count));
  const { head, lines } = layoutTable(
    columnsOf(scene.watched),
    rows.slice(top, top + count),
    context,
  );
  const marked = lines.map(([first, ...rest], index) =>
    top + index === at ? [span("▸ ", "cyan"), ...rest] : [first ?? span(""), ...rest],
  );
  const more = rows.length > count ? ` ${at + 1} of ${rows.length}` : "";
  return {
    title: `Which world?${more}`,
    lines: [head, ...marked],
    keys: "enter show    F fork    X remove    esc cancel",
  };
};

const showing = (view: View, sheet: Sheet | undefined): KeyResult => ({ view: { ...view, sheet } });

/** Asks for the worlds; the sheet shows them once the simulator has answered. */
export const openWorlds = ({ view }: Scene): KeyResult => ({
  view: { ...view, sheet: { kind: "worlds", at: 0 } },
  effect: { do: "worlds" },
});

/** Does something with the chosen world, once the worlds are known. */
const withChosen =
  (act: (scene: Scene, chosen: WorldRow) => KeyResult) =>
  (scene: Scene): KeyResult => {
    const { view } = scene;
    const { sheet } = view;
    const chosen = sheet?.kind === "worlds" ? sheet.rows?.[sheet.at] : undefined;
    return chosen ? act(scene, chosen) : { view };
  };

const move = ({ view }: Scene, by: number): KeyResult => {
  const { sheet } = view;
  if (sheet?.kind !== "worlds" || !sheet.rows) return { view };
  const at = Math.max(0, Math.min(sheet.rows.length - 1, sheet.at + by));
  return showing(view, { ...sheet, at });
};

const show = ({ view, watched }: Scene, { name, isStarting }: WorldRow): KeyResult => {
  const closed = { ...view, sheet: undefined };
  return name === watched.world
    ? { view: closed }
    : { view: closed, effect: { do: "switch", name, isStarting: isStarting === true } };
};

const askFork = ({ view }: Scene, { name }: WorldRow): KeyResult =>
  showing(view, { kind: "fork", from: name, text: "" });

const askRemoval = ({ view, wallMs }: Scene, { name, isStarting }: WorldRow): KeyResult =>
  isStarting
    ? { view: withToast(view, `X: ${name} is the default world, which stays`, wallMs) }
    : showing(view, { kind: "confirm", does: "remove-world", id: name });

/** Actions of keys while the worlds are listed. */
export const CHOOSING: Partial<Record<Action, (scene: Scene) => KeyResult>> = {
  "row-up": (scene) => move(scene, -1),
  "row-down": (scene) => move(scene, 1),
  submit: withChosen(show),
  fork: withChosen(askFork),
  remove: withChosen(askRemoval),
  back: ({ view }) => showing(view, undefined),
};
