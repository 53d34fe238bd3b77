import { nowOn } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import type { WatchedWorld } from "../rows/world.ts";
import type { StoryLines } from "./detail.ts";
import type { Size } from "./layout.ts";
import type { View } from "./view.ts";

/** Everything a frame is made of. */
export interface Scene {
  watched: WatchedWorld;
  view: View;
  size: Size;
  wallMs: number;
  /** Origin of the simulator. */
  url: string;
  ascii: boolean;
  story: StoryLines;
}

/** Simulated now as far as it is known; it rests while the connection is lost. */
const nowIn = ({ watched: { clock, link }, wallMs }: Scene) => {
  if (!clock) return undefined;
  return nowOn(clock, link.state === "live" ? wallMs : Math.min(wallMs, link.sinceMs));
};

export const contextOf = (scene: Scene): RowContext => {
  const nowMs = nowIn(scene);
  return {
    width: scene.size.columns,
    nowMs: scene.watched.link.state === "live" ? nowMs : undefined,
    now: new Date(nowMs ?? 0).toISOString(),
    ellipsis: scene.ascii ? ".." : "…",
  };
};
