import { readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, relative, resolve, sep } from "node:path";
import { workingFolder } from "../../machine/working-folder.ts";

const NAME = "service-sim";

/** The start of this process. */
export interface StartedAs {
  /** Node's `argv[1]`: the program's file, or the link that was called. */
  script: string | undefined;
  /** Nothing when the folder is gone. */
  cwd: string | undefined;
  /** `PATH` of the environment. */
  searchPath: string | undefined;
}

type ProgramStart = StartedAs & { cwd: string };

const realPath = (path: string) => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** npm would read a path without a leading dot as a package name. */
const pathFrom = (cwd: string, path: string) => {
  const relativePath = relative(cwd, path) || ".";
  return relativePath.startsWith(".") ? relativePath : `.${sep}${relativePath}`;
};

/** Quotes a word for a shell. */
export const quoted = (word: string) =>
  /^[\w@%+=:,./\\~^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const isInside = (folder: string, path: string) => path === folder || path.startsWith(folder + sep);

interface NpxFolder {
  dependencies?: Record<string, string>;
  _npx?: { packages?: string[] };
}

const contentOf = (folder: string): NpxFolder => {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return {};
  }
};

/** npx runs programs from its cache; the folder there names the requested package. */
const ofNpx = ({ script = "", cwd }: ProgramStart) => {
  const folder = /^.*[\\/]_npx[\\/][^\\/]+(?=[\\/]node_modules[\\/])/.exec(script)?.[0];
  if (folder === undefined) return undefined;
  const { dependencies, _npx } = contentOf(folder);
  const wanted = dependencies?.[NAME];
  if (!wanted?.startsWith("file:")) return `npx ${quoted(_npx?.packages?.[0] ?? NAME)}`;
  const source = resolve(folder, wanted.slice("file:".length));
  if (isInside(source, cwd)) return `npx ${NAME}`;
  // Without a terminal npx asks before it runs a file, and accepts only a relative path.
  return `npx --yes ${quoted(pathFrom(cwd, source))}`;
};

/** Yarn runs programs out of archives, whose paths are of use to its own processes alone. */
const ofArchive = ({ script = "" }: StartedAs) =>
  /\.zip[\\/]node_modules[\\/]/.test(script) ? `yarn ${NAME}` : undefined;

const installedIn = (folder: string) =>
  realPath(join(folder, "node_modules", NAME, "bin", `${NAME}.js`));

const foldersUpFrom = (folder: string): string[] => {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
};

/** npx finds a project's own copy from anywhere in the project. */
const ofProject = (real: string, { cwd }: ProgramStart) =>
  foldersUpFrom(cwd).some((folder) => installedIn(folder) === real) ? `npx ${NAME}` : undefined;

/** Whether the name alone finds this program: a global install, or a link. */
const ofSearchPath = (real: string, { searchPath = "" }: StartedAs) => {
  const paths = searchPath
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => realPath(join(folder, NAME)) ?? []);
  const shims = searchPath.split(delimiter).filter(Boolean).map(installedIn);
  return paths[0] === real || (paths.length === 0 && shims.includes(real)) ? NAME : undefined;
};

/** The words that start this program again from the same folder. */
export const commandWords = (started: StartedAs): string => {
  const { script = "", cwd } = started;
  const isOurs = [NAME, `${NAME}.js`].includes(basename(script));
  const real = isOurs ? realPath(script) : undefined;
  if (real === undefined || cwd === undefined) return ofArchive(started) ?? NAME;
  const placed = { ...started, cwd };
  return (
    ofArchive(started) ??
    ofNpx(placed) ??
    ofProject(real, placed) ??
    ofSearchPath(real, started) ??
    `node ${quoted(relative(cwd, script))}`
  );
};

let known: string | undefined;

/**
 * The words that started this program, for lines that people paste. commander knows only the name
 * of the file: `program.name()` is text for help, and hints leave by other ways, such as `--json`.
 */
export const calledAs = (): string => {
  known ??= commandWords({
    script: process.argv[1],
    cwd: workingFolder(),
    searchPath: process.env.PATH,
  });
  return known;
};

/** The bare name in front of a command, unless it has been replaced already. */
const BARE_NAME = /(?<![\w./-]|npx )service-sim (?=[a-z-])/g;

/** Hints hold the bare name; replacing it twice changes nothing more. */
export const hintWith = (words: string, hint: string): string =>
  hint.replace(BARE_NAME, () => `${words} `);

/** Turns a hint into a line that can be pasted here. */
export const asCalled = (hint: string): string => hintWith(calledAs(), hint);
