import type { ReadEvent } from "../client/event-reader.ts";

/** Something that changed the world under the eyes of a person. */
export interface News {
  kind: "restarted" | "opened";
  /** Real time at which the page heard of it, milliseconds. */
  heardMs: number;
}

/** The run of the simulator that the page last heard, and how far its world had come. */
export interface HeardRun {
  start: number;
  seq: number;
}

interface Heard {
  run: HeardRun | undefined;
  news: News | undefined;
  /** Resets and rewinds of this page that are still to be heard. */
  ownOpenings: number;
}

/** A world that begins anew in the same place of its history was started again. */
const isOther = (before: HeardRun, now: HeardRun) =>
  before.start !== now.start || now.seq < before.seq;

/**
 * Reads news from the feed: a restart, and a reset or a rewind by somebody else. Openings that the
 * page asked for itself are no news.
 * @param wasLost the link was lost before these events
 */
export const newsIn = (
  { run, news, ownOpenings }: Heard,
  events: readonly ReadEvent[],
  { wasLost, heardMs }: { wasLost: boolean; heardMs: number },
): Heard => {
  let [nowRun, nowNews, left] = [run, news, ownOpenings];
  for (const { event, data } of events) {
    if (event === "hello") {
      const told: HeardRun = { start: data.start, seq: data.seq };
      if (wasLost && nowRun && isOther(nowRun, told)) nowNews = { kind: "restarted", heardMs };
      nowRun = told;
    }
    if (event !== "reset") continue;
    if (left > 0) left -= 1;
    else nowNews = { kind: "opened", heardMs };
  }
  return { run: nowRun, news: nowNews, ownOpenings: left };
};

/** Whether a call begins the world anew, which the feed then tells as a reset. */
export const opensWorld = (method: string, path: string, body: object | undefined): boolean =>
  method === "POST" &&
  /^\/(reset|clock\/rewind|snapshots\/[^/]+\/restore)$/.test(path) &&
  (body as { dryRun?: boolean } | undefined)?.dryRun !== true;
