import { inGroups } from "../../contract/core/digit-groups.ts";
import { driftOf, ticking } from "../../rows/clock-face.ts";
import { Mark } from "../parts/text.tsx";
import { useConsole, useIsLive, useKnownMs, useWatched } from "../use-console.ts";
import { useClockActions } from "./use-clock-actions.ts";

const Time = () => {
  const nowMs = useKnownMs();
  const { clock } = useWatched();
  if (nowMs === undefined || !clock) return <div className="now" />;
  const iso = new Date(nowMs).toISOString();
  return (
    <div className="now">
      <b>
        <time dateTime={iso}>{iso.slice(11, 19)}</time>
      </b>
      <span className="d">
        <span className="long">{iso.slice(0, 10)}, </span>
        {driftOf(clock)}
      </span>
    </div>
  );
};

const Health = () => {
  const { totals, link } = useWatched();
  const off = Object.entries(totals).filter(([, total]) => total !== 0);
  return (
    <div className="ok">
      {off.length === 0 ? (
        <a className="ledger s" href="#/ledger">
          <Mark name="done" /> ledger is zero
        </a>
      ) : (
        <a className="ledger failed" href="#/ledger">
          <Mark name="failed" /> ledger is off by{" "}
          {off.map(([code, total]) => `${inGroups(total)} ${code}`).join(", ")}
        </a>
      )}
      {link.state === "live" ? (
        <span className="done live">
          <Mark name="done" /> live
        </span>
      ) : (
        <span className="failed live">
          <Mark name="failed" /> no answer
        </span>
      )}
    </div>
  );
};

/** The clock over everything, and the buttons that move it. */
export const ClockBar = () => {
  const { openSheet, worldName } = useConsole();
  const { lists, clock, world } = useWatched();
  const isLive = useIsLive();
  const nowMs = useKnownMs();
  const { toNext, freeze } = useClockActions();
  const [next] = lists.timers;
  const inText = !isLive
    ? "?:??"
    : next && nowMs !== undefined
      ? ticking(Date.parse(next.dueAt) - nowMs)
      : "no timer";
  return (
    <header className="bar">
      <a className="name" href="#/">
        service-sim
      </a>
      <a className="btn small bare world" href="#/worlds">
        world <b className="m">{worldName ?? world}</b> <span aria-hidden="true">▾</span>
      </a>
      <Time />
      <div className="grow" />
      <Health />
      <div className="acts">
        <button type="button" className="btn" disabled={!isLive} onClick={freeze}>
          {clock?.mode === "real" ? "Freeze" : "Let it run"} <kbd>z</kbd>
        </button>
        <button type="button" className="btn" disabled={!isLive || !next} onClick={toNext}>
          Next, {inText} <kbd>n</kbd>
        </button>
        <button
          type="button"
          className="btn go time"
          disabled={!isLive}
          onClick={() => openSheet({ kind: "advance" })}
        >
          Advance… <kbd>a</kbd>
        </button>
      </div>
    </header>
  );
};
