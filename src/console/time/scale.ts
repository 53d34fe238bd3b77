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

/** The part of time to show, as somebody chose it. */
export type Scale =
  /** Nobody chose: the next timer decides. */
  | { kind: "auto" }
  /** A span that goes along with the clock. */
  | { kind: "span"; spanMs: number }
  /** A span that stays where it was put. */
  | { kind: "fixed"; fromMs: number; spanMs: number }
  /** Everything from the first event to the last timer. */
  | { kind: "all" };

/** Instants that a window is made from. */
export interface Known {
  nowMs: number;
  /** Place of now, as a share of the width. */
  nowAt: number;
  nextMs: number | undefined;
  firstMs: number | undefined;
  lastMs: number | undefined;
}

/** Share of a span that is left free around everything. */
const MARGIN = 0.04;

const windowAt = (fromMs: number, spanMs: number): Window => ({
  fromMs: Math.round(fromMs),
  toMs: Math.round(fromMs) + Math.round(spanMs),
});

const wholeWindow = ({ nowMs, firstMs = nowMs, lastMs = nowMs }: Known): Window => {
  const [fromMs, toMs] = [Math.min(nowMs, firstMs), Math.max(nowMs, lastMs)];
  const spanMs = Math.max(MINUTE_MS, (toMs - fromMs) * (1 + 2 * MARGIN));
  return windowAt((fromMs + toMs - spanMs) / 2, spanMs);
};

/** The window of a scale; one that goes along has the clock at its usual place. */
export const windowOf = (scale: Scale, known: Known): Window => {
  const { nowMs, nextMs, nowAt } = known;
  if (scale.kind === "all") return wholeWindow(known);
  if (scale.kind === "fixed") return windowAt(scale.fromMs, scale.spanMs);
  const spanMs = scale.kind === "span" ? scale.spanMs : firstSpanMs(nowMs, nextMs, nowAt);
  return windowAt(nowMs - spanMs * nowAt, spanMs);
};

const LEAST_SPAN_MS = 10_000;
const ZOOM = 8;

/** A narrower window with an instant in its middle. */
export const zoomedTo = (atMs: number, { fromMs, toMs }: Window): Scale => {
  const spanMs = Math.max(LEAST_SPAN_MS, (toMs - fromMs) / ZOOM);
  return { kind: "fixed", fromMs: atMs - spanMs / 2, spanMs };
};

const KINDS: ReadonlySet<unknown> = new Set(["auto", "span", "fixed", "all"]);

/** The scale that a text keeps; `auto` for a text of another form. */
export const scaleIn = (text: string | null): Scale => {
  try {
    const kept = JSON.parse(text ?? "");
    const numbers = [kept.spanMs ?? 1, kept.fromMs ?? 1];
    if (KINDS.has(kept.kind) && numbers.every(Number.isFinite)) return kept;
  } catch {
    // Somebody else's text under our name.
  }
  return { kind: "auto" };
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

/** Half the width of a label: one nearer to an edge would be cut. */
const HALF_LABEL_PX = 32;

/** Labels at round instants, each with room for itself. */
export const axisLabels = (window: Window, widthPx: number): AxisLabel[] => {
  const step = axisStepMs(window, widthPx);
  const labels: AxisLabel[] = [];
  for (let at = Math.ceil(window.fromMs / step) * step; at <= window.toMs; at += step) {
    const xPx = shareOf(window, at) * widthPx;
    if (xPx < HALF_LABEL_PX || xPx > widthPx - HALF_LABEL_PX) continue;
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
