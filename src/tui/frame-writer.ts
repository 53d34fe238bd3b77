import { EventEmitter } from "node:events";
import { RESTORE } from "../text/screen-codes.ts";

/** A terminal to draw frames on. */
export interface Screen {
  columns?: number | undefined;
  rows?: number | undefined;
  write(text: string): boolean;
  on(event: "drain" | "resize", listener: () => void): unknown;
  off(event: "drain" | "resize", listener: () => void): unknown;
}

const ESC = "\u001b";
const ENTER = `${ESC}[?1049h${ESC}[?25l${ESC}[2J${ESC}[H`;
const CLEAR = `${ESC}[2J`;
const BEGIN = `${ESC}[?2026h`;
const END = `${ESC}[?2026l`;

const UNKNOWN_SIZE = { columns: 80, rows: 24 };

/**
 * Sends only the changed lines of each frame, each to its place (decisions/changed-lines.md). Ink
 * says when there is a new frame by writing to it, in its `debug` mode.
 */
export class FrameWriter extends EventEmitter {
  /** Stands in for the stream that Ink expects: not a terminal, so Ink leaves the cursor alone. */
  readonly isTTY = false;
  private readonly screen: Screen;
  private readonly lines: () => readonly string[];
  /** The newest frame, and the frame on the screen. */
  private received: readonly string[] = [];
  private shown: readonly string[] = [];
  private isFresh = true;
  private isWaiting = false;
  private isClosed = false;

  /** @param lines the lines of the present frame */
  constructor(screen: Screen, lines: () => readonly string[]) {
    super();
    this.screen = screen;
    this.lines = lines;
    screen.on("drain", this.drained);
  }

  get columns() {
    return this.screen.columns || UNKNOWN_SIZE.columns;
  }

  get rows() {
    return this.screen.rows || UNKNOWN_SIZE.rows;
  }

  /** Switches to the alternate screen. */
  open() {
    this.screen.write(ENTER);
  }

  /** Draws the present frame; keeps only the newest one while the terminal is slow. */
  write(_written: string): boolean {
    if (this.isClosed) return true;
    this.received = this.lines();
    if (!this.isWaiting) this.draw();
    return true;
  }

  /** Writes bytes outside a frame, e.g. clipboard sequences. */
  send(text: string) {
    if (!this.isClosed) this.screen.write(text);
  }

  /** Clears the screen before the next frame, after a change of size. */
  startOver() {
    this.isFresh = true;
  }

  close() {
    if (this.isClosed) return;
    this.abandon();
    this.screen.write(RESTORE);
  }

  /** Stops drawing: the code that ends the process restores the screen. */
  abandon() {
    this.isClosed = true;
    this.screen.off("drain", this.drained);
  }

  private readonly drained = () => {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    if (!this.isClosed) this.draw();
  };

  private draw() {
    const text = this.changesTo(this.received);
    if (text !== "") this.isWaiting = !this.screen.write(text);
  }

  private changesTo(lines: readonly string[]): string {
    const before = this.isFresh ? [] : this.shown;
    const parts: string[] = this.isFresh ? [CLEAR] : [];
    this.isFresh = false;
    this.shown = lines;
    for (let at = 0; at < Math.max(lines.length, before.length); at += 1) {
      const line = lines[at] ?? "";
      if (line === (before[at] ?? "")) continue;
      parts.push(`${ESC}[${at + 1};1H${ESC}[K${line}`);
    }
    return parts.length === 0 ? "" : BEGIN + parts.join("") + END;
  }
}
