import { describe, expect, test } from "vitest";
import { paste, press } from "../../src/tui/press.ts";
import type { View } from "../../src/tui/view.ts";
import { ACTION, QUOTE, ROWS, sceneOf, WEBHOOK, watchedWith } from "./setup/scenes.ts";

/** Presses keys one after the other and collects their requests. */
const pressAll = (
  keys: readonly string[],
  start: Partial<View> = {},
  watched = watchedWith(ROWS),
) => {
  const effects: unknown[] = [];
  let { view } = sceneOf(80, 24, { view: start });
  for (const key of keys) {
    const pressed = press({ ...sceneOf(80, 24, { watched, view }), height: 5 }, key);
    view = pressed.view;
    if (pressed.effect) effects.push(pressed.effect);
  }
  return { view, effects };
};

const type = (text: string) => [...text];

describe("approvals", () => {
  test("A asks, enter approves", () => {
    const { view, effects } = pressAll(["2", "A", "enter"]);
    expect(effects).toEqual([{ do: "approve", id: ACTION }]);
    expect(view.sheet).toBeUndefined();
  });

  test("A, then X: the reason is asked for and sent", () => {
    const { effects } = pressAll(["2", "A", "X", ...type("not this one"), "backspace", "enter"]);
    expect(effects).toEqual([{ do: "reject", id: ACTION, reason: "not this on" }]);
  });

  test("escape leaves it waiting", () => {
    expect(pressAll(["2", "A", "escape", "X", "escape"]).effects).toEqual([]);
  });

  test("one that is decided is not decided again", () => {
    const decided = ROWS.approvals.map((row) => ({ ...row, status: "APPROVED" as const }));
    const { view } = pressAll(["2", "A"], {}, watchedWith({ ...ROWS, approvals: decided }));
    expect(view.sheet).toBeUndefined();
    expect(view.toast?.text).toBe("A: it is APPROVED already");
  });

  test("elsewhere a capital says what it needs", () => {
    expect(pressAll(["A"]).view.toast?.text).toBe(
      "A: approve needs an action that waits under ▸ (2 goes there)",
    );
    expect(pressAll(["R"]).view.toast?.text).toBe(
      "R: resend needs a webhook under ▸ (3 goes there)",
    );
  });
});

describe("webhooks", () => {
  test("R sends the chosen one again when it is confirmed", () => {
    const { effects } = pressAll(["3", "down", "R", "enter"]);
    expect(effects).toEqual([{ do: "resend", id: WEBHOOK }]);
  });

  test("without an endpoint R says so", () => {
    const { webhookEndpoint: _none, ...rows } = ROWS;
    expect(pressAll(["3", "R"], {}, watchedWith(rows)).view.toast?.text).toBe(
      "R: no endpoint yet: set one with PATCH /config",
    );
  });
});

describe("the clock", () => {
  test.each([
    { typed: "6m", body: { by: "6m" } },
    { typed: "1h30m", body: { by: "1h30m" } },
    { typed: "next", body: { next: true } },
    { typed: "2026-01-06T00:00:00Z", body: { to: "2026-01-06T00:00:00Z" } },
    { typed: "9f3c2e=COMPLETED", body: { until: { id: "9f3c2e", status: "COMPLETED" } } },
  ])("a, $typed, enter advances", ({ typed, body }) => {
    const { effects } = pressAll(["a", ...type(typed), "enter"]);
    expect(effects).toEqual([{ do: "advance", body, called: typed }]);
  });

  test("what is no goal is not sent, and the line stays", () => {
    const { view, effects } = pressAll(["a", ...type("6x"), "enter"]);
    expect(effects).toEqual([]);
    expect(view.sheet).toMatchObject({ kind: "advance", text: "6x" });
  });

  test("tab goes through the suggestions, up through what was sent before", () => {
    expect(pressAll(["a", "tab", "tab", "tab"]).view.sheet).toMatchObject({ text: "6m" });
    const again = pressAll([
      "a",
      ...type("2m"),
      "enter",
      "a",
      ...type("3m"),
      "enter",
      "a",
      "up",
      "up",
    ]);
    expect(again.view.sheet).toMatchObject({ text: "2m" });
  });

  test("n goes to the next timer; z freezes a running clock and lets a frozen one run", () => {
    expect(pressAll(["n"]).effects).toEqual([
      { do: "advance", body: { next: true }, called: "next" },
    ]);
    expect(pressAll(["z"]).effects).toEqual([{ do: "clock", mode: "manual" }]);
    expect(pressAll(["z"], {}, watchedWith(ROWS, "manual")).effects).toEqual([
      { do: "clock", mode: "real" },
    ]);
  });
});

