import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { hints } from "../../text/layout.ts";

/** The nearest existing directory or file above a path. */
export const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

/** An obstacle to using a path for state: the sentence and the steps around it. */
export interface PlaceFailure {
  sentence: string;
  next: readonly string[];
}

const ELSEWHERE = "service-sim start --storage file:service-sim-state";
/** Memory needs a directory too: the instance file is written there. */
const IN_TEMPORARY = 'service-sim start --storage "file:$(mktemp -d)"';

const fileInTheWay = (place: string): PlaceFailure => ({
  sentence: `Expected ${place} to be a directory but found a file`,
  next: hints([ELSEWHERE, "use another directory"]),
});

const deadLink = (path: string): PlaceFailure => ({
  sentence: `Expected ${path} to be a directory but found a broken link`,
  next: hints([ELSEWHERE, "use another directory"]),
});

const linkless = (path: string): PlaceFailure => ({
  sentence: `Expected ${path} to be on a file system with hard links but found none`,
  next: hints([IN_TEMPORARY, "use a temporary directory"]),
});

const unusable = (path: string, found: string, steps: PlaceFailure["next"]): PlaceFailure => {
  const place = nearest(path);
  const within = place === path ? "" : ` for ${place}`;
  return {
    sentence: `Expected ${path} to be readable and writable but found ${found}${within}`,
    next: steps,
  };
};

const unwritable = (path: string, found: string): PlaceFailure =>
  unusable(path, found, [
    `make ${nearest(path)} writable, then start again`,
    ...hints([IN_TEMPORARY, "or use a temporary directory"]),
  ]);

/** System errors that are not about a file's content. */
const OBSTACLES: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "a read-only file system",
};

/** Errors of a link where there are no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** A system's own tree, like `/proc`: what it does not list itself cannot be made there. */
const TAKES_NOTHING = "a file system that takes no new files";

const isFileInTheWay = (code: string | undefined, place: string) =>
  (code === "EEXIST" || code === "ENOTDIR") && !statSync(place).isDirectory();

/** The path of an error; the directory, for a file that was about to be made in one. */
const placeOf = (path: string) => {
  const whole = resolve(path);
  const directory = dirname(whole);
  return !existsSync(whole) && existsSync(directory) ? { whole, directory } : { whole };
};

/** Explains a state directory that cannot be created or used; ignores other failures. */
export const placeFailure = ({
  code = "",
  path,
  syscall,
}: NodeJS.ErrnoException): PlaceFailure | undefined => {
  if (path === undefined) return undefined;
  const { whole, directory = whole } = placeOf(path);
  const wanted = syscall === "mkdir" ? whole : directory;
  if (isFileInTheWay(code, nearest(whole))) return fileInTheWay(nearest(whole));
  if (syscall === "mkdir" && code === "EEXIST") return deadLink(whole);
  if (syscall === "link" && NO_LINKS.has(code)) return linkless(directory);
  if (code === "ENOENT" && directory !== whole)
    return unusable(wanted, TAKES_NOTHING, hints([IN_TEMPORARY, "use a temporary directory"]));
  const obstacle = OBSTACLES[code];
  return obstacle === undefined ? undefined : unwritable(wanted, obstacle);
};
