import { instantAt, shareOf, type Window } from "./scale.ts";

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
