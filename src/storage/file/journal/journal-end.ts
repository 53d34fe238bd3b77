import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StateDamage } from "../../../runtime/damage.ts";
import { decodeChecked, encodeChecked } from "../../format/checked-file.ts";
import type { Ending, JournalEnd } from "../../port/recovery.ts";
import type { JournalFiles } from "./journal-file.ts";

/** Name of the note of a clean stop. */
const END = "end";
/** Name of the same note while a run continues, and after a kill. */
const BEGUN = "begun";

/** Records at the end of a journal that a clean stop noted and that are missing. */
export class RecordsMissing extends StateDamage {
  /** Folder of the journal. */
  readonly journal: string;
  /** Records that are there. */
  readonly records: number;
  readonly missing: number;

  constructor(journal: string, { segment, seq }: JournalEnd, records: number) {
    const missing = seq - records;
    const them = missing === 1 ? "1 change is" : `${missing} changes are`;
    super(
      { part: "journal", expected: `change ${seq}, the last one at the last clean stop,` },
      {
        file: join(journal, segment),
        found: records === 0 ? "no change" : `change ${records} as the last one`,
        why: `${them} missing, service-sim doctor --repair keeps the others`,
      },
    );
    this.journal = journal;
    this.records = records;
    this.missing = missing;
  }
}

const isEnd = ({ segment, seq }: Partial<JournalEnd>) =>
  typeof segment === "string" && Number.isSafeInteger(seq);

const readNote = (file: string): JournalEnd | { found: string } | undefined => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : { found: code };
  }
  const image = decodeChecked<JournalEnd>("end", bytes);
  if ("found" in image) return image;
  return isEnd(image.body) ? image.body : { found: "members that do not fit" };
};

/**
 * Reads the notes in the folder of a journal.
 * @throws OtherFormat
 */
export const endingOf = (journal: string): Ending => {
  // A stop writes its note before it deletes the other one, so both may be there after a kill.
  for (const [name, kind] of [
    [END, "stopped"],
    [BEGUN, "begun"],
  ] as const) {
    const file = join(journal, name);
    const note = readNote(file);
    if (note)
      return "found" in note ? { kind: "unreadable", file, ...note } : { kind, noted: note };
  }
  return { kind: "unknown" };
};

/** Refuses a journal that lacks records which a clean stop noted. */
export const requireNoted = (journal: string, ending: Ending, records: number) => {
  if ("noted" in ending && ending.noted.seq > records)
    throw new RecordsMissing(journal, ending.noted, records);
};

/** Notes the end of a journal at a clean stop. */
export const noteEnd = (
  journal: string,
  end: JournalEnd,
  { files, fsync }: { files: JournalFiles; fsync: boolean },
) => {
  files.writeNote(join(journal, END), encodeChecked("end", end), { fsync });
  files.removeNote(join(journal, BEGUN));
};

/**
 * Notes that a run begins: the end that was noted becomes the least that it leaves. A run whose
 * note cannot be made continues: the start after it finds more records than were noted.
 * @param end the end of the journal, where no note says it
 */
export const noteStart = (
  journal: string,
  end: () => JournalEnd,
  { files, fsync }: { files: JournalFiles; fsync: boolean },
) => {
  const begun = join(journal, BEGUN);
  try {
    if (files.renameNote(join(journal, END), begun) || readNote(begun)) return;
    files.writeNote(begun, encodeChecked("end", end()), { fsync });
  } catch {}
};

/** Notes the shorter end that a repair keeps, in place of the longer one. */
export const noteShorterEnd = (
  journal: string,
  end: JournalEnd,
  { files }: { files: JournalFiles },
) => {
  const { kind } = endingOf(journal);
  if (kind === "unknown") return;
  const name = kind === "begun" ? BEGUN : END;
  files.writeNote(join(journal, name), encodeChecked("end", end), { fsync: true });
};

/** Paths of the notes of a journal. */
export const notesOf = (journal: string) => [join(journal, END), join(journal, BEGUN)];
