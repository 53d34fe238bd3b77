import { type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import type { TimerRow } from "../../contract/control/feed-rows.ts";
import type { History } from "../../contract/control/history.ts";
import type { PendingTimers } from "../../contract/control/timers.ts";
import { ticking } from "../../rows/clock-face.ts";
import { isCut } from "../../rows/world.ts";
import { counted } from "../../text/layout.ts";
import { Mark } from "../parts/text.tsx";
import { useConsole, useIsLive, useKnownMs, useRead, useWatched } from "../use-console.ts";
import { aheadOf, countsOf } from "./ahead.ts";
import { Flags, namedCount } from "./flags.tsx";
import { Foot } from "./foot.tsx";
import { Head } from "./head.tsx";
import { LANES, Lanes } from "./lanes.tsx";
import { axisLabels, NOW_AT, percent, shareOf, type Window, windowOf, zoomedTo } from "./scale.ts";
import css from "./time-line.module.css";
import { useScale } from "./use-scale.ts";

/** Parts in which a span is counted. */
const PARTS = 240;

const NARROW_PX = 720;

/** Pixels beside the line in a wide window: the names of its lanes, and the margin. */
const BESIDE_PX = 100;

const useBox = () => {
  const ref = useRef<HTMLDivElement>(null);
  // A guess until it is measured: where it is right, the line is drawn once.
  const [widthPx, setWidth] = useState(() => document.documentElement.clientWidth - BESIDE_PX);
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

/** The clock as a line: what happened to the left, what will happen to the right. */
export const TimeLine = ({ isTall }: { isTall: boolean }) => {
  const nowMs = useKnownMs();
  const { worldName } = useConsole();
  return nowMs === undefined ? (
    <section className={css.line} aria-label="Time line" />
  ) : (
    <KnownLine key={worldName ?? ""} isTall={isTall} nowMs={nowMs} />
  );
};

const isShown = (timers: readonly TimerRow[], { fromMs, toMs }: Window) =>
  timers.filter(({ dueAt }) => Date.parse(dueAt) >= fromMs && Date.parse(dueAt) <= toMs);

/** Counts of all timers in sight; nothing while the store has each of them. */
const useBuckets = ({ nowMs, toMs }: { nowMs: number; toMs: number }) => {
  const watched = useWatched();
  const range = rounded({ fromMs: nowMs, toMs });
  const path = `/timers?from=${iso(range.fromMs)}&to=${iso(range.toMs)}&buckets=${PARTS}&limit=1`;
  const { body } = useRead<PendingTimers>(isCut(watched, "timers") ? path : undefined, {
    isPrevious: true,
  });
  return body?.buckets;
};

/** The first event and the last timer of all, read while the whole of time is shown. */
const useEnds = (isWanted: boolean, nowMs: number) => {
  const watched = useWatched();
  const to = iso(rounded({ fromMs: 0, toMs: nowMs }).toMs);
  const first = useRead<History>(
    isWanted ? `/history?from=${iso(0)}&to=${to}&buckets=1` : undefined,
    { isPrevious: true },
  );
  const isLong = isWanted && isCut(watched, "timers");
  const last = useRead<PendingTimers>(isLong ? "/timers?limit=1" : undefined);
  const firsts = LANES.flatMap((name) => first.body?.lanes[name].map(({ at }) => at) ?? []).sort();
  const lastAt = last.body?.lastDueAt ?? watched.lists.timers.at(-1)?.dueAt;
  return { firstMs: msOf(firsts[0]), lastMs: msOf(lastAt) };
};

const msOf = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at));

const KnownLine = ({ isTall: isHigh, nowMs }: { isTall: boolean; nowMs: number }) => {
  const { ref, widthPx } = useBox();
  const { lists } = useWatched();
  const { worldName } = useConsole();
  const [scale, setScale] = useScale(worldName);
  const isNarrow = widthPx < NARROW_PX;
  const isTall = isHigh && !isNarrow;
  const nowAt = isNarrow ? NOW_AT.narrow : NOW_AT.wide;
  const nextMs = msOf(lists.timers[0]?.dueAt);
  const ends = useEnds(scale.kind === "all", nowMs);
  const window = windowOf(scale, { nowMs, nowAt, nextMs, ...ends });
  const range = rounded({ fromMs: window.fromMs, toMs: Math.max(nowMs, window.fromMs + 1000) });
  const { body: history } = useRead<History>(
    `/history?from=${iso(range.fromMs)}&to=${iso(range.toMs)}&buckets=${PARTS}`,
    { isPrevious: true },
  );
  const timers = isShown(lists.timers, { fromMs: nowMs, toMs: window.toMs });
  const lanes = history?.lanes;
  const named = timers.slice(0, namedCount(isTall));
  const rest = aheadOf(timers, named.length, useBuckets({ nowMs, toMs: window.toMs }));
  const zoom = (atMs: number) => setScale(zoomedTo(atMs, window));
  const stops = [
    ...timers.map(({ dueAt }) => Date.parse(dueAt)),
    ...LANES.flatMap((name) => lanes?.[name].map(({ at }) => Date.parse(at)) ?? []),
  ].sort((a, b) => a - b);
  const earliestMs = msOf(history?.earliest);
  return (
    <section className={`${css.line} ${isTall ? css.tall : ""}`} aria-label="Time line">
      <Axis
        window={window}
        widthPx={widthPx}
        onPan={(fromMs) => setScale({ kind: "fixed", fromMs, spanMs: window.toMs - window.fromMs })}
      />
      <div className={css.plane} ref={ref}>
        <i className={css.ahead} style={{ left: percent(clamped(shareOf(window, nowMs))) }} />
        {earliestMs !== undefined && earliestMs > window.fromMs && (
          <i
            className={css.beyond}
            style={{ width: percent(clamped(shareOf(window, earliestMs))) }}
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
      <Foot {...{ scale, window, nowMs }} inBars={countsOf(rest)} onScale={setScale} />
      <NextRows timers={lists.timers.slice(0, 3)} nowMs={nowMs} />
    </section>
  );
};

const clamped = (share: number) => Math.min(1, Math.max(0, share));

const Axis = ({
  window,
  widthPx,
  onPan,
}: {
  window: Window;
  widthPx: number;
  onPan(fromMs: number): void;
}) => {
  const from = useRef<{ x: number; fromMs: number } | undefined>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, fromMs: window.fromMs };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!from.current || event.clientX === from.current.x) return;
    const perPx = (window.toMs - window.fromMs) / Math.max(1, widthPx);
    onPan(from.current.fromMs - (event.clientX - from.current.x) * perPx);
  };
  const onPointerUp = () => {
    from.current = undefined;
  };
  return (
    <div
      className={css.axis}
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    >
      {axisLabels(window, widthPx).map(({ atMs, says }) => (
        <i key={atMs} style={{ left: percent(shareOf(window, atMs)) }}>
          <span>{says}</span>
        </i>
      ))}
    </div>
  );
};

/** The next timers as rows to touch, where the line is narrow. */
const NextRows = ({ timers, nowMs }: { timers: readonly TimerRow[]; nowMs: number }) => {
  const { openSheet } = useConsole();
  const isLive = useIsLive();
  return (
    <div className={css.next}>
      {timers.map(({ id, dueAt, timer, subject, then }) => (
        <button
          type="button"
          key={id}
          disabled={!isLive}
          title={`${timer} ${subject} → ${then}`}
          onClick={() => openSheet({ kind: "advance", to: dueAt })}
        >
          <Mark name="clock" />
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
