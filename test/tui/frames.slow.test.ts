import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AllRows } from "../../src/contract/control/feed-rows.ts";
import { takeEvents } from "../../src/rows/take-events.ts";
import type { WatchedWorld } from "../../src/rows/world.ts";
import { widthOf } from "../../src/text/text-width.ts";
import { frameOf, paintFrame } from "../../src/tui/frame.ts";
import { lineWidth } from "../../src/tui/line.ts";
import { PANES, TABS } from "../../src/tui/view.ts";
import { runsOf } from "../setup/campaign.ts";
import { cameThrough, PLANT } from "../setup/plants.ts";
import { FRAMES } from "./setup/frame-cases.ts";
import { linesOf, ROWS, sceneOf, WALL_MS, WORLDS, watchedWith } from "./setup/scenes.ts";

test.each(FRAMES)("the frame $name is as it is kept", async ({ name, scene }) => {
  const frame = `${linesOf(scene()).join("\n")}\n`;
  await expect(frame).toMatchFileSnapshot(`frames/${name}.txt`);
});

const NASTY = [
  "山田商店株式会社の支払い担当者",
  "\u001b[2J\u001b]0;owned\u0007 evil",
  "\u202egnp.exe",
  "👩‍👩‍👧‍👦👩‍👩‍👧‍👦 family",
  "line\r\nbreak\tand tab",
  "e\u0301\u0301\u0301 combining",
  "x".repeat(500),
  PLANT,
];

/** Members that lists are ordered and found by. */
const KEPT = /^(id|at|.*At|currency|kind)$/;

const planted = (value: unknown, text: string, name = ""): unknown => {
  if (typeof value === "string") return KEPT.test(name) ? value : text;
  if (Array.isArray(value)) return value.map((one) => planted(one, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, planted(member, text, key)]),
  );
};

/** The world of the screenshots, with hostile text in every string. */
const nastyWorld = (text: string): WatchedWorld => watchedWith(planted(ROWS, text) as AllRows);

/** Characters that must not be in a frame; a family emoji holds joiners of its own. */
const obeyedIn = (text: string) => cameThrough(text.replaceAll("👩‍👩‍👧‍👦", ""));

describe("whatever the size, the text and what is open", () => {
  const anyScene = fc
    .record({
      columns: fc.integer({ min: 10, max: 160 }),
      rows: fc.integer({ min: 2, max: 60 }),
      text: fc.constantFrom("", ...NASTY),
      pane: fc.constantFrom(...PANES),
      tab: fc.constantFrom(...TABS),
      isHelp: fc.boolean(),
      ascii: fc.boolean(),
      sheet: fc.constantFrom(
        undefined,
        { kind: "advance", text: "6m", earlierAt: -1 } as const,
        { kind: "advance", text: PLANT, earlierAt: -1 } as const,
        { kind: "filter", text: "a", before: "" } as const,
        { kind: "filter", text: PLANT, before: "" } as const,
        { kind: "reason", id: ROWS.approvals[0]?.id ?? "", text: "no" } as const,
        { kind: "reason", id: ROWS.approvals[0]?.id ?? "", text: PLANT } as const,
        { kind: "endpoint", text: PLANT, before: "", isFresh: true, failure: PLANT } as const,
        { kind: "endpoint", text: "", before: "http://a/", isFresh: false } as const,
        ...(["call", "how"] as const).map(
          (field) =>
            ({
              kind: "fault",
              field,
              call: PLANT,
              how: "503",
              sought: "",
              isFresh: false,
            }) as const,
        ),
        { kind: "confirm", does: "take-back", id: "" } as const,
        { kind: "confirm", does: "stop", id: "" } as const,
        { kind: "confirm", does: "remove-world", id: PLANT } as const,
        { kind: "worlds", at: 0 } as const,
        { kind: "worlds", rows: WORLDS, at: 9 } as const,
        {
          kind: "worlds",
          rows: WORLDS.map((row) => ({ ...row, clientId: PLANT })),
          at: 1,
        } as const,
        { kind: "fork", from: "sandbox", text: PLANT, failure: PLANT } as const,
        { kind: "confirm", does: "approve", id: ROWS.approvals[0]?.id ?? "" } as const,
        { kind: "confirm", does: "send-test", id: "" } as const,
        { kind: "confirm", does: "resend", id: ROWS.deliveries[0]?.id ?? "" } as const,
      ),
    })
    .map(({ columns, rows, text, ascii, ...view }) => ({
      ...sceneOf(columns, rows, {
        watched: text === "" ? watchedWith(ROWS) : nastyWorld(text),
        view: { ...view, toast: { text, untilMs: WALL_MS + 1 } },
      }),
      ascii,
    }));

  test("a frame has one line less than the screen, none wider, and nothing that is obeyed", () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const lines = frameOf(scene);
        expect(lines).toHaveLength(Math.max(1, scene.size.rows - 1));
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(scene.size.columns);
        const text = lines.flatMap((line) => line.map((one) => one.text)).join("");
        expect(obeyedIn(text)).toEqual([]);
        const painted = paintFrame(scene, { color: true, ascii: false });
        for (const line of painted) expect(obeyedIn(line)).toEqual([]);
      }),
      { numRuns: runsOf(300), seed: 7 },
    );
  });

  test("ASCII stand-ins leave no other character in it, and no wider lines", () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const plain = { ...scene, ascii: true, watched: watchedWith(ROWS) };
        const view = { ...plain.view, toast: undefined };
        const lines = paintFrame({ ...plain, view }, { color: false, ascii: true });
        for (const line of lines) {
          expect(line).toMatch(/^[\x20-\x7e]*$/);
          expect(line.length).toBeLessThanOrEqual(scene.size.columns);
        }
      }),
      { numRuns: runsOf(200), seed: 7 },
    );
  });
});

