import { join } from "node:path";
import type { Storage } from "unstorage";
import { StateDamage } from "../../../runtime/damage.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import type { RecoveryReport, SkippedFile } from "../../port/recovery.ts";
import type { JournalDirectory } from "../journal/journal-directory.ts";
import { pathOfKey } from "../state/key-files.ts";
import { type LoadedCheckpoint, readCheckpoint } from "./checkpoint-files.ts";
import { checkpointKeys, type Manifest, type Unusable } from "./checkpoint-manifest.ts";
import { type KeptOrigin, readOrigin } from "./timeline-origin.ts";

/** The journal and the checkpoints of one line, opened for reading. */
export interface StateFiles {
  directory: string;
  storage: Storage;
  journals: JournalDirectory;
  /** The point that the line begins at; a first line begins with its journal. */
  origin?: KeptOrigin;
}

export interface StateAsRead {
  state: WorldState;
  /** The checkpoint that the world starts from. */
  manifest?: Manifest;
  recovery: RecoveryReport;
  /** Damaged checkpoint files; older ones or the journal replaced them. */
  passedOver: SkippedFile[];
  /** Folders of checkpoints that cannot be used. */
  damaged: ReadonlySet<string>;
}

const folderOfKey = (key: string) => key.slice(0, key.lastIndexOf(":"));

const shown = (directory: string, { key, found }: Unusable): SkippedFile => ({
  file: pathOfKey(directory, key),
  found,
});

/** Checks, when no checkpoint can be read, that the journal is complete from the start. */
const requireWholeJournal = async (
  { directory, storage, journals }: StateFiles,
  unusable: readonly Unusable[],
) => {
  const beginsAt = journals.beginsAt();
  if (beginsAt === 1) return;
  const [newest] = unusable;
  // An emptied beginning is reported as such, where no checkpoint ever stood in for it.
  if (!newest && journals.beginsEmpty())
    journals.recover(() => {}, { seq: 0 }, { isLookOnly: true });
  const damage = (why: string) =>
    new StateDamage(
      { part: "checkpoint", expected: "a whole checkpoint" },
      {
        file: newest ? pathOfKey(directory, newest.key) : join(directory, "checkpoint"),
        found: newest?.found ?? "none",
        why: `${why} and cannot replace it`,
      },
    );
  if (beginsAt !== undefined) throw damage(`the journal begins at change ${beginsAt}`);
  // Damage at the journal's beginning is reported as such.
  journals.recover(() => {}, { seq: 0 }, { isLookOnly: true });
  if ((await checkpointKeys(storage)).length > 0) throw damage("the journal is empty");
};

/**
 * Reads the world from its files: the newest whole checkpoint, then the journal after it. The same
 * code runs at start, after a failed append, and when a state is only inspected.
 * @throws JournalDamage, StateDamage, OtherFormat; nothing was changed then
 */
export const readState = async (
  files: StateFiles,
  mode: { isLookOnly?: boolean } = {},
): Promise<StateAsRead> => {
  const { directory, storage, journals, origin } = files;
  const unusable = new Map<string, Unusable>();
  let before: string | undefined;
  for (;;) {
    const loaded = await readCheckpoint(storage, { ...(before && { before }) });
    for (const one of loaded.passedOver) unusable.set(one.key, one);
    if (!loaded.manifest && origin) loaded.state = (await readOrigin(origin)).state;
    else if (!loaded.manifest) await requireWholeJournal(files, [...unusable.values()]);
    const recovery = redo(loaded, journals, mode);
    const { state, manifest } = loaded;
    if (manifest && recovery.records < manifest.to) {
      const found = `changes up to ${manifest.to}, but only ${recovery.records} in the journal`;
      unusable.set(manifest.folder, { key: `${manifest.folder}:manifest`, found });
      before = manifest.folder;
      continue;
    }
    const all = [...unusable.values()];
    return {
      state,
      ...(manifest && { manifest }),
      recovery,
      passedOver: all.map((one) => shown(directory, one)),
      damaged: new Set(all.map(({ key }) => folderOfKey(key))),
    };
  }
};

const redo = (
  { state, manifest }: LoadedCheckpoint,
  journals: JournalDirectory,
  mode: { isLookOnly?: boolean },
) => {
  const from = { seq: state.seq, ...(manifest && { segment: manifest.segment }) };
  const report = journals.recover((change) => state.apply(change), from, mode);
  return { ...report, atMs: state.atMs };
};
