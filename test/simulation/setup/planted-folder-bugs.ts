import type { PlantedBug } from "./planted-bugs.ts";

/** Bugs of folders that go away, and of the journal, which histories must find. */
export const FOLDER_BUGS: readonly PlantedBug[] = [
  {
    name: "a folder that was removed is written on",
    foundBy: 119,
    file: "storage/file/journal/journal-file.ts",
    search: 'return { kind: "gone", why:',
    replace: 'if (file === undefined) return undefined;\n    return { kind: "gone", why:',
  },
  {
    name: "a world whose folder is gone is read from disk again",
    foundBy: 63,
    file: "storage/world/failed-writes.ts",
    search: "if (loss && this.world.writeAnew) return this.keep(engine, loss.why);",
    replace: "",
  },
  {
    name: "a segment in use goes when the next one fails",
    foundBy: 526,
    file: "storage/file/journal/journal-directory.ts",
    search: "empty.filter((name) => name !== options.inUse)",
    replace: "empty",
    // A look after each write sees that the segment is gone, and has the world written again.
    also: [
      {
        file: "storage/file/journal/journal-file.ts",
        search: 'return { kind: "gone", why:',
        replace:
          'if (!file && this.files.find(path.slice(0, path.lastIndexOf("/")))) return undefined;\n' +
          '    return { kind: "gone", why:',
      },
    ],
  },
  {
    name: "a long line counts before it is whole",
    foundBy: 5,
    file: "storage/file/journal/journal-file.ts",
    search: "if (!done) continue;",
    replace: "",
  },
];
