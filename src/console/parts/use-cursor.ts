import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { go } from "../routes.ts";

/** Rows that a key moves the cursor by; the first and the last lie as far as it takes. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  g: -Infinity,
  Home: -Infinity,
  G: Infinity,
  End: Infinity,
};

interface Cursor {
  /** Place of the row with the cursor, from 0. */
  at: number;
  /** The row that has the focus: it must stand in the page until another one has it. */
  focused: number | undefined;
  /** Moves the cursor to a row that got the focus. */
  set(at: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface CursorOptions {
  total: number;
  grid: RefObject<HTMLElement | null>;
  /** Address of a row; undefined while it is being read. */
  hrefAt(at: number): string | undefined;
  /** Rows of a page up or down. */
  pageRows(): number;
  /** Brings a row into sight. */
  reveal?(at: number): void;
}

/**
 * The row with the cursor: one Tab stop for the whole list, and keys within it. It is counted from
 * the end of the list, so that it stays with its row while new ones come in front.
 */
export const useCursor = ({ total, grid, hrefAt, pageRows, reveal }: CursorOptions): Cursor => {
  const [fromEnd, setFromEnd] = useState<number>();
  const [focusedFromEnd, setFocused] = useState<number>();
  const placeOf = (back: number) => Math.max(0, Math.min(total - 1, total - 1 - back));
  const at = fromEnd === undefined ? 0 : placeOf(fromEnd);
  /** Set until the row under the cursor stands in the page, and takes the focus. */
  const wantsFocus = useRef(false);
  /** Set until the row under the cursor is read, and is opened. */
  const wantsOpen = useRef(false);
  const href = hrefAt(at);
  useLayoutEffect(() => {
    let frame = 0;
    // A row that has just come into the page is hidden until it is measured, and takes no focus.
    const focus = () => {
      if (!wantsFocus.current) return;
      const row = grid.current?.querySelector<HTMLElement>(`[aria-rowindex="${at + 2}"]`);
      row?.focus({ preventScroll: reveal !== undefined });
      if (row && document.activeElement === row) wantsFocus.current = false;
      else frame = requestAnimationFrame(focus);
    };
    focus();
    if (wantsOpen.current && href !== undefined) {
      wantsOpen.current = false;
      go(href);
    }
    return () => cancelAnimationFrame(frame);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      if (href === undefined) wantsOpen.current = true;
      else go(href);
      return;
    }
    const pages: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 };
    const page = pages[event.key];
    const step = page === undefined ? STEPS[event.key] : page * pageRows();
    if (step === undefined || total === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const to = Math.min(total - 1, Math.max(0, at + step));
    wantsOpen.current = false;
    wantsFocus.current = true;
    setFromEnd(total - 1 - to);
    reveal?.(to);
  };
  const set = (place: number) => {
    setFocused(total - 1 - place);
    // The focus may stand on an old row while the cursor has moved on.
    if (!wantsFocus.current) setFromEnd(total - 1 - place);
  };
  const focused = focusedFromEnd === undefined ? undefined : placeOf(focusedFromEnd);
  return { at, focused, set, onKeyDown };
};
