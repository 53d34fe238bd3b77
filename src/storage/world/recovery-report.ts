import { instant } from "../../domain/core/draft.ts";
import type { RecoveryReport, SkippedFile } from "../port/recovery.ts";

/** One line about damaged checkpoints; nothing when there were none. */
export const reportSkippedFiles = (passedOver: readonly SkippedFile[]): string | undefined => {
  if (passedOver.length === 0) return undefined;
  const files = passedOver.map(({ file, found }) => `${found} in ${file}`).join(", ");
  const them = passedOver.length === 1 ? "it" : "them";
  return (
    `damaged checkpoint skipped: ${files}; ` +
    `an older checkpoint or the journal stood in for ${them}`
  );
};

/** Marks a world that was forked. */
interface OfWorld {
  isFork: boolean;
}

/** A start does not load forks: the run that ended badly may be several runs ago. */
const WORDS = {
  first: { run: "the last run", stop: "the last stop" },
  fork: { run: "the run that last used it", stop: "its last stop" },
};

const LOSSES = "a kill loses no acknowledged change, a power cut without --fsync may";

const changes = (count: number) => `${count} ${count === 1 ? "change" : "changes"}`;

/**
 * One line about a run before that did not stop cleanly, or whose note is damaged or missing;
 * nothing when it stopped cleanly or has left no change.
 * @param then the end of the line after a run that did not stop cleanly
 */
const endingLine = (
  { ending, records, atMs = 0 }: RecoveryReport,
  { isFork }: OfWorld,
  then: string,
): string | undefined => {
  const { run, stop } = WORDS[isFork ? "fork" : "first"];
  const read = `the last change read is number ${records}, of ${instant(atMs)}`;
  if (records === 0) return undefined;
  if (ending?.kind === "begun") return `${run} did not stop cleanly: ${read}; ${then}`;
  if (ending?.kind === "unreadable")
    return `the note of ${stop} is damaged (${ending.found} in ${ending.file}): ${read}`;
  if (ending?.kind === "stopped" && ending.noted.seq < records)
    return `${run} did not note where its journal ends: ${read}`;
  return undefined;
};

/** One line about the end of the default world's journal, where that is not a clean stop. */
export const reportEnding = (recovery: RecoveryReport): string | undefined =>
  endingLine(recovery, { isFork: false }, LOSSES);

/** Sentences about the end of a journal that was not whole, or that may not be. */
export const reportRecovery = (
  recovery: RecoveryReport,
  of: OfWorld = { isFork: false },
): string[] => {
  const { tornBytes, records } = recovery;
  const ending = endingLine(recovery, of, LOSSES);
  const torn =
    `removed an unfinished change of ${tornBytes} bytes from the journal; ` +
    `${changes(records)} ${records === 1 ? "was" : "were"} read`;
  return [...(tornBytes > 0 ? [torn] : []), ...(ending === undefined ? [] : [ending])];
};

/** Sentences about the end of a fork's journal that is inspected and not loaded. */
export const reportUnloaded = (recovery: RecoveryReport): string[] => {
  const { tornBytes } = recovery;
  const clears = "the first call to it";
  const torn = `its journal ends with ${tornBytes} bytes of an unfinished change; ${clears} cuts them off`;
  const ending = endingLine(recovery, { isFork: true }, `${clears} clears this`);
  return [...(tornBytes > 0 ? [torn] : []), ...(ending === undefined ? [] : [ending])];
};

/** Sentences for the log about a world that was opened; a start itself tells the default world's end. */
export const reportOpened = (
  { recovery, passedOver }: { recovery: RecoveryReport; passedOver: readonly SkippedFile[] },
  of: OfWorld,
): string[] => {
  const damage = reportSkippedFiles(passedOver);
  return [
    ...(of.isFork ? reportRecovery(recovery, of) : []),
    ...(damage === undefined ? [] : [damage]),
  ];
};
