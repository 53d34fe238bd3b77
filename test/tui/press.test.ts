import { describe, expect, test } from "vitest";
import { frameOf, pageOf } from "../../src/tui/frame.ts";
import { plainOf } from "../../src/tui/line.ts";
import { paste } from "../../src/tui/press.ts";
import { pressAll, type } from "./setup/presses.ts";
import { ACTION, linesOf, QUOTE, ROWS, sceneOf, WEBHOOK, watchedWith } from "./setup/scenes.ts";

const WHY = {
  list: "approvals" as const,
  id: ACTION,
  subject: ACTION,
  path: "/why/1",
  isWhy: true,
  isJson: false,
  top: 0,
};

describe("a step back", () => {
  const undone = { before: "req-1-7", lines: ["createQuote, req-1-7, at 09:00:00"] };

  test("b asks what would be undone, and enter waits until that is known", () => {
    const { view, effects } = pressAll(["b", "enter"]);
    expect(effects).toEqual([{ do: "undoable" }]);
    expect(view.sheet).toEqual({ kind: "step-back" });
  });

  test("enter goes back to before what was shown; escape stays", () => {
    const sheet = { kind: "step-back", undone } as const;
    expect(pressAll(["enter"], { sheet }).effects).toEqual([
      { do: "step-back", before: "req-1-7" },
    ]);
    expect(pressAll(["escape"], { sheet })).toMatchObject({
      effects: [],
      view: { sheet: undefined },
    });
    const shown = linesOf(sceneOf(80, 24, { view: { sheet } })).join("\n");
    expect(shown).toContain("createQuote, req-1-7, at 09:00:00");
    expect(shown).toContain("enter rewind    esc cancel");
  });
});

describe("a row in full", () => {
  const topAfter = (...keys: string[]) => pressAll(["2", "enter", ...keys]).view.detail?.top;

  test("scrolls as far as it goes, and back from there at once", () => {
    expect(topAfter("j", "j", "k")).toBe(1);
    expect(topAfter("G")).toBe(9);
    expect(topAfter("G", "j", "j", "k")).toBe(8);
    expect(topAfter("G", "ctrl-u")).toBe(7);
    expect(topAfter("G", "g")).toBe(0);
    expect(topAfter("k", "j")).toBe(1);
  });

  test("ctrl-d goes on by half of what is in sight", () => {
    const lines = Array.from({ length: 99 }, (_, at) => `line ${at}`);
    const scene = sceneOf(80, 24);
    const view = {
      ...scene.view,
      detail: { ...WHY, body: { lines } },
    };
    expect(pageOf({ ...scene, view })).toEqual({ height: 20, lastTop: 79 });
  });
});

describe("a record that no list has", () => {
  const id = "Customer:019b8d62-b518-7000-8000-a5f7d0c0ffee";
  const detail = { ...WHY, list: "payments" as const, id, subject: id, body: { lines: [] } };

  test("is opened, explained and copied all the same", () => {
    const { effects } = pressAll(["enter", "w", "y", "Y", "L"], { detail });
    expect(effects).toEqual([
      { do: "read", path: `/records/${encodeURIComponent(id)}` },
      { do: "read", path: `/why/${encodeURIComponent(id)}` },
      { do: "copy", text: id },
      { do: "copy", text: `service-sim why ${id}` },
      { do: "copy", text: expect.stringMatching(/console\/#\/why\/c0ffee$/) },
    ]);
  });
});

test("the last line offers what can be done with the row", () => {
  const keysOf = (watched = watchedWith(ROWS)) =>
    linesOf(sceneOf(120, 24, { watched, view: { pane: "approvals" } })).at(-1);
  const decided = ROWS.approvals.map((row) => ({ ...row, status: "APPROVED" as const }));
  expect(keysOf()).toContain("A approve  X reject");
  expect(keysOf(watchedWith({ ...ROWS, approvals: decided }))).toMatch(/^(?!.*approve).*w why/);
  expect(keysOf(watchedWith({ ...ROWS, approvals: [] }))).not.toMatch(/approve|open|why|copy/);
});

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
      "A approves the chosen action: choose one in pane 2",
    );
    expect(pressAll(["R"]).view.toast?.text).toBe(
      "R resends the chosen webhook: choose one in pane 3",
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
      "R: no endpoint yet, E sets one",
    );
  });
});

describe("the endpoint", () => {
  const bare = () => {
    const { webhookEndpoint: _none, ...rows } = ROWS;
    return watchedWith(rows);
  };
  const before = "http://127.0.0.1:3000/hooks";

  test.each([
    { does: "a typed URL replaces it", keys: type("http://a/"), url: "http://a/", isNew: true },
    { does: "backspace edits it", keys: ["backspace"], url: before.slice(0, -1), isNew: true },
    { does: "an empty line clears it", keys: ["ctrl-u"], url: "", isNew: true },
    { does: "enter alone keeps it", keys: [], url: before, isNew: false },
  ])("E: $does", ({ keys, url, isNew }) => {
    const { view, effects } = pressAll(["E", ...keys, "enter", "enter"]);
    expect(effects).toEqual([{ do: "endpoint", url, isNew }]);
    expect(view.sheet).toMatchObject({ kind: "endpoint", text: url, isSent: true });
  });

  test("where there is none an empty line changes nothing and says so", () => {
    const { view, effects } = pressAll(["E", "enter"], {}, bare());
    expect(effects).toEqual([]);
    expect(view.sheet).toBeUndefined();
    expect(view.toast?.text).toBe("still no endpoint");
  });

  test("typing after a refusal takes the refusal away", () => {
    const sheet = { kind: "endpoint", text: "no", before: "", isFresh: false } as const;
    const { view } = pressAll(["x"], { sheet: { ...sheet, failure: "Expected a URL" } });
    expect(view.sheet).toEqual({ ...sheet, text: "nox", failure: undefined });
  });
});

