import type { KeyboardEvent } from "react";
import type { History, HistoryBucket } from "../../contract/control/history.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { MARKS, type MarkName } from "../../text/marks.ts";
import { placeOf } from "../routes.ts";
import { type Gathered, gather } from "./gather.ts";
import css from "./lanes.module.css";
import { percent, shareOf, type Window } from "./scale.ts";

/** Lanes of the past, from top to bottom. */
export const LANES = ["requests", "timers", "webhooks", "approvals"] as const;

type LaneName = (typeof LANES)[number];

/** Events nearer than this stand in one bar, pixels. */
const BAR_PX = 6;
/** Marks nearer than this stand in one mark: a count has its place beside the sign. */
const MARK_PX = 26;

const MARKED: ReadonlySet<MarkName> = new Set(["failed", "asks", "waits", "over"]);

export interface Laned extends HistoryBucket {
  atMs: number;
  lane: LaneName;
}

const lanedOf = (lane: LaneName, buckets: readonly HistoryBucket[]): Laned[] =>
  buckets.map((bucket) => ({ ...bucket, atMs: Date.parse(bucket.at), lane }));

const failedIn = (parts: readonly Laned[]) => parts.reduce((sum, { failed }) => sum + failed, 0);

/** A mark in words: `09:00:00, 3 of 40 requests failed`. */
export const saysOf = ({ parts, count, worst }: Gathered<Laned>) => {
  const [first] = parts;
  const at = first?.at.slice(11, 19) ?? "";
  if (count === 1) return `${at} ${first?.first.says ?? ""}, ${worst}`;
  const lanes = new Set(parts.map(({ lane }) => lane));
  const what = lanes.size === 1 ? first?.lane : "events";
  const failed = failedIn(parts);
  return failed === 0
    ? `${at}, ${inGroups(count)} ${what}`
    : `${at}, ${inGroups(failed)} of ${inGroups(count)} ${what} failed`;
};

interface LanesProps {
  lanes: History["lanes"];
  open: readonly { id: string; from: string }[];
  window: Window;
  widthPx: number;
  nowMs: number;
  isTall: boolean;
  onZoom(atMs: number): void;
}

/** The past, a lane for each kind; one lane for all where the line is low. */
export const Lanes = ({ lanes, open, window, widthPx, nowMs, isTall, onZoom }: LanesProps) => {
  const perPx = (window.toMs - window.fromMs) / Math.max(1, widthPx);
  const rows = isTall
    ? LANES.map((name) => ({ name, laned: lanedOf(name, lanes[name]) }))
    : [
        {
          name: "events" as const,
          laned: LANES.flatMap((name) => lanedOf(name, lanes[name])).sort(
            (a, b) => a.atMs - b.atMs,
          ),
        },
      ];
  return rows.map(({ name, laned }, at) => (
    <div
      key={name}
      className={css.lane}
      role="group"
      aria-label={name}
      style={{ top: `${2 + at * 24}px` }}
      onKeyDown={goAlong}
    >
      <span className={css.of} aria-hidden="true">
        {name}
      </span>
      {name === "approvals" &&
        open.map(({ id, from }) => (
          <u
            key={id}
            className={`${css.span} asks`}
            style={{
              left: percent(Math.max(0, shareOf(window, Date.parse(from)))),
              right: percent(1 - shareOf(window, nowMs)),
            }}
          />
        ))}
      {nearby(laned, perPx)
        .filter(({ atMs }) => atMs >= window.fromMs && atMs <= window.toMs)
        .map((one, place, all) => (
          <Event
            key={one.atMs}
            of={one}
            window={window}
            isStop={place === all.length - 1}
            onZoom={onZoom}
          />
        ))}
    </div>
  ));
};

/** A lane is one stop of Tab, at its newest mark; arrows lead along its marks. */
const goAlong = ({ key, currentTarget, target }: KeyboardEvent<HTMLElement>) => {
  const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  if (step === 0) return;
  const marks = [...currentTarget.querySelectorAll<HTMLElement>(`.${css.mark}`)];
  marks[marks.indexOf(target as HTMLElement) + step]?.focus();
};

/** Ticks gather when they touch, marks when their signs would. */
const nearby = (laned: readonly Laned[], perPx: number) => {
  const hasMarks = laned.some(({ worst }) => MARKED.has(worst));
  return gather(laned, (hasMarks ? MARK_PX : BAR_PX) * perPx);
};

const Event = ({
  of,
  window,
  isStop,
  onZoom,
}: {
  of: Gathered<Laned>;
  window: Window;
  isStop: boolean;
  onZoom(atMs: number): void;
}) => {
  const { parts, count, worst, atMs, heightPx } = of;
  const says = saysOf(of);
  const isMarked = MARKED.has(worst);
  const shown = worst === "failed" ? failedIn(parts) : count;
  const content = (
    <>
      <span className={css.tip}>{says}</span>
      {isMarked ? (
        <span aria-hidden="true">
          {MARKS[worst].glyph}
          {shown > 1 && shown < 100 ? shown : ""}
        </span>
      ) : (
        <i aria-hidden="true" style={{ height: count === 1 ? 12 : heightPx }} />
      )}
    </>
  );
  const shared = {
    className: [
      ...[css.mark, worst, isMarked ? "" : css.tick, count > 1 ? css.many : ""],
      shareOf(window, atMs) > 0.5 ? css.end : "",
    ].join(" "),
    style: { left: percent(shareOf(window, atMs)) },
    tabIndex: isStop ? 0 : -1,
  };
  const [first] = parts;
  return count === 1 && first ? (
    <a {...shared} href={`#${placeOf(first.first.id)}`}>
      {content}
    </a>
  ) : (
    <button type="button" {...shared} onClick={() => onZoom(atMs)}>
      {content}
    </button>
  );
};
