import type { History, HistoryBucket } from "../../contract/control/history.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { MARKS, type MarkName } from "../../text/marks.ts";
import { placeOf } from "../routes.ts";
import { type Gathered, gather } from "./gather.ts";
import { percent, shareOf, type Window } from "./scale.ts";

/** Lanes of the past, from top to bottom. */
export const LANES = ["requests", "timers", "webhooks", "approvals"] as const;

type LaneName = (typeof LANES)[number];

/** Events nearer than this stand in one bar, pixels. */
const BAR_PX = 6;
/** Marks nearer than this stand in one mark. */
const MARK_PX = 12;

const MARKED: ReadonlySet<MarkName> = new Set(["failed", "asks", "waits", "over"]);

interface Laned extends HistoryBucket {
  atMs: number;
  lane: LaneName;
}

const lanedOf = (lane: LaneName, buckets: readonly HistoryBucket[]): Laned[] =>
  buckets.map((bucket) => ({ ...bucket, atMs: Date.parse(bucket.at), lane }));

const saysOf = ({ parts, count, worst }: Gathered<Laned>) => {
  const [first] = parts;
  const at = first?.at.slice(11, 19) ?? "";
  if (count === 1) return `${at} ${first?.first.says ?? ""}, ${worst}`;
  return `${at} ${inGroups(count)} ${first?.lane ?? "events"}, worst ${worst}`;
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
          name: "all" as const,
          laned: LANES.flatMap((name) => lanedOf(name, lanes[name])).sort(
            (a, b) => a.atMs - b.atMs,
          ),
        },
      ];
  return rows.map(({ name, laned }, at) => (
    <div key={name} className="lane" style={{ top: `${2 + at * 24}px` }}>
      {isTall && <span>{name}</span>}
      {name === "approvals" &&
        open.map(({ id, from }) => (
          <u
            key={id}
            className="span asks"
            style={{
              left: percent(Math.max(0, shareOf(window, Date.parse(from)))),
              right: percent(1 - shareOf(window, nowMs)),
            }}
          />
        ))}
      {nearby(laned, perPx)
        .filter(({ atMs }) => atMs >= window.fromMs && atMs <= window.toMs)
        .map((one) => (
          <Event key={one.atMs} of={one} window={window} onZoom={onZoom} />
        ))}
    </div>
  ));
};

/** Ticks gather when they touch, marks when their signs would. */
const nearby = (laned: readonly Laned[], perPx: number) => {
  const hasMarks = laned.some(({ worst }) => MARKED.has(worst));
  return gather(laned, (hasMarks ? MARK_PX : BAR_PX) * perPx);
};

const Event = ({
  of,
  window,
  onZoom,
}: {
  of: Gathered<Laned>;
  window: Window;
  onZoom(atMs: number): void;
}) => {
  const { parts, count, worst, atMs, heightPx } = of;
  const says = saysOf(of);
  const isMarked = MARKED.has(worst);
  const content = (
    <>
      <span className="vh">{says}</span>
      {isMarked ? (
        <span aria-hidden="true">
          {MARKS[worst].glyph}
          {count > 1 && count < 100 ? count : ""}
        </span>
      ) : (
        <i aria-hidden="true" style={{ height: count === 1 ? 12 : heightPx }} />
      )}
    </>
  );
  const shared = {
    className: `ev ${worst} ${isMarked ? "" : "t"} ${count > 1 ? "n" : ""}`,
    style: { left: percent(shareOf(window, atMs)) },
    title: says,
    tabIndex: -1,
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