test.each([
  ...PANES.map((pane) => ({ pane })),
  ...TABS.map((tab) => ({ pane: "more", tab }) as const),
])("texts of several lines have no sign of a line's end in %j", (view) => {
  const toast = { text: "one\r\ntwo", untilMs: WALL_MS + 1 };
  const scene = sceneOf(120, 36, {
    watched: nastyWorld("line\r\nbreak"),
    view: { ...view, toast },
  });
  const frame = linesOf(scene).join("\n");
  expect(frame).toContain("line break");
  expect(frame).toContain("one two");
  expect(frame).not.toMatch(/\^[JM]/);
});

test("without colours there is no escape in it; with them words and marks are the same", () => {
  const scene = sceneOf(120, 36);
  const plain = paintFrame(scene, { color: false, ascii: false });
  const colored = paintFrame(scene, { color: true, ascii: false });
  expect(plain.join("")).not.toContain("\u001b");
  expect(colored.join("")).toContain("\u001b[33m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
  const bare = colored.map((line) => line.replace(/\u001b\[\d+m/g, "").trimEnd());
  expect(bare).toEqual(plain);
});

test("a payee in wide characters is cut by cells and does not push anything aside", () => {
  const [, , , , , , , , , , waits = ""] = linesOf(
    sceneOf(120, 36, {
      watched: watchedWith({
        ...ROWS,
        approvals: ROWS.approvals.map((row) => ({
          ...row,
          agentName: "山田商店株式会社の支払い担当者",
          to: { ...row.to, name: "山田商店株式会社の支払い担当者" },
        })),
      }),
    }),
  );
  expect(waits).toContain("waits 3:33");
  expect(widthOf(waits)).toBeLessThanOrEqual(120);
});

test("of ten thousand requests a thousand are kept, and the frame is quick", () => {
  const events = Array.from({ length: 10_000 }, (_, at) => ({
    event: "request",
    id: `1-${at}`,
    data: { ...ROWS.requests[0], id: `req-1-${1000 + at}` },
  }));
  let watched = watchedWith(ROWS);
  for (let at = 0; at < events.length; at += 500)
    watched = takeEvents(watched, events.slice(at, at + 500), WALL_MS);
  expect(watched.lists.requests).toHaveLength(1000);
  expect(watched.lists.requests[0]?.id).toBe("req-1-10999");
  const lines = linesOf(sceneOf(120, 36, { watched }));
  expect(lines.join("\n")).toContain("[Requests 10,000]");
});
