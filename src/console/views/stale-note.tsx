import { Act } from "../parts/act.tsx";
import { useKnownMs } from "../use-console.ts";
import css from "./stale-note.module.css";

/** Says that a detail is older than the world around it, while that lasts. */
export const StaleNote = ({ isStale, again }: { isStale: boolean; again(): void }) => {
  const knownMs = useKnownMs();
  if (!isStale || knownMs === undefined) return null;
  return (
    <span className={`${css.stale} d`}>
      ~ as of {new Date(knownMs).toISOString().slice(11, 19)}
      <Act isSmall look="quiet" onAct={again}>
        Reload
      </Act>
    </span>
  );
};
