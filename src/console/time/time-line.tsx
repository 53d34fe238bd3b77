import { type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import type { TimerRow } from "../../contract/control/feed-rows.ts";
import type { History } from "../../contract/control/history.ts";
import type { Snapshots } from "../../contract/control/snapshots.ts";
import type { PendingTimers } from "../../contract/control/timers.ts";
import { ticking } from "../../rows/clock-face.ts";
import { MAX_ROWS } from "../../rows/world.ts";
import { counted } from "../../text/layout.ts";
import { useConsole, useIsLive, useKnownMs, useRead, useWatched } from "../use-console.ts";
import { aheadOf, countsOf } from "./ahead.ts";
import { Flags, namedCount } from "./flags.tsx";
import { Head } from "./head.tsx";
import { LANES, Lanes } from "./lanes.tsx";
import {
  axisLabels,
  firstSpanMs,
  NOW_AT,
  PRESETS,
  percent,
  shareOf,
  type Window,
  wholeSpanMs,
  windowOf,
} from "./scale.ts";

/** Parts in which a span is counted. */
const PARTS = 240;

const NARROW_PX = 720;

const useBox = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [widthPx, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, widthPx };
};

/** A window rounded outward, so that a running clock does not ask again each second. */
const rounded = ({ fromMs, toMs }: Window): Window => {
  const step = Math.max(1000, Math.round((toMs - fromMs) / 16 / 1000) * 1000);
  return { fromMs: Math.floor(fromMs / step) * step, toMs: Math.ceil(toMs / step) * step };
};

const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());

interface Chosen {
  /** Undefined until somebody chooses: the next timer decides. */
  spanMs: number | undefined;
  panMs: number;
}

/** The clock as a line: what happened to the left, what will happen to the right. */
export const TimeLine = ({ isTall }: { isTall: boolean }) => {
  const nowMs = useKnownMs();
  return nowMs === undefined ? (
    <section className="tl" aria-label="Time line" />
  ) : (
    <KnownLine isTall={isTall} nowMs={nowMs} />
  );
};

const isShown = (timers: readonly TimerRow[], { fromMs, toMs }: Window) =>
  timers.filter(({ dueAt }) => Date.parse(dueAt) >= fromMs && Date.parse(dueAt) <= toMs);

/** The store keeps the next 1,000 timers. */
const isCut = (timers: readonly TimerRow[]) => timers.length >= MAX_ROWS;

/** Counts of all timers in sight; nothing while the store has each of them. */
const useBuckets = ({ nowMs, toMs }: { nowMs: number; toMs: number }) => {
  const { lists } = useWatched();
  const range = rounded({ fromMs: nowMs, toMs });
  const path = `/timers?from=${iso(range.fromMs)}&to=${iso(range.toMs)}&buckets=${PARTS}&limit=1`;
  const { body } = useRead<PendingTimers>(isCut(lists.timers) ? path : undefined, {
    isPrevious: true,
  });
  return body?.buckets;
};

const KnownLine = ({ isTall, nowMs }: { isTall: boolean; nowMs: number }) => {
  const { ref, widthPx } = useBox();
  const { lists } = useWatched();
  const [chosen, setChosen] = useState<Chosen>({ spanMs: undefined, panMs: 0 });
  const nowAt = widthPx > 0 && widthPx < NARROW_PX ? NOW_AT.narrow : NOW_AT.wide;
  const nextMs = lists.timers[0] && Date.parse(lists.timers[0].dueAt);
  const spanMs = chosen.spanMs ?? firstSpanMs(nowMs, nextMs, nowAt);
  const window = windowOf(nowMs, { spanMs, nowAt, panMs: chosen.panMs });
  const range = rounded({ fromMs: window.fromMs, toMs: Math.max(nowMs, window.fromMs + 1000) });
  const { body: history } = useRead<History>(
    `/history?from=${iso(range.fromMs)}&to=${iso(range.toMs)}&buckets=${PARTS}`,
    { isPrevious: true },
  );
  const timers = isShown(lists.timers, { fromMs: nowMs, toMs: window.toMs });
  const lanes = history?.lanes;
  const named = timers.slice(0, namedCount(isTall));
  const rest = aheadOf(timers, named.length, useBuckets({ nowMs, toMs: window.toMs }));
  const zoom = (atMs: number) => setChosen(zoomed(nowMs, { atMs, spanMs, nowAt }));
  const stops = [
    ...timers.map(({ dueAt }) => Date.parse(dueAt)),
    ...LANES.flatMap((name) => lanes?.[name].map(({ at }) => Date.parse(at)) ?? []),
  ].sort((a, b) => a - b);
  const earliestMs = history?.earliest === undefined ? undefined : Date.parse(history.earliest);
  const wholeMs = wholeSpanMs(
    nowMs,
    {
      earliestMs: earliestMs ?? nowMs - spanMs / 2,
      latestMs: Date.parse(lists.timers.at(-1)?.dueAt ?? new Date(nowMs).toISOString()),
    },
    nowAt,
  );
  return (
    <section className={`tl ${isTall ? "tall" : ""}`} aria-label="Time line">
      <Axis window={window} widthPx={widthPx} onPan={(panMs) => setChosen({ spanMs, panMs })} />
      <div className="plane" ref={ref}>
        <i className="ahead" style={{ left: percent(Math.max(0, shareOf(window, nowMs))) }} />
        {earliestMs !== undefined && earliestMs > window.fromMs && (
          <i
            className="beyond"
            style={{ width: percent(Math.min(1, shareOf(window, earliestMs))) }}
            title="A rewind reaches no further back"
          />
        )}
        {lanes && (
          <Lanes
            lanes={lanes}
            open={history.open ?? []}
            {...{ window, widthPx, nowMs, isTall }}
            onZoom={zoom}
          />
        )}
        <Flags {...{ named, rest, window, widthPx, nowMs, isTall }} onZoom={zoom} />
        <Head {...{ window, widthPx, nowMs, stops, earliestMs, timers }} box={ref} />
      </div>
      <Foot
        {...{ spanMs, wholeMs, window }}
        inBars={countsOf(rest)}
        isMoved={chosen.panMs !== 0}
        onSpan={(span) => setChosen({ spanMs: span, panMs: 0 })}
        onBack={() => setChosen({ spanMs, panMs: 0 })}
      />
      <NextRows timers={lists.timers.slice(0, 3)} nowMs={nowMs} />
    </section>
  );
};

