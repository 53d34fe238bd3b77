import type { PlantedBug } from "./planted-bugs.ts";

/** Bugs of folders that go away, which histories must find. */
export const FOLDER_BUGS: readonly PlantedBug[] = [
  {
    name: "a folder that was removed is written on",
    foundBy: 7,
    file: "runtime/storage/journal-file.ts",
    search: 'return { kind: "gone", why:',
    replace: 'if (found === undefined) return undefined;\n    return { kind: "gone", why:',
  },
  {
    name: "a world whose folder is gone is read from disk again",
    foundBy: 7,
    file: "runtime/storage/failed-writes.ts",
    search: "if (loss && this.world.writeAnew) return this.keep(engine, loss.why);",
    replace: "",
  },
  {
    name: "what was refused is written anew too",
    foundBy: 7,
    file: "runtime/storage/failed-writes.ts",
    search: "if (state) engine.load(state, engine.journal);",
    replace: "",
  },
  {
    name: "only the world that noticed is written anew",
    foundBy: 7,
    file: "runtime/storage/state-home.ts",
    search: "for (const resident of [...this.residents]) resident.look();",
    replace: "",
  },
];
