import type { ReadEvent } from "../client/event-reader.ts";

/** Something that changed the world under the eyes of a person. */
export interface News {
  kind: "restarted" | "opened";
  /** Real time at which the page heard of it, milliseconds. */
  receivedMs: number;
}

/** The run of the simulator that the page last heard, and how far its world had come. */
export interface ReceivedRun {
  start: number;
  seq: number;
  /** Resets and rewinds in this run. */
  openings: number;
}

interface Received {
  run: ReceivedRun | undefined;
  news: News | undefined;
  /** Resets and rewinds of this page that are still to be heard. */
  ownOpenings: number;
}

/** A world that begins again in the same place of its history was started again. */
const isOther = (before: ReceivedRun, now: ReceivedRun) =>
  before.start !== now.start || (now.seq < before.seq && now.openings <= before.openings);

/**
 * Reads news from the feed: a restart, and a reset or a rewind by somebody else, also one that came
 * while nothing was heard. Openings that the page asked for itself are no news.
 * @param wasLost the link was lost before these events
 */
export const newsIn = (
  { run, news, ownOpenings }: Received,
  events: readonly ReadEvent[],
  { wasLost, receivedMs }: { wasLost: boolean; receivedMs: number },
): Received => {
  let [nowRun, nowNews, left] = [run, news, ownOpenings];
  const opened = (count: number) => {
    if (count > left) nowNews = { kind: "opened", receivedMs };
    left = Math.max(0, left - count);
  };
  for (const { event, data } of events) {
    if (event === "hello") {
      const { start, seq, openings } = data;
      const helloRun: ReceivedRun = { start, seq, openings };
      if (wasLost && nowRun && isOther(nowRun, helloRun))
        nowNews = { kind: "restarted", receivedMs };
      else if (nowRun) opened(Math.max(0, openings - nowRun.openings));
      nowRun = helloRun;
    }
    if (event !== "reset") continue;
    opened(1);
    if (nowRun) nowRun = { ...nowRun, openings: nowRun.openings + 1 };
  }
  return { run: nowRun, news: nowNews, ownOpenings: left };
};

/** Whether a call begins the world again, which the feed then tells as a reset. */
export const opensWorld = (method: string, path: string, body: object | undefined): boolean =>
  method === "POST" &&
  /^\/(reset|clock\/rewind|snapshots\/[^/]+\/restore)$/.test(path) &&
  (body as { dryRun?: boolean } | undefined)?.dryRun !== true;
