import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";
import type { TimerRow } from "../../contract/control/feed-rows.ts";
import { counted } from "../../text/layout.ts";
import { focusSheet } from "../parts/sheet-form.tsx";
import { useConsole, useIsLive, useSheet } from "../use-console.ts";
import css from "./head.module.css";
import { instantAt, percent, shareOf, type Window } from "./scale.ts";

/** A head this near to a timer stands on it. */
const SNAP_PX = 6;

/** Instants that a dragged head may stand on, and the bounds it stops at. */
export interface Track {
  window: Window;
  widthPx: number;
  /** Instants of timers and events. */
  stops: readonly number[];
  /** The earliest instant that a rewind reaches. */
  earliestMs?: number | undefined;
}

/** The instant below the pointer, on the nearest stop when one is near. */
export const snapped = (
  { window, widthPx, stops, earliestMs = -Infinity }: Track,
  xPx: number,
  { isFree = false }: { isFree?: boolean } = {},
): number => {
  const atMs = Math.max(earliestMs, instantAt(window, xPx / Math.max(1, widthPx)));
  if (isFree) return atMs;
  const near = stops
    .map((stop) => ({ stop, off: Math.abs(shareOf(window, stop) * widthPx - xPx) }))
    .filter(({ off }) => off <= SNAP_PX)
    .sort((a, b) => a.off - b.off)[0];
  return near?.stop ?? atMs;
};

interface HeadProps {
  window: Window;
  widthPx: number;
  nowMs: number;
  stops: readonly number[];
  earliestMs: number | undefined;
  timers: readonly TimerRow[];
  box: RefObject<HTMLDivElement | null>;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** The clock's own place on the line: dragged to preview another one, never to move it at once. */
export const Head = ({ window, widthPx, nowMs, stops, earliestMs, timers, box }: HeadProps) => {
  const { openSheet } = useConsole();
  const sheet = useSheet();
  const isLive = useIsLive();
  const isDragged = useRef(false);
  const to = sheet?.kind === "advance" || sheet?.kind === "rewind" ? sheet.to : undefined;
  const toMs = to === undefined || Number.isNaN(Date.parse(to)) ? undefined : Date.parse(to);
  const preview = (atMs: number) => {
    if (atMs === nowMs) return openSheet(undefined);
    openSheet({ kind: atMs > nowMs ? "advance" : "rewind", to: iso(atMs) });
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!isLive) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isDragged.current = true;
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const element = box.current;
    if (!isDragged.current || !element) return;
    const xPx = event.clientX - element.getBoundingClientRect().left;
    const track = { window, widthPx, stops, earliestMs };
    preview(snapped(track, xPx, { isFree: event.altKey }));
  };
  // Enter then answers the question that the drag asked.
  const onPointerUp = () => {
    isDragged.current = false;
    focusSheet();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = toMs ?? nowMs;
    const sorted = stops;
    const next =
      event.key === "ArrowRight"
        ? sorted.find((one) => one > from)
        : event.key === "ArrowLeft"
          ? sorted.findLast((one) => one < from)
          : event.key === "Home"
            ? nowMs
            : undefined;
    if (next === undefined || !isLive) return;
    event.preventDefault();
    preview(next);
  };
  const ahead = shareOf(window, nowMs);
  const there = toMs === undefined ? undefined : shareOf(window, toMs);
  return (
    <>
      {there !== undefined && (
        <>
          <i
            className={`${css.swept} ${there < ahead ? css.past : ""}`}
            style={{
              left: percent(Math.min(ahead, there)),
              width: percent(Math.abs(there - ahead)),
            }}
          />
          <i className={css.ghost} style={{ left: percent(there) }} />
        </>
      )}
      <div
        className={css.head}
        role="slider"
        tabIndex={0}
        aria-label="Clock"
        aria-valuemin={earliestMs ?? 0}
        aria-valuemax={window.toMs}
        aria-valuenow={toMs ?? nowMs}
        aria-valuetext={`${iso(toMs ?? nowMs).slice(11, 19)}, ${counted(timers.length, "timer")} in sight`}
        style={{ left: percent(ahead) }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
      />
    </>
  );
};
