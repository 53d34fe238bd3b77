/** A span of simulated time across the plane of the time line. */
export interface Window {
  fromMs: number;
  toMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Spans to choose from, by the words on their buttons. */
export const PRESETS = [
  { says: "10m", spanMs: 10 * MINUTE_MS },
  { says: "30m", spanMs: 30 * MINUTE_MS },
  { says: "2h", spanMs: 2 * HOUR_MS },
  { says: "1d", spanMs: DAY_MS },
  { says: "30d", spanMs: 30 * DAY_MS },
] as const;

/** Place of now, as a share of the width. */
export const NOW_AT = { wide: 0.56, narrow: 0.34 } as const;

/** The span of a plane whose clock stands at its usual place, moved by `panMs`. */
export const windowOf = (
  nowMs: number,
  { spanMs, nowAt, panMs = 0 }: { spanMs: number; nowAt: number; panMs?: number },
): Window => {
  const fromMs = Math.round(nowMs - spanMs * nowAt + panMs);
  return { fromMs, toMs: fromMs + spanMs };
};

/** Share of the width at which an instant stands; below 0 or above 1 outside. */
export const shareOf = ({ fromMs, toMs }: Window, atMs: number) =>
  (atMs - fromMs) / (toMs - fromMs);

/** The instant at a share of the width. */
export const instantAt = ({ fromMs, toMs }: Window, share: number) =>
  Math.round(fromMs + share * (toMs - fromMs));

/** The smallest preset in which the next timer is in sight. */
export const firstSpanMs = (nowMs: number, nextMs: number | undefined, nowAt: number): number => {
  const aheadMs = nextMs === undefined ? 0 : nextMs - nowMs;
  const fits = PRESETS.find(({ spanMs }) => aheadMs <= spanMs * (1 - nowAt) * 0.95);
  return (fits ?? PRESETS[PRESETS.length - 1] ?? { spanMs: DAY_MS }).spanMs;
};

/** A span that shows everything between the first event and the last timer. */
export const wholeSpanMs = (
  nowMs: number,
  { earliestMs, latestMs }: { earliestMs: number; latestMs: number },
  nowAt: number,
) =>
  Math.max(
    MINUTE_MS,
    ((nowMs - earliestMs) / nowAt) * 1.05,
    ((latestMs - nowMs) / (1 - nowAt)) * 1.05,
  );

const STEPS_MS = [
  1000,
  5000,
  10_000,
  30_000,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  5 * DAY_MS,
  10 * DAY_MS,
  30 * DAY_MS,
  90 * DAY_MS,
  365 * DAY_MS,
  3650 * DAY_MS,
];

/** Least distance of two labels of the axis. */
const LABEL_PX = 70;

/** The step between labels for a width. */
export const axisStepMs = ({ fromMs, toMs }: Window, widthPx: number): number => {
  const perPx = (toMs - fromMs) / Math.max(1, widthPx);
  return STEPS_MS.find((step) => step / perPx >= LABEL_PX) ?? 3650 * DAY_MS;
};

/** A label of the axis: a time, or the date at midnight. */
export interface AxisLabel {
  atMs: number;
  says: string;
}

/** Labels at round instants. */
export const axisLabels = (window: Window, widthPx: number): AxisLabel[] => {
  const step = axisStepMs(window, widthPx);
  const labels: AxisLabel[] = [];
  for (let at = Math.ceil(window.fromMs / step) * step; at <= window.toMs; at += step) {
    const iso = new Date(at).toISOString();
    const isMidnight = at % DAY_MS === 0;
    const time = iso.slice(11, step < MINUTE_MS ? 19 : 16);
    labels.push({
      atMs: at,
      says: isMidnight ? iso.slice(step >= 365 * DAY_MS ? 0 : 5, 10) : time,
    });
  }
  return labels;
};

/** Places on the line that a share of the width stands for, as CSS has it. */
export const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
