import { expect, test } from "vitest";
import { HELP } from "../../src/tui/help.ts";
import { ACTIONS, actionOf, type Focus, KEYS } from "../../src/tui/keys.ts";
import { press } from "../../src/tui/press.ts";
import { firstView, type View } from "../../src/tui/view.ts";
import { everyRow } from "../setup/every-row.ts";
import { ACTION, sceneOf, WORLDS } from "./setup/scenes.ts";

const FOCUSES: readonly Focus[] = ["list", "detail", "help", "text", "form", "confirm", "worlds"];

test.each(FOCUSES)("no key means two things in %s", (focus) => {
  const keys = KEYS.filter((row) => row.focus.includes(focus)).flatMap((row) => row.keys);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test("every action has a key, and every row of the table an action", () => {
  const acted = new Set(KEYS.map(({ does }) => does));
  expect(ACTIONS.filter((action) => !acted.has(action))).toEqual([]);
});

test("the help names every key that looks or acts, once", () => {
  const named = HELP.flatMap(({ does }) => does);
  const looking = KEYS.filter(({ focus }) => focus.includes("list") || focus.includes("detail"));
  expect(named.toSorted()).toEqual([...new Set(looking.map(({ does }) => does))].sort());
});

const VIEWS: Record<Focus, Partial<View>> = {
  list: {},
  detail: {
    detail: {
      list: "approvals",
      id: ACTION,
      subject: ACTION,
      path: "/why/1",
      isWhy: true,
      isJson: false,
      body: { lines: ["a", "b"] },
      top: 1,
    },
  },
  help: { isHelp: true },
  text: { sheet: { kind: "advance", text: "6", earlierAt: -1 }, advances: ["1m"] },
  form: {
    sheet: { kind: "fault", field: "call", call: "any", how: "503", sought: "", isFresh: true },
  },
  confirm: { sheet: { kind: "confirm", does: "approve", id: ACTION } },
  worlds: { sheet: { kind: "worlds", rows: WORLDS, at: 1 } },
};

const places = FOCUSES.flatMap((focus) =>
  KEYS.filter((row) => row.focus.includes(focus)).flatMap(({ keys, does }) =>
    keys.map((key) => ({ focus, key, does })),
  ),
);

/** A world in which a key has something to do, when it has nothing in the first one. */
const PREPARED: Partial<Record<string, Partial<View>>> = {
  "list pane-1": { pane: "more" },
  "list row-up": { cursors: { payments: { id: "x", anchor: 3, index: 3, first: "y" } } },
  "list first": { cursors: { payments: { id: "x", anchor: 3, index: 3, first: "y" } } },
  "list newest": { cursors: { payments: { id: "x", anchor: 3, index: 3, first: "y" } } },
  "list half-up": { cursors: { payments: { id: "x", anchor: 3, index: 3, first: "y" } } },
  "list back": { filters: { payments: "x" } },
  "text later": { sheet: { kind: "advance", text: "6", earlierAt: 0 } },
};

test("every key does something in every place that has it", () =>
  everyRow(places, ({ focus, key, does }) => {
    expect(actionOf(focus, key)).toBe(does);
    const prepared = PREPARED[`${focus} ${does}`] ?? {};
    const view = { ...firstView(), ...VIEWS[focus], ...prepared };
    const { view: after, effect } = press(
      { ...sceneOf(80, 24), view, height: 10, lastTop: 2 },
      key,
    );
    expect(effect !== undefined || JSON.stringify(after) !== JSON.stringify(view)).toBe(true);
  }));

test.each(["A", "X", "R", "T", "E", "F", "U"])(
  "%s changes nothing before it is confirmed",
  (key) => {
    for (const pane of ["payments", "approvals", "deliveries", "more"] as const) {
      const pressed = press(
        { ...sceneOf(80, 24, { view: { pane } }), height: 10, lastTop: 2 },
        key,
      );
      expect(pressed.effect).toBeUndefined();
      expect(pressed.view.sheet ?? pressed.view.toast).toBeDefined();
    }
  },
);
