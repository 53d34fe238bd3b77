import { existsSync } from "node:fs";
import Module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import {
  type CachedCode,
  hasCodeFolder,
  readBuiltCode,
  readCode,
  writeCode,
} from "./code-cache-file.ts";

/** Home of this user; nothing where neither the environment nor the system knows one. */
const homeFolder = () => {
  try {
    return homedir();
  } catch {
    return "";
  }
};

/** Cache folder of this user, by platform; nothing for a user without a home. */
const cacheHome = () => {
  const { XDG_CACHE_HOME = "", LOCALAPPDATA } = process.env;
  if (isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA;
  const home = homeFolder();
  if (!isAbsolute(home)) return undefined;
  return process.platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
};

const ownFolder = () => {
  const home = cacheHome();
  return home && join(home, "service-sim");
};

const KEY_DIGITS = 8;

const commandIn = (args: readonly string[]) =>
  args.find((word) => /^[a-z]{2,20}$/.test(word)) ?? "none";

/** Code of a command that the build of a checkout has left beside the program. */
const builtFile = (args: readonly string[], folder: string) =>
  join(dirname(folder), ".cache", "code", `${commandIn(args)}.bin`);

/**
 * The cache of one command. V8 itself rejects data of another version and of other flags; the name
 * keeps them from replacing each other in turn. `v8.cachedDataVersionTag` would say the same, but
 * takes a millisecond to load.
 */
const cacheFile = (args: readonly string[], { own, folder }: { own: string; folder: string }) => {
  const { execArgv, versions, arch, env } = process;
  const key = JSON.stringify([folder, versions.v8, arch, execArgv, env.NODE_OPTIONS]);
  const digits = crc32(key).toString(16).padStart(KEY_DIGITS, "0");
  return join(own, `${commandIn(args)}-${digits}.bin`);
};

/** A file of the program that this process has compiled. */
interface Compiled {
  source: number;
  script: Script;
}

/** Time after which a process that continues has loaded what it needs. */
const SETTLED_MS = 2000;

/** The exit code of a wrong command line, which runs no command worth keeping. */
const USAGE = 2;

/** Compiles files of the program with the code that an earlier process has left. */
class CodeCache {
  private readonly file: string;
  private readonly folder: string;
  private kept: Map<string, CachedCode>;
  private readonly compiled = new Map<string, Compiled>();
  private isFresh = false;
  private isRefused = false;

  /** @param files.built read where there is no `files.own` yet */
  constructor(files: { own: string; built: string }, folder: string) {
    this.file = files.own;
    this.folder = folder;
    this.kept = readCode(files.own) ?? readBuiltCode(files.built) ?? new Map();
  }

  /** @returns the function that runs the module; nothing for one that is not to be kept */
  compile(content: string, filename: string) {
    const name = relative(this.folder, filename);
    const source = crc32(content);
    const kept = this.kept.get(name);
    const cachedData = kept?.source === source ? kept.data : undefined;
    // V8 forgets of kept code where its imports are resolved: they would all be refused.
    if (!cachedData && content.includes("import(")) return undefined;
    const script = new Script(Module.wrap(content), {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (script.cachedDataRejected !== false) this.isFresh = true;
    this.compiled.set(name, { source, script });
    return script.runInThisContext();
  }

  /**
   * Leaves the code of this process, with the functions that ran, if some of it is new. Where it
   * cannot be left, nothing is said, and nothing tried again.
   */
  save() {
    if (!this.isFresh || this.isRefused) return;
    this.isFresh = false;
    this.isRefused = !writeCode(this.file, this.allCode());
  }

  private allCode() {
    const all = new Map([...this.kept].filter(([name]) => existsSync(join(this.folder, name))));
    for (const [name, { source, script }] of this.compiled)
      all.set(name, { source, data: script.createCachedData() });
    return all;
  }

  /** Frees the memory of what was read, and copies the part that is not used yet. */
  settle() {
    this.save();
    this.kept = new Map(
      [...this.kept]
        .filter(([name]) => !this.compiled.has(name))
        .map(([name, { source, data }]) => [name, { source, data: Buffer.from(data) }]),
    );
  }
}

/** Node's loader, as far as tools have replaced its parts for a decade. */
interface Loader {
  _compile(this: NodeModule, content: string, filename: string, ...rest: unknown[]): unknown;
}

/** Turns the cache off: by ours, and by the one that Node.js has for its own. */
const isOff = ({ SERVICE_SIM_CODE_CACHE, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv) =>
  /^(0|false|no|off)$/i.test(SERVICE_SIM_CODE_CACHE ?? "") || Boolean(NODE_DISABLE_COMPILE_CACHE);

/** The screen is a module, which only Node 22.1 and newer can cache. */
const cacheScreen = (args: readonly string[], own: string) => {
  const { enableCompileCache } = Module as { enableCompileCache?: (folder: string) => unknown };
  // Node.js makes the folder by a call that never returns where no folder can be made.
  if ((args.includes("tui") || args.includes("--tui")) && hasCodeFolder(own))
    enableCompileCache?.(join(own, "modules"));
};

/**
 * Has the program's files compiled with the code that an earlier run of the same command left, and
 * leaves it for the next one. It is in the user's cache folder. Any failure only costs time.
 */
export const cacheCode = (args: readonly string[], folder: string) => {
  const own = ownFolder();
  if (own === undefined || isOff(process.env)) return;
  cacheScreen(args, own);
  const files = { own: cacheFile(args, { own, folder }), built: builtFile(args, folder) };
  const cache = new CodeCache(files, folder);
  const loader = Module.prototype as unknown as Loader;
  const compile = loader._compile;
  loader._compile = function (content, filename, ...rest) {
    const run = filename.startsWith(folder + sep) ? cache.compile(content, filename) : undefined;
    if (!run) return compile.call(this, content, filename, ...rest);
    // The whole `require` of a file takes longer to make than most files to compile.
    const load = (id: string) => this.require(id);
    return run.call(this.exports, this.exports, load, this, filename, dirname(filename));
  };
  const timer = setTimeout(() => cache.settle(), SETTLED_MS);
  timer.unref();
  process.on("exit", (code) => {
    if (code !== USAGE) cache.save();
  });
};
