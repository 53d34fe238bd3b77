import type { Engine } from "../../../runtime/engine.ts";
import type { JournalDirectory } from "./journal-directory.ts";
import type { JournalFiles } from "./journal-file.ts";

/**
 * Closes the journal of a world and notes its end, so that a start misses nothing unnoticed
 * (decisions/noted-ends.md).
 */
export const closeJournal = async (
  engine: Engine,
  {
    journals,
    options,
    isNoted,
  }: {
    journals: JournalDirectory;
    options: { fsync: boolean; files?: JournalFiles };
    isNoted: boolean;
  },
) => {
  const { journal } = engine;
  await journal.close();
  const { seq } = engine.state;
  const isWhole = engine.readOnlyBecause === undefined && journal.durableSeq() >= seq;
  if (!isNoted || !isWhole) return;
  try {
    journals.noteEnd(seq, options);
  } catch (error) {
    engine.alarm(`the stop was not noted: ${error}`);
  }
};
