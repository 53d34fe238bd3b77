import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { RESTORE } from "../../src/text/screen-codes.ts";
import { FrameWriter } from "../../src/tui/frame-writer.ts";

/** A terminal that takes every write, or is slow. */
class FakeScreen extends EventEmitter {
  columns: number | undefined = 20;
  rows: number | undefined = 5;
  isSlow = false;
  readonly written: string[] = [];

  write(text: string) {
    this.written.push(text);
    return !this.isSlow;
  }
}

const opened = () => {
  const screen = new FakeScreen();
  let lines: readonly string[] = [];
  const writer = new FrameWriter(screen, () => lines);
  writer.open();
  screen.written.length = 0;
  const draw = (frame: string) => {
    lines = frame.split("\n");
    writer.write("1");
  };
  return { screen, writer, draw };
};

const E = "\u001b[";

test("the alternate screen is entered with the cursor hidden, and left as it was found", () => {
  const screen = new FakeScreen();
  const writer = new FrameWriter(screen, () => []);
  writer.open();
  expect(screen.written.join("")).toBe(`${E}?1049h${E}?25l${E}2J${E}H`);
  writer.close();
  writer.close();
  expect(screen.written.slice(1)).toEqual([RESTORE]);
  expect(RESTORE).toContain(`${E}?25h${E}?1049l`);
});

test("the first frame is drawn whole, then only lines that changed, each at its place", () => {
  const { screen, draw } = opened();
  draw("one\ntwo\nthree");
  draw("one\nTWO\nthree");
  draw("one\nTWO\nthree");
  expect(screen.written).toEqual([
    `${E}?2026h${E}2J${E}1;1H${E}Kone${E}2;1H${E}Ktwo${E}3;1H${E}Kthree${E}?2026l`,
    `${E}?2026h${E}2;1H${E}KTWO${E}?2026l`,
  ]);
});

test("a shorter frame leaves nothing behind", () => {
  const { screen, draw } = opened();
  draw("one\ntwo");
  draw("one");
  expect(screen.written[1]).toBe(`${E}?2026h${E}2;1H${E}K${E}?2026l`);
});

test("after a resize the screen is cleared once", () => {
  const { screen, draw, writer } = opened();
  draw("one");
  writer.startOver();
  draw("one");
  draw("two");
  expect(screen.written.filter((text) => text.includes(`${E}2J`))).toHaveLength(2);
  expect(screen.written.at(-1)).not.toContain(`${E}2J`);
});

test("a slow terminal gets the newest frame when it is ready, not all of them", () => {
  const { screen, draw } = opened();
  screen.isSlow = true;
  draw("one");
  draw("two");
  draw("three");
  expect(screen.written).toHaveLength(1);
  screen.isSlow = false;
  screen.emit("drain");
  expect(screen.written).toHaveLength(2);
  expect(screen.written[1]).toContain("three");
});

test("a terminal that does not know its size is taken for 80x24", () => {
  const { screen, writer } = opened();
  screen.columns = undefined;
  screen.rows = 0;
  expect([writer.columns, writer.rows]).toEqual([80, 24]);
});

test("a frame that came while the terminal was slow is drawn whole after a resize", () => {
  const { screen, draw, writer } = opened();
  draw("one\ntwo");
  screen.isSlow = true;
  draw("ONE\ntwo");
  writer.startOver();
  draw("ONE\nTWO");
  screen.isSlow = false;
  screen.emit("drain");
  expect(screen.written.at(-1)).toBe(`${E}?2026h${E}2J${E}1;1H${E}KONE${E}2;1H${E}KTWO${E}?2026l`);
});

test("whoever ends the process puts the screen back: nothing is drawn over it", () => {
  const { screen, draw, writer } = opened();
  draw("one");
  writer.abandon();
  screen.written.length = 0;
  draw("two");
  writer.close();
  expect(screen.written).toEqual([]);
});

test("nothing is drawn once it is closed", () => {
  const { screen, draw, writer } = opened();
  writer.close();
  screen.written.length = 0;
  draw("late");
  writer.send("late");
  expect(screen.written).toEqual([]);
});
