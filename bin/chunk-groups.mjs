// Which file of dist/chunks a source is bundled into. Each file costs a command that loads it a few
// tenths of a millisecond, whatever is in it: sources that are loaded together are bundled together.
import { isBuiltin } from "node:module";
import { join, sep } from "node:path";

const SOURCES = join(import.meta.dirname, "..", "src");
const source = (...names) => join(SOURCES, ...names);

/** What is loaded by every command line, and what serves a simulator. */
const PROGRAM = [source("cli", "main.ts")];
const SERVER = [source("simulator.ts"), source("cli", "commands", "start.ts")];

const COMMANDS = source("cli", "commands") + sep;
const RUNNERS = source("runners") + sep;

const isEntry = (id) => id.startsWith(COMMANDS) || id.startsWith(RUNNERS);

const isShapes = (id) => /[\\/]node_modules[\\/]zod[\\/]/.test(id);

/** What is loaded with these sources: all that they import, and all that those import. */
const loadedWith = (ids, importsOf) => {
  const loaded = new Set();
  const load = (id) => {
    if (loaded.has(id)) return;
    loaded.add(id);
    for (const one of importsOf(id)) load(one);
  };
  for (const id of ids) load(id);
  return loaded;
};

const GROUPS = ["program", "client", "client-tools", "rules", "server"];

const countOf = (ids) => {
  const counts = new Map();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

/** A source that this part of the clients loads is loaded by all commands. */
const USUAL = 0.1;

/** A source that fewer clients load is left to them, unless it is small. */
const FEW = 3;
const SMALL_CHARACTERS = 2500;

/**
 * Sorts sources by who loads them: all commands; and of those of a simulator the ones that clients
 * load too, many or few of them, commands with shapes, or nobody else.
 */
const sortSources = (ids, { importsOf, lengthOf }) => {
  const all = (id) => [...loadedWith([id], importsOf)];
  const group = new Map();
  const put = (name, sources) => {
    for (const id of sources) if (!group.has(id)) group.set(id, name);
  };
  const server = loadedWith(SERVER, importsOf);
  const entries = ids.filter(isEntry).map(all);
  const clients = entries.filter((loaded) => !loaded.some(isShapes));
  const shares = countOf(clients.flat());
  const usual = [...shares.keys()].filter(
    (id) => shares.get(id) >= USUAL * clients.length && !isBuiltin(id),
  );
  // Without the file that runs the command line: the library loads this group too.
  const program = loadedWith([...PROGRAM, ...usual], importsOf);
  put(
    "program",
    [...program].filter((id) => !PROGRAM.includes(id)),
  );
  const ofClients = [...shares.keys()].filter((id) => server.has(id));
  const isOurs = (id) => all(id).every((one) => !isBuiltin(one) || group.has(one));
  put(
    "client",
    ofClients.filter(
      (id) => (shares.get(id) >= FEW || lengthOf(id) <= SMALL_CHARACTERS) && isOurs(id),
    ),
  );
  put("client-tools", ofClients);
  const others = entries.filter((loaded) => !loaded.includes(SERVER[0])).flat();
  put(
    "rules",
    others.filter((id) => server.has(id)),
  );
  put("server", server);
  return group;
};

/** The plugin that reads the imports, and the groups that it sorts them into. */
export const chunkGroups = () => {
  let groups = new Map();
  return {
    plugin: {
      name: "chunk-groups",
      buildEnd() {
        const importsOf = (id) => this.getModuleInfo(id)?.importedIds ?? [];
        const lengthOf = (id) => this.getModuleInfo(id)?.code?.length ?? 0;
        groups = sortSources([...this.getModuleIds()], { importsOf, lengthOf });
      },
    },
    // A group takes what its sources import, unless an earlier one has it.
    groups: GROUPS.map((name, index) => ({
      name,
      test: (id) => groups.get(id) === name,
      priority: GROUPS.length - index,
    })),
  };
};
