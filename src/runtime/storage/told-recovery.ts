import { instant } from "../../domain/core/draft.ts";
import type { RecoveryReport } from "./journal-directory.ts";
import type { OpenWorld } from "./opened-world.ts";
import { tellPassedOver } from "./read-state.ts";

/**
 * One line about a run before that did not stop cleanly, or whose note is damaged or missing;
 * nothing when it stopped cleanly or has left no record.
 */
export const tellEnding = ({ ending, records, atMs = 0 }: RecoveryReport): string | undefined => {
  const read = `the journal is read up to record ${records} of ${instant(atMs)}`;
  if (records === 0) return undefined;
  if (ending?.kind === "begun") return `the last run did not stop cleanly: ${read}`;
  if (ending?.kind === "unreadable")
    return `the note of the last stop is damaged (${ending.found} in ${ending.file}): ${read}`;
  if (ending?.kind === "stopped" && ending.noted.seq < records)
    return `the last run did not note where its journal ends: ${read}`;
  return undefined;
};

/** Sentences about the end of a journal that was not whole, or that may not be. */
export const tellRecovery = (recovery: RecoveryReport): string[] => {
  const { tornBytes, records } = recovery;
  const ending = tellEnding(recovery);
  const torn =
    `removed an unfinished record of ${tornBytes} bytes from the journal; ` +
    `${records} records were read`;
  return [...(tornBytes > 0 ? [torn] : []), ...(ending === undefined ? [] : [ending])];
};

/** Sentences for the log about a world that was opened; a start itself tells the first world's end. */
export const tellOpened = (
  { recovery, passedOver }: Pick<OpenWorld, "recovery" | "passedOver">,
  { isFork }: { isFork: boolean },
): string[] => {
  const damage = tellPassedOver(passedOver);
  return [...(isFork ? tellRecovery(recovery) : []), ...(damage === undefined ? [] : [damage])];
};