const ZOOM = 8;

const zoomed = (
  nowMs: number,
  { atMs, spanMs, nowAt }: { atMs: number; spanMs: number; nowAt: number },
): Chosen => {
  const narrower = Math.max(10_000, spanMs / ZOOM);
  return { spanMs: narrower, panMs: atMs - nowMs + narrower * (nowAt - 0.5) };
};

const Axis = ({
  window,
  widthPx,
  onPan,
}: {
  window: Window;
  widthPx: number;
  onPan(panMs: number): void;
}) => {
  const from = useRef<{ x: number; fromMs: number } | undefined>(undefined);
  const now = useKnownMs() ?? 0;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, fromMs: window.fromMs };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!from.current) return;
    const perPx = (window.toMs - window.fromMs) / Math.max(1, widthPx);
    const wanted = from.current.fromMs - (event.clientX - from.current.x) * perPx;
    const nowAt = widthPx < NARROW_PX ? NOW_AT.narrow : NOW_AT.wide;
    onPan(wanted - (now - (window.toMs - window.fromMs) * nowAt));
  };
  return (
    <div
      className="axis"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = undefined;
      }}
    >
      {axisLabels(window, widthPx).map(({ atMs, says }) => (
        <i key={atMs} style={{ left: percent(shareOf(window, atMs)) }}>
          <span>{says}</span>
        </i>
      ))}
    </div>
  );
};

const Foot = ({
  spanMs,
  wholeMs,
  window,
  inBars,
  isMoved,
  onSpan,
  onBack,
}: {
  /** The timers that no flag names, in words. */
  inBars: string;
  spanMs: number;
  wholeMs: number;
  window: Window;
  isMoved: boolean;
  onSpan(spanMs: number): void;
  onBack(): void;
}) => {
  const { lists } = useWatched();
  const nowMs = useKnownMs() ?? 0;
  const later = lists.timers.filter(({ dueAt }) => Date.parse(dueAt) > window.toMs);
  const [first] = later;
  const spans = [...PRESETS, { says: "all", spanMs: wholeMs }];
  return (
    <div className="tlfoot">
      <SnapshotNames />
      <span className="d hint">
        drag the clock, or press <kbd>a</kbd> <kbd>n</kbd> <kbd>b</kbd>
      </span>
      <fieldset className="seg">
        <legend className="vh">Scale</legend>
        {spans.map((span) => (
          <button
            type="button"
            key={span.says}
            aria-pressed={Math.abs(span.spanMs - spanMs) < 1}
            onClick={() => onSpan(span.spanMs)}
          >
            {span.says}
          </button>
        ))}
      </fieldset>
      {inBars !== "" && <span className="d inbars">and {inBars}</span>}
      {isMoved && (
        <button type="button" className="btn small bare" onClick={onBack}>
          back to now
        </button>
      )}
      {first && (
        <button
          type="button"
          className="btn small bare"
          onClick={() => onSpan(Math.max(spanMs, (Date.parse(first.dueAt) - nowMs) * 2.6))}
        >
          {`${isCut(lists.timers) ? "more" : later.length} later, first in ${ticking(Date.parse(first.dueAt) - nowMs)}`}
          <span aria-hidden="true"> →</span>
        </button>
      )}
    </div>
  );
};

/** Names that have room below the lanes. */
const MOST_NAMES = 3;

/** The newest snapshots, each leading to what changed since. */
const SnapshotNames = () => {
  const { body } = useRead<Snapshots>("/snapshots");
  return (
    <span className="s snaps">
      <a href="#/snapshots">snapshots</a>
      {body?.data.slice(-MOST_NAMES).map(({ name, now }) => (
        <a
          key={name}
          className="m"
          href={`#/diff?from=snapshot:${encodeURIComponent(name)}&to=now`}
          title={`kept at ${now.slice(0, 19)}: what changed since`}
        >
          {name}
        </a>
      ))}
    </span>
  );
};

/** The next timers as rows to touch, where the line is narrow. */
const NextRows = ({ timers, nowMs }: { timers: readonly TimerRow[]; nowMs: number }) => {
  const { openSheet } = useConsole();
  const isLive = useIsLive();
  return (
    <div className="nextlist">
      {timers.map(({ id, dueAt, timer, subject, then }) => (
        <button
          type="button"
          key={id}
          disabled={!isLive}
          onClick={() => openSheet({ kind: "advance", to: dueAt })}
        >
          <span className="mk clock" aria-hidden="true">
            @
          </span>
          <span>{isLive ? ticking(Date.parse(dueAt) - nowMs) : "?:??"}</span>
          <span>
            {timer} <span className="d">…{subject.slice(-6)}</span>
          </span>
          <span className="d">{then}</span>
        </button>
      ))}
      {timers.length === 0 && <p className="more">{counted(0, "pending timer")}</p>}
    </div>
  );
};
