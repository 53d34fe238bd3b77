import type { Snapshots } from "../../contract/control/snapshots.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { ticking } from "../../rows/clock-face.ts";
import { countIn } from "../../rows/world.ts";
import { Act } from "../parts/act.tsx";
import { Segments } from "../parts/segments.tsx";
import { useRead, useWatched } from "../use-console.ts";
import css from "./foot.module.css";
import { PRESETS, type Scale, type Window } from "./scale.ts";

/** Spans to choose from, and everything. */
const SCALES: readonly { says: string; scale: Scale }[] = [
  ...PRESETS.map(({ says, spanMs }) => ({ says, scale: { kind: "span", spanMs } as const })),
  { says: "all", scale: { kind: "all" } },
];

const isChosen = (one: Scale, scale: Scale, { fromMs, toMs }: Window) =>
  one.kind === "span"
    ? scale.kind !== "all" && Math.abs(one.spanMs - (toMs - fromMs)) < 1
    : scale.kind === one.kind;

/** Room that is left behind a timer that is brought into sight, in its distance. */
const ROOM_BEHIND = 2.6;

/** The foot of the time line: events beyond its edges, and its scale. */
export const Foot = ({
  scale,
  window,
  nowMs,
  inBars,
  onScale,
}: {
  scale: Scale;
  window: Window;
  nowMs: number;
  /** The timers that no flag names, in words. */
  inBars: string;
  onScale(scale: Scale): void;
}) => {
  const watched = useWatched();
  const { timers } = watched.lists;
  const first = timers.find(({ dueAt }) => Date.parse(dueAt) > window.toMs);
  const laterCount = countIn(watched, "timers") - (first ? timers.indexOf(first) : 0);
  const inMs = first === undefined ? 0 : Date.parse(first.dueAt) - nowMs;
  const spanMs = Math.max(window.toMs - window.fromMs, inMs * ROOM_BEHIND);
  return (
    <div className={css.foot}>
      <SnapshotNames />
      <span className={`d ${css.hint}`}>
        drag the clock, or press <kbd>a</kbd> <kbd>n</kbd> <kbd>b</kbd>
      </span>
      {inBars !== "" && <span className={`d ${css.bars}`}>and {inBars}</span>}
      {scale.kind === "fixed" && (
        <Act
          isLocal
          isSmall
          look="quiet"
          onAct={() =>
            void onScale({ kind: "span", spanMs: Math.round(window.toMs - window.fromMs) })
          }
        >
          Back to now
        </Act>
      )}
      {first && (
        <Act isLocal isSmall look="quiet" onAct={() => void onScale({ kind: "span", spanMs })}>
          {`${inGroups(laterCount)} later, first in ${ticking(inMs)}`}
          <span aria-hidden="true"> →</span>
        </Act>
      )}
      <Segments
        label="Scale"
        of={SCALES.map(({ says, scale: one }) => [one, says])}
        isChosen={(one) => isChosen(one, scale, window)}
        onChoose={onScale}
      />
    </div>
  );
};

/** Names that have room below the lanes. */
const MOST_NAMES = 3;

/** The newest snapshots, each leading to what changed since. */
const SnapshotNames = () => {
  const { body } = useRead<Snapshots>("/snapshots");
  return (
    <span className={`s ${css.snapshots}`}>
      <a href="#/snapshots">snapshots</a>
      {body?.data.slice(-MOST_NAMES).map(({ name, now }) => (
        <a
          key={name}
          className="m"
          href={`#/diff?from=snapshot:${encodeURIComponent(name)}&to=now`}
          title={`${name}, saved at ${now.slice(0, 19)}: see what changed since`}
        >
          {name}
        </a>
      ))}
    </span>
  );
};
