import type { TimerRow } from "../../contract/control/feed-rows.ts";
import { ticking } from "../../rows/clock-face.ts";
import { useConsole, useIsLive } from "../use-console.ts";
import { type Ahead, countsOf } from "./ahead.ts";
import css from "./flags.module.css";
import { gather } from "./gather.ts";
import { percent, shareOf, type Window } from "./scale.ts";

/** A label that stands at a place of the future. */
export interface Flag {
  id: string;
  /** Distance from the clock's line. */
  xPx: number;
  /** Width of its label. */
  widthPx: number;
}

/** A flag with its row; row 0 is the lowest. */
export interface PlacedFlag {
  id: string;
  row: number;
  /** Written to the left of its place, where there is more room. */
  isBack: boolean;
  /** Room for its label. */
  roomPx: number;
}

/** Rows of the future. */
export const FLAG_ROWS = 4;

/**
 * Places flags so that no stem crosses a label: the earliest has the lowest row, and each stem goes
 * up from the axis below the rows of later ones.
 * @param flags in firing order; those beyond the rows are left out
 */
export const placeFlags = (flags: readonly Flag[], roomPx: number): PlacedFlag[] =>
  flags.slice(0, FLAG_ROWS).map(({ id, xPx, widthPx }, at) => {
    const behindPx = roomPx - xPx;
    const isBack = widthPx > behindPx && xPx > behindPx;
    return { id, row: FLAG_ROWS - 1 - at, isBack, roomPx: Math.max(0, isBack ? xPx : behindPx) };
  });

const CHARACTER_PX = 7.3;
const PADDING_PX = 16;
/** Timers nearer than this stand in one bar. */
const BAR_PX = 8;

const ruleOf = ({ rule }: TimerRow) =>
  rule === undefined ? "" : ` ${rule.slice(rule.indexOf(".") + 1)}`;

const labelOf = (row: TimerRow) =>
  `${row.timer} …${row.subject.slice(-6)} → ${row.then}${ruleOf(row)}`;

/** Timers that are named; a low line has room for marks alone. */
export const namedCount = (isTall: boolean) => (isTall ? FLAG_ROWS : 12);

interface FlagsProps {
  /** The named timers, in firing order. */
  named: readonly TimerRow[];
  /** All others in sight. */
  rest: readonly Ahead[];
  window: Window;
  widthPx: number;
  nowMs: number;
  isTall: boolean;
  onZoom(atMs: number): void;
}

/** Whether a bar's timers are all due at the instant at which it stands. */
const isOneInstant = (parts: readonly Ahead[]) =>
  parts.every(({ isExact, atMs }) => isExact && atMs === parts[0]?.atMs);

/** The future: the next timers by name, the rest in bars. */
export const Flags = (props: FlagsProps) => {
  const { named, rest, window, widthPx, nowMs, isTall, onZoom } = props;
  const { openSheet } = useConsole();
  const isLive = useIsLive();
  const placed = placeFlags(
    named.map((row) => ({
      id: row.id,
      xPx: (shareOf(window, Date.parse(row.dueAt)) - shareOf(window, nowMs)) * widthPx,
      widthPx: labelOf(row).length * CHARACTER_PX + PADDING_PX,
    })),
    (1 - shareOf(window, nowMs)) * widthPx,
  );
  const perPx = (window.toMs - window.fromMs) / Math.max(1, widthPx);
  const bars = gather(rest, BAR_PX * perPx);
  const open = (to: string) => openSheet({ kind: "advance", to });
  return (
    <>
      {named.map((row, at) => {
        const place = placed[at];
        const due = `due ${row.dueAt.slice(11, 19)}, in ${ticking(Date.parse(row.dueAt) - nowMs)}`;
        return (
          <button
            type="button"
            key={row.id}
            className={`${css.flag} ${isTall ? css.tall : ""} ${place?.isBack ? css.back : ""}`}
            disabled={!isLive}
            title={`${labelOf(row)}, ${due}`}
            style={{
              left: percent(shareOf(window, Date.parse(row.dueAt))),
              ...(isTall && { "--f": place?.row ?? 0, maxWidth: Math.floor(place?.roomPx ?? 0) }),
            }}
            onClick={() => open(row.dueAt)}
          >
            <span className={css.label}>
              {row.timer} <em>…{row.subject.slice(-6)}</em> → {row.then}
              {ruleOf(row)}
            </span>
            <span className="vh">, {due}: preview the advance</span>
          </button>
        );
      })}
      {bars.map(({ parts, atMs, heightPx }) => (
        <button
          type="button"
          key={atMs}
          className={css.bar}
          disabled={!isLive}
          title={countsOf(parts)}
          style={{ left: percent(shareOf(window, atMs)), height: heightPx + 6 }}
          onClick={() => (isOneInstant(parts) ? open(new Date(atMs).toISOString()) : onZoom(atMs))}
        >
          <span className="vh">{countsOf(parts)}</span>
        </button>
      ))}
    </>
  );
};
