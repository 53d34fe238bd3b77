import type { ControlClient } from "../client/control-client.ts";
import type { ReadEvent } from "../client/event-reader.ts";
import { NoAnswer } from "../client/send.ts";
import type { Snapshots } from "../contract/control/snapshots.ts";
import { type News, newsIn, newsText, type ReceivedRun, undoingSnapshot } from "../rows/news.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Line } from "./line.ts";

/** News on the screen, with the snapshot that undoes it where it is known. */
export interface Notice {
  news: News;
  snapshot?: string | undefined;
}

/** Listens for a restart, and for a reset or a rewind that the screen did not ask for. */
export class NewsListener {
  private run: ReceivedRun | undefined;
  /** Rewinds of this screen that are still to be heard. */
  private ownOpenings = 0;

  /** Takes note of a rewind that is asked for; a refused one takes the note back. */
  expectOpening(change: 1 | -1) {
    this.ownOpenings += change;
  }

  /** The news among events; undefined where nothing happened. */
  read(events: readonly ReadEvent[], wasLost: boolean): News | undefined {
    const before = { run: this.run, news: undefined, ownOpenings: this.ownOpenings };
    const now = newsIn(before, events, { wasLost, receivedMs: Date.now() });
    this.run = now.run;
    this.ownOpenings = now.ownOpenings;
    return now.news;
  }
}

/** The snapshot that undoes a reset or a rewind, as far as the simulator tells. */
export const readUndoing = async (client: ControlClient): Promise<string | undefined> => {
  try {
    const { status, body } = await client.get<Snapshots>("/snapshots");
    return status === 200 ? undoingSnapshot(body.data) : undefined;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return undefined;
  }
};

/** The news, until a key is pressed, and the command that undoes it. */
export const noticeLines = (notice: Notice | undefined, { world, asked }: WatchedWorld): Line[] => {
  if (!notice) return [];
  const { news, snapshot } = notice;
  const there = asked === undefined ? "" : ` --world ${asked}`;
  const undo = snapshot && `service-sim snapshot load ${snapshot}${there}  undoes it`;
  return [
    [span("! ", "magenta"), span(safeLine(newsText(news, world)), "bold")],
    [span(`  ${[undo, "any key closes this"].filter(Boolean).join("    ")}`, "dim")],
  ];
};
