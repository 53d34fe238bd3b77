import { Act } from "../parts/act.tsx";
import type { Read } from "../use-console.ts";
import css from "./stale-note.module.css";

/** Says that a detail is older than the world around it, while that lasts. */
export const StaleNote = ({ of }: { of: readonly Read<unknown>[] }) => {
  const stale = of.filter(({ isStale }) => isStale);
  const [oldest] = stale.toSorted((a, b) => (a.readAtMs ?? 0) - (b.readAtMs ?? 0));
  if (oldest?.readAtMs === undefined) return null;
  const again = () => {
    for (const read of stale) read.again();
  };
  return (
    <span className={`${css.stale} d`}>
      ~ as of {new Date(oldest.readAtMs).toISOString().slice(11, 19)}
      <Act isSmall look="quiet" onAct={again}>
        Reload
      </Act>
    </span>
  );
};