describe("looking", () => {
  test("enter reads a webhook once, w its story, J shows the same reply as JSON", () => {
    const { view, effects } = pressAll(["3", "down", "enter", "J", "w"]);
    expect(effects).toEqual([
      { do: "read", path: `/webhooks/${encodeURIComponent(WEBHOOK)}` },
      { do: "read", path: `/why/${encodeURIComponent(WEBHOOK)}` },
    ]);
    expect(view.detail).toMatchObject({ isWhy: true, id: WEBHOOK });
  });

  test("escape undoes one level at a time: detail, filter, nothing", () => {
    const keys = ["/", ...type("usd"), "enter", "enter"];
    expect(pressAll(keys).view).toMatchObject({ filters: { payments: "usd" }, detail: {} });
    const once = pressAll([...keys, "escape"]).view;
    expect(once.detail).toBeUndefined();
    expect(once.filters).toEqual({ payments: "usd" });
    expect(pressAll([...keys, "escape", "escape"]).view.filters).toEqual({});
  });

  test("a filter that is cancelled is as it was", () => {
    const { view } = pressAll(["/", ...type("usd"), "enter", "/", ...type("xyz"), "escape"]);
    expect(view.filters).toEqual({ payments: "usd" });
  });

  test("y copies the id, Y the command of the row, or of the story that is open", () => {
    expect(pressAll(["y", "Y", "w", "Y"]).effects).toEqual([
      { do: "copy", text: QUOTE },
      { do: "copy", text: `service-sim why ${QUOTE}` },
      { do: "read", path: `/why/${encodeURIComponent(QUOTE)}` },
      { do: "copy", text: `service-sim why ${QUOTE}` },
    ]);
  });

  test("panes and tabs go round", () => {
    expect(pressAll(["tab", "tab", "tab", "tab"]).view.pane).toBe("payments");
    expect(pressAll(["shift-tab"]).view.pane).toBe("more");
    expect(pressAll(["]"]).view).toMatchObject({ pane: "more", tab: "timers" });
    expect(pressAll(["["]).view).toMatchObject({ pane: "more", tab: "postings" });
  });

  test("any key closes the help and does nothing else", () => {
    const { view, effects } = pressAll(["?", "q"]);
    expect(view.isHelp).toBe(false);
    expect(effects).toEqual([]);
  });

  test("what is pasted has no line ends, and is no key", () => {
    const { view } = sceneOf(80, 24, {
      view: { sheet: { kind: "advance", text: "", earlierAt: -1 } },
    });
    const pasted = paste(sceneOf(80, 24, { view }), "6\r\nm");
    expect(pasted.view.sheet).toMatchObject({ text: "6 m" });
  });
});

describe("leaving", () => {
  test.each(["q", "ctrl-c"])("%s leaves", (key) => {
    expect(pressAll([key]).effects).toEqual([{ do: "leave" }]);
  });

  test("ctrl-c leaves from anywhere", () => {
    for (const start of [
      { isHelp: true },
      { sheet: { kind: "filter", text: "", before: "" } as const },
    ])
      expect(pressAll(["ctrl-c"], start).effects).toEqual([{ do: "leave" }]);
  });

  test("where the simulator would stop with it, it asks first", () => {
    const asked = pressAll(["q"], { ownsSimulator: true });
    expect(asked.effects).toEqual([]);
    expect(asked.view.sheet).toMatchObject({ does: "stop" });
    expect(pressAll(["q", "enter"], { ownsSimulator: true }).effects).toEqual([{ do: "leave" }]);
    expect(pressAll(["q", "escape"], { ownsSimulator: true }).view.sheet).toBeUndefined();
    expect(pressAll(["ctrl-c", "ctrl-c"], { ownsSimulator: true }).effects).toEqual([
      { do: "leave" },
    ]);
  });
});
