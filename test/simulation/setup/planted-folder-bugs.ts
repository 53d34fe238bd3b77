import type { PlantedBug } from "./planted-bugs.ts";

/** Bugs of folders that go away, which histories must find. */
export const FOLDER_BUGS: readonly PlantedBug[] = [
  {
    name: "a folder that was removed is written on",
    foundBy: 119,
    file: "runtime/storage/journal-file.ts",
    search: 'return { kind: "gone", why:',
    replace: 'if (found === undefined) return undefined;\n    return { kind: "gone", why:',
  },
  {
    name: "a world whose folder is gone is read from disk again",
    foundBy: 63,
    file: "runtime/storage/failed-writes.ts",
    search: "if (loss && this.world.writeAnew) return this.keep(engine, loss.why);",
    replace: "",
  },
];
