import type { TimerRow } from "../../contract/control/feed-rows.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { ticking } from "../../rows/clock-face.ts";
import { go } from "../routes.ts";
import { useConsole, useIsLive } from "../use-console.ts";
import { gather } from "./gather.ts";
import { FLAG_ROWS, placeFlags } from "./place-flags.ts";
import { percent, shareOf, type Window } from "./scale.ts";

const CHARACTER_PX = 7.3;
const PADDING_PX = 16;
/** Timers nearer than this stand in one bar. */
const BAR_PX = 8;

const ruleOf = ({ rule }: TimerRow) =>
  rule === undefined ? "" : ` ${rule.slice(rule.indexOf(".") + 1)}`;

const labelOf = (row: TimerRow) =>
  `${row.timer} …${row.subject.slice(-6)} → ${row.then}${ruleOf(row)}`;

interface FlagsProps {
  /** Timers in sight, in firing order. */
  timers: readonly TimerRow[];
  window: Window;
  widthPx: number;
  nowMs: number;
  isTall: boolean;
}

const countsOf = (rows: readonly TimerRow[]) => {
  const counts = new Map<string, number>();
  for (const { timer } of rows) counts.set(timer, (counts.get(timer) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${inGroups(count)} × ${name}`).join(", ");
};

/** The future: the next timers by name, the rest in bars. */
export const Flags = ({ timers, window, widthPx, nowMs, isTall }: FlagsProps) => {
  const { openSheet } = useConsole();
  const isLive = useIsLive();
  const named = timers.slice(0, isTall ? FLAG_ROWS : 12);
  const placed = placeFlags(
    named.map((row) => ({
      id: row.id,
      xPx: (shareOf(window, Date.parse(row.dueAt)) - shareOf(window, nowMs)) * widthPx,
      widthPx: labelOf(row).length * CHARACTER_PX + PADDING_PX,
    })),
    (1 - shareOf(window, nowMs)) * widthPx,
  );
  const perPx = (window.toMs - window.fromMs) / Math.max(1, widthPx);
  const rest = gather(
    timers
      .slice(named.length)
      .map((row) => ({ atMs: Date.parse(row.dueAt), count: 1, worst: "clock" as const, row })),
    BAR_PX * perPx,
  );
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
            className={`flag ${place?.isBack ? "back" : ""}`}
            disabled={!isLive}
            title={`${labelOf(row)}, ${due}`}
            style={{
              left: percent(shareOf(window, Date.parse(row.dueAt))),
              ...(isTall && { "--f": place?.row ?? 0 }),
            }}
            onClick={() => open(row.dueAt)}
          >
            <span className="label">
              {row.timer} <em>…{row.subject.slice(-6)}</em> → {row.then}
              {ruleOf(row)}
            </span>
            <span className="vh">, {due}: preview the advance</span>
          </button>
        );
      })}
      {rest.map(({ parts, atMs, heightPx, count }) => (
        <button
          type="button"
          key={atMs}
          className="bar-of"
          disabled={!isLive}
          title={countsOf(parts.map(({ row }) => row))}
          style={{ left: percent(shareOf(window, atMs)), height: heightPx + 6 }}
          onClick={() =>
            count === 1 ? open(new Date(atMs).toISOString()) : go(`/timers?from=${atMs}`)
          }
        >
          <span className="vh">{countsOf(parts.map(({ row }) => row))}</span>
        </button>
      ))}
    </>
  );
};