describe("every prompt opens with its question", () => {
  const open = ["F", "enter"];
  const { webhookEndpoint: _none, ...without } = ROWS;
  const faults = [
    {
      id: "Fault:1",
      match: {},
      fault: { status: 503 },
      seen: 0,
      struck: 0,
      createdAt: "2026-01-05T09:00:00.000Z",
    },
  ];
  const PROMPTS = [
    { keys: ["P"], asks: "Make a payout?", hint: "enter make a payout" },
    { keys: ["a"], asks: "Advance the clock: how far?", hint: "a duration like 90s" },
    { keys: ["/"], asks: "Filter Payments: which rows?", hint: "any words, or status:" },
    { keys: ["2", "A"], asks: "Approve this?", hint: "enter approve" },
    { keys: ["2", "X"], asks: "Reject this?", hint: "optional; the agent sees it" },
    { keys: ["3", "R"], asks: "Resend this webhook?", hint: "enter resend" },
    { keys: ["T"], asks: "Send a TEST webhook?", hint: "enter send TEST" },
    { keys: ["E"], asks: "Where should webhooks go?", hint: "type to replace it" },
    { keys: ["E"], rows: without, asks: "Where should webhooks go?", hint: "your receiver, like" },
    { keys: ["F"], asks: "Which call should fail next, and how?", hint: "↑↓ any" },
    { keys: ["F", ..."quo"], asks: "Which call should fail next", hint: "or POST /quotes;" },
    { keys: ["F", "tab", "ctrl-u"], asks: "Which call should fail next", hint: "a status, an" },
    { keys: ["U"], asks: "Remove this fault?", hint: "every call answers 503 UNAVAILABLE" },
    { keys: ["q"], asks: "Leave and stop the simulator?", hint: "enter stop" },
  ];

  test.each(PROMPTS)("$keys: $asks", ({ keys, rows = ROWS, asks, hint }) => {
    const watched = watchedWith({ ...rows, faults });
    const { view } = pressAll(keys, { ownsSimulator: true }, watched);
    for (const [columns, height] of [[60, 15] as const, [80, 24] as const]) {
      const frame = frameOf(sceneOf(columns, height, { watched, view }));
      const at = frame.findLastIndex((line) => plainOf(line).startsWith("━━ "));
      const sheet = frame.slice(at);
      expect(plainOf(sheet[0] ?? [])).toContain(`━━ ${asks}`);
      expect(sheet.map(plainOf).join("\n")).toContain(hint);
      expect(sheet.flat().filter(({ look }) => look === "red")).toEqual([]);
    }
  });

  test("no line of a sheet is cut at 60 columns, but the choices of a typed line", () => {
    for (const { keys, rows = ROWS } of PROMPTS) {
      const watched = watchedWith({ ...rows, faults });
      const { view } = pressAll(keys, { ownsSimulator: true }, watched);
      const frame = frameOf(sceneOf(60, 15, { watched, view }));
      const sheet = frame.slice(frame.findLastIndex((line) => plainOf(line).startsWith("━━ ")));
      const cut = sheet.filter((line) => line.length === 1 && plainOf(line).includes("…"));
      expect(cut.map(plainOf).filter((line) => !/…[0-9a-f]{6}/.test(line))).toEqual([]);
    }
  });

  test("the end of a long line that is typed stays in sight", () => {
    const typed = `http://127.0.0.1:3000/${"webhooks/".repeat(12)}end`;
    for (const first of ["E", "/", "F", "a"]) {
      const watched = watchedWith(ROWS);
      const { view } = pressAll([first, ...typed], {}, watched);
      for (const [columns, height] of [[60, 15] as const, [80, 24] as const]) {
        const frame = frameOf(sceneOf(columns, height, { watched, view })).map(plainOf);
        const sheet = frame.slice(frame.findLastIndex((line) => line.startsWith("━━ ")));
        expect(sheet.filter((line) => /….*hooks\/end_/.test(line))).toHaveLength(1);
        for (const line of frame) expect(line.length).toBeLessThanOrEqual(columns);
      }
    }
  });

  test("the table has every sheet", () => {
    const kinds = PROMPTS.map(({ keys, rows = ROWS }) => {
      const watched = watchedWith({ ...rows, faults });
      const { sheet } = pressAll(keys, { ownsSimulator: true }, watched).view;
      return sheet?.kind === "confirm" ? sheet.does : sheet?.kind;
    });
    expect([...new Set(kinds)].sort()).toEqual([
      ...["advance", "approve", "endpoint", "fault", "filter", "make-payout", "reason"],
      ...["resend", "send-test", "stop", "take-back"],
    ]);
  });

  test.each([
    { keys: ["a", "enter"], says: "✗ Type how far, for example 6m" },
    { keys: ["a", ..."6x", "enter"], says: '✗ "6x" is not a duration' },
    { keys: [...open.slice(0, 1), "tab", "ctrl-u", "enter"], says: "✗ Type how it should fail" },
  ])("$keys is answered with an error, and typing takes it away", ({ keys, says }) => {
    const shown = (pressed: readonly string[]) =>
      linesOf(sceneOf(80, 24, { view: pressAll(pressed).view })).join("\n");
    expect(shown(keys)).toContain(says);
    expect(shown([...keys, "1"])).not.toContain("✗ Type");
    expect(shown([...keys, "1"])).not.toContain("is not a duration");
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
    expect(view.sheet).toMatchObject({
      kind: "advance",
      text: "6x",
      failure: '"6x" is not a duration, instant or <id>=<STATUS>; 6m is one',
    });
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
    expect(pressAll(["["]).view).toMatchObject({ pane: "more", tab: "cards" });
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
