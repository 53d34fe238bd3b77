import { inGroups } from "../../contract/core/digit-groups.ts";
import { driftOf, ticking } from "../../rows/clock-face.ts";
import act from "../parts/act.module.css";
import { Act } from "../parts/act.tsx";
import { Mark } from "../parts/text.tsx";
import { useConsole, useIsLive, useKnownMs, useWatched } from "../use-console.ts";
import css from "./clock-bar.module.css";
import { useClockActions } from "./use-clock-actions.ts";

const Time = () => {
  const nowMs = useKnownMs();
  const { clock } = useWatched();
  if (nowMs === undefined || !clock) return <div className={css.now} />;
  const iso = new Date(nowMs).toISOString();
  return (
    <div className={css.now}>
      <b>
        <time dateTime={iso}>{iso.slice(11, 19)}</time>
      </b>
      <span className="d">
        {iso.slice(0, 10)}, {driftOf(clock)}
      </span>
    </div>
  );
};

const Health = () => {
  const { totals, link } = useWatched();
  const off = Object.entries(totals).filter(([, total]) => total !== 0);
  return (
    <div className={css.ok}>
      {off.length === 0 ? (
        <a className="s" href="#/ledger">
          <Mark name="done" /> ledger balanced
        </a>
      ) : (
        <a className="failed" href="#/ledger">
          <Mark name="failed" /> ledger off by{" "}
          {off.map(([code, total]) => `${inGroups(total)} ${code}`).join(", ")}
        </a>
      )}
      {link.state === "live" ? (
        <span className="done live">
          <Mark name="done" /> live
        </span>
      ) : link.state === "connecting" ? (
        <span className="waits live">
          <Mark name="waits" /> connecting
        </span>
      ) : (
        <span className="failed live">
          <Mark name="failed" /> no answer
        </span>
      )}
    </div>
  );
};

/** The clock over everything, and the buttons that move it; it folds where it has no room. */
export const ClockBar = () => {
  const { openSheet, worldName } = useConsole();
  const { lists, clock, world } = useWatched();
  const isLive = useIsLive();
  const nowMs = useKnownMs();
  const { toNext, freeze } = useClockActions();
  const [next] = lists.timers;
  const name = worldName ?? world;
  const inText = !isLive
    ? "?:??"
    : next && nowMs !== undefined
      ? ticking(Date.parse(next.dueAt) - nowMs)
      : "no timer";
  return (
    <header className={css.bar}>
      <a className={css.name} href="#/">
        service-sim
      </a>
      <a
        className={`${act.btn} ${act.small} ${act.bare} ${css.world}`}
        href="#/worlds"
        title={`world ${name}`}
      >
        world <b className="m cut">{name}</b> <span aria-hidden="true">▾</span>
      </a>
      <Time />
      <Health />
      <div className="acts">
        <Act shortcut="z" onAct={() => void freeze()}>
          {clock?.mode === "real" ? "Freeze" : "Let it run"}
        </Act>
        <Act shortcut="n" isDisabled={!next} onAct={() => void toNext()}>
          Next, {inText}
        </Act>
        <Act look="time" shortcut="a" onAct={() => void openSheet({ kind: "advance" })}>
          Advance…
        </Act>
      </div>
    </header>
  );
};
