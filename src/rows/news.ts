import type { ReadEvent } from "../client/event-reader.ts";
import { WENT_BACK_TO } from "../contract/control/went-back.ts";

/** Something that changed the world under the eyes of a person. */
export interface News {
  kind: "restarted" | "opened";
  /** Real time at which the viewer heard of it, milliseconds. */
  receivedMs: number;
  /** Number of the opening that it tells of. */
  opening?: number;
  /** The snapshot that undoes it, if one was kept; gone once the world has begun again since. */
  undoing?: string | undefined;
}

/** The run of the simulator that was last heard, and how far its world had come. */
export interface ReceivedRun {
  start: number;
  seq: number;
  /** Resets, rewinds and restores in this run. */
  openings: number;
}

interface Received {
  run: ReceivedRun | undefined;
  news: News | undefined;
  /** Resets and rewinds of this viewer that are still to be heard. */
  ownOpenings: number;
}

/** A world that begins again in the same place of its history was started again. */
const isOther = (before: ReceivedRun, now: ReceivedRun) =>
  before.start !== now.start || (now.seq < before.seq && now.openings <= before.openings);

/** True for an event of a reset, a rewind or a restore: the world begins again. */
const isOpening = ({ event, data }: Pick<ReadEvent, "event" | "data">) =>
  event === "reset" || (event === "start-over" && String(data.why).startsWith(WENT_BACK_TO));

/** News of an opening with what undoes it, which the snapshot event after that opening tells. */
const withUndoing = (
  news: News | undefined,
  { openings, undoing }: { openings: number; undoing?: string | undefined },
): News | undefined => {
  if (news?.opening === undefined) return news;
  const undoes = news.opening === openings ? undoing : undefined;
  return undoes === news.undoing ? news : { ...news, undoing: undoes };
};

/**
 * Reads news from the feed: a restart, and a reset or a rewind by somebody else, also one that came
 * while nothing was heard. Openings that the viewer asked for itself are no news.
 * @param wasLost the link was lost before these events
 */
export const newsIn = (
  { run, news, ownOpenings }: Received,
  events: readonly ReadEvent[],
  { wasLost, receivedMs }: { wasLost: boolean; receivedMs: number },
): Received => {
  let [nowRun, nowNews, left] = [run, news, ownOpenings];
  const opened = (count: number, opening: number) => {
    if (count > left) nowNews = { kind: "opened", receivedMs, opening };
    left = Math.max(0, left - count);
  };
  for (const { event, data } of events) {
    if (event === "hello") {
      const { start, seq, openings, undoing } = data;
      const helloRun: ReceivedRun = { start, seq, openings };
      if (wasLost && nowRun && isOther(nowRun, helloRun))
        nowNews = { kind: "restarted", receivedMs };
      else if (nowRun) opened(Math.max(0, openings - nowRun.openings), openings);
      nowRun = helloRun;
      nowNews = withUndoing(nowNews, { openings, undoing });
    }
    if (!nowRun || !isOpening({ event, data })) continue;
    nowRun = { ...nowRun, openings: nowRun.openings + 1 };
    opened(1, nowRun.openings);
  }
  return { run: nowRun, news: nowNews, ownOpenings: left };
};

/** True for a call after which the world begins again, as the feed then tells. */
export const opensWorld = (method: string, path: string, body: object | undefined): boolean =>
  method === "POST" &&
  /^\/(reset|clock\/rewind|snapshots\/[^/]+\/restore)$/.test(path) &&
  (body as { dryRun?: boolean } | undefined)?.dryRun !== true;

/** News in a sentence. */
export const newsText = ({ kind, receivedMs }: News, world: string): string => {
  const at = new Date(receivedMs).toTimeString().slice(0, 8);
  return kind === "restarted"
    ? `The simulator was restarted at ${at}, by your computer’s clock.`
    : `World ${world} was reset, rewound or restored by another client.`;
};
