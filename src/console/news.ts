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
}

interface Received {
  run: ReceivedRun | undefined;
  news: News | undefined;
  /** Resets and rewinds of this page that are still to be heard. */
  ownOpenings: number;
}

/** A world that begins again in the same place of its history was started again. */
const isOther = (before: ReceivedRun, now: ReceivedRun) =>
  before.start !== now.start || now.seq < before.seq;

/**
 * Reads news from the feed: a restart, and a reset or a rewind by somebody else. Openings that the
 * page asked for itself are no news.
 * @param wasLost the link was lost before these events
 */
export const newsIn = (
  { run, news, ownOpenings }: Received,
  events: readonly ReadEvent[],
  { wasLost, receivedMs }: { wasLost: boolean; receivedMs: number },
): Received => {
  let [nowRun, nowNews, left] = [run, news, ownOpenings];
  for (const { event, data } of events) {
    if (event === "hello") {
      const helloRun: ReceivedRun = { start: data.start, seq: data.seq };
      if (wasLost && nowRun && isOther(nowRun, helloRun))
        nowNews = { kind: "restarted", receivedMs };
      nowRun = helloRun;
    }
    if (event !== "reset") continue;
    if (left > 0) left -= 1;
    else nowNews = { kind: "opened", receivedMs };
  }
  return { run: nowRun, news: nowNews, ownOpenings: left };
};

/** Whether a call begins the world again, which the feed then tells as a reset. */
export const opensWorld = (method: string, path: string, body: object | undefined): boolean =>
  method === "POST" &&
  /^\/(reset|clock\/rewind|snapshots\/[^/]+\/restore)$/.test(path) &&
  (body as { dryRun?: boolean } | undefined)?.dryRun !== true;
