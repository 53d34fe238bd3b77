import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { hints } from "../text/layout.ts";

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
  next: [`move ${place} away, then start again`, ...hints([ELSEWHERE, "or use another directory"])],
});

const unwritable = (path: string, found: string): PlaceFailure => {
  const place = nearest(path);
  const within = place === path ? "" : ` for ${place}`;
  return {
    sentence: `Expected ${path} to be readable and writable but found ${found}${within}`,
    next: [
      `make ${place} writable, then start again`,
      ...hints([IN_TEMPORARY, "or use a temporary directory"]),
    ],
  };
};

/** System errors that are not about a file's content. */
const OBSTACLES: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "a read-only file system",
};

const isFileInTheWay = (code: string | undefined, place: string) =>
  (code === "EEXIST" || code === "ENOTDIR") && !statSync(place).isDirectory();

/** Explains a state directory that cannot be created or used; ignores other failures. */
export const placeFailure = ({ code, path }: NodeJS.ErrnoException): PlaceFailure | undefined => {
  if (path === undefined) return undefined;
  const whole = resolve(path);
  const place = nearest(whole);
  if (isFileInTheWay(code, place)) return fileInTheWay(place);
  const found = OBSTACLES[code ?? ""];
  return found === undefined ? undefined : unwritable(whole, found);
};
