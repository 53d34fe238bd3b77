import type { ReadEvent } from "../client/event-reader.ts";
import { type News, newsIn, newsText, type ReceivedRun } from "../rows/news.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Line } from "./line.ts";

/** Listens for a restart, and for a reset or a rewind that the screen did not ask for. */
export class NewsListener {
  private run: ReceivedRun | undefined;
  /** Rewinds of this screen that are still to be heard. */
  private ownOpenings = 0;

  /** Takes note of a rewind that is asked for; a refused one takes the note back. */
  expectOpening(change: 1 | -1) {
    this.ownOpenings = Math.max(0, this.ownOpenings + change);
  }

  /** The news with those of further events. */
  read(news: News | undefined, events: readonly ReadEvent[], wasLost: boolean): News | undefined {
    const { run, ownOpenings } = this;
    const now = newsIn({ run, news, ownOpenings }, events, { wasLost, receivedMs: Date.now() });
    this.run = now.run;
    this.ownOpenings = now.ownOpenings;
    return now.news;
  }
}

/** The command that goes back to a snapshot, in the world at hand. */
export const undoCommand = (snapshot: string, world: string | undefined) =>
  `service-sim snapshot load ${snapshot}${world === undefined ? "" : ` --world ${world}`}`;

/** The news, until a key is pressed, and the command that undoes it. */
export const noticeLines = (news: News | undefined, { world, asked }: WatchedWorld): Line[] => {
  if (!news) return [];
  const undo = news.undoing && `${undoCommand(news.undoing, asked)}  undoes it`;
  return [
    [span("! ", "magenta"), span(safeLine(newsText(news, world)), "bold")],
    [span(`  ${[undo, "any key closes this"].filter(Boolean).join("    ")}`, "dim")],
  ];
};
