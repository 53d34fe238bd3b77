import type { WorldMode } from "../contract/core/world-settings.ts";
import { parseDuration } from "../domain/core/durations.ts";
import { type SimulatorOptions, shownText, unfit } from "../options/simulator-options.ts";

/** Bounds on the worlds of a process (spec/worlds.md#bounds). */
export interface WorldBounds {
  mode: WorldMode;
  max: number;
  /** Wall milliseconds without a call after which a world is unloaded. */
  ttlMs: number;
}

export const DEFAULT_MAX_WORLDS = 1_000;
const DEFAULT_WORLD_TTL = "10m";

/**
 * The bounds on worlds that the options say.
 * @throws OptionError for an unusable option
 */
export const worldBoundsOf = ({ worlds, maxWorlds, worldTtl }: SimulatorOptions): WorldBounds => {
  const ttlMs = parseDuration(worldTtl ?? DEFAULT_WORLD_TTL);
  if (ttlMs === undefined || ttlMs <= 0)
    throw unfit("worldTtl", "a span like 10m or 1h30m", shownText(String(worldTtl)));
  return { mode: worlds ?? "open", max: maxWorlds ?? DEFAULT_MAX_WORLDS, ttlMs };
};
