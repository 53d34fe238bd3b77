import { existsSync, mkdirSync, rmdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { FORMAT_BEFORE } from "../../runtime/change.ts";
import { checkState, type StateReport } from "../../storage/file/doctor/state-check.ts";
import { isStateDirectory } from "../../storage/file/state/state-folder.ts";
import { counted } from "../../text/layout.ts";
import { nearest, placeFailure } from "../frame/state-place.ts";
import type { Check } from "./doctor-checks.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** With less space, requests that change something may fail at any time. */
const FULL_BELOW = MIB;
/** A busy journal grows to 128 MiB before a checkpoint replaces it; both exist for a while. */
const LOW_BELOW = 128 * MIB;

/**
 * Makes a folder as a start would, and removes it. Permissions alone do not tell: root may write
 * everywhere, and some file systems take no folders.
 */
const requireRoom = (directory: string) => {
  const probe = join(nearest(directory), `.service-sim-probe-${process.pid}`);
  try {
    mkdirSync(probe, { mode: 0o700 });
    rmdirSync(probe);
  } catch (error) {
    const failed = existsSync(directory)
      ? { syscall: "open", path: join(directory, "lock") }
      : { syscall: "mkdir", path: directory };
    throw Object.assign(error as NodeJS.ErrnoException, failed);
  }
};

const stateCheck = (directory: string, report: StateReport, at: string): Check => {
  const { records, tornBytes, damage, lost, otherFormat, wrong, isConvertible } = report;
  const failed = (problem: string, next: string) => ({
    check: "state",
    ok: false,
    found: problem,
    next,
  });
  if (otherFormat)
    return failed(
      otherFormat.message,
      otherFormat.isNewer
        ? "start the newer version"
        : `service-sim start --fresh${at}    sets it aside, and begins a new one`,
    );
  if (isConvertible)
    return {
      check: "state",
      ok: true,
      isWarning: true,
      found:
        `${directory} has a state of format ${FORMAT_BEFORE}; ` +
        "start converts it once, and keeps it aside as it is",
    };
  if (damage)
    return failed(
      `${damage.found} at byte ${damage.offset} of ${damage.file}; ` +
        `${counted(damage.wholeRecords, "change")} before it ` +
        `${damage.wholeRecords === 1 ? "is" : "are"} intact`,
      `service-sim doctor --repair${at}    keeps those and sets the rest aside`,
    );
  if (lost)
    return failed(lost.message, `service-sim doctor --repair${at}    makes it usable again`);
  if (wrong !== undefined)
    return failed(wrong, `service-sim start --fresh${at}    sets it aside and begins a new world`);
  const changes = counted(records, "change");
  const whole =
    tornBytes > 0
      ? `${changes} can be read; start cuts off an unfinished one of ${counted(tornBytes, "byte")}`
      : `journal intact, ${changes}`;
  return { check: "state", ok: true, found: `${directory} is writable, ${whole}` };
};

const checkpointChecks = ({ passedOver }: StateReport): Check[] =>
  passedOver.map(({ file, found }) => ({
    check: "checkpoint",
    ok: true,
    isWarning: true,
    found: `${found} in ${file}; start continues without it and writes a new one`,
  }));

const requestChecks = ({ damagedRequests: damaged }: StateReport): Check[] =>
  damaged === undefined
    ? []
    : [
        {
          check: "requests",
          ok: true,
          isWarning: true,
          found: `${damaged.found} in ${damaged.file}; start continues without these requests`,
        },
      ];

const folderChecks = ({ damagedFolders }: StateReport, at: string): Check[] =>
  damagedFolders.map(({ what, found, missing, isOpenable }) => ({
    check: what,
    ok: false,
    found,
    next: isOpenable ? removalOf(what) : repairOf(what, missing !== undefined, at),
  }));

const repairOf = (what: string, isShorter: boolean, at: string) =>
  `service-sim doctor --repair${at}    ` +
  (isShorter
    ? `keeps the other changes of the ${what}`
    : `moves the ${what} aside and keeps the others`);

/** The call of a simulator that runs which removes a world or a snapshot. */
const removalOf = (what: string) => {
  const [, snapshot, world] = /^snapshot (\S+)(?: of world (\S+))?$/.exec(what) ?? [];
  if (snapshot === undefined) return `service-sim worlds remove ${what.replace(/^world /, "")}`;
  return `service-sim snapshot remove ${snapshot}${world === undefined ? "" : ` --world ${world}`}`;
};

/** Warnings about the ends of journals: those of a last run that did not stop cleanly. */
const endChecks = ({ ending, toldFolders }: StateReport): Check[] => {
  const worlds = toldFolders.flatMap(({ what, warnings }) =>
    warnings.map((warning) => ({ check: what, found: warning })),
  );
  const all = [...(ending === undefined ? [] : [{ check: "last stop", found: ending }]), ...worlds];
  return all.map((check) => ({ ...check, ok: true, isWarning: true }));
};

const sizeOf = (bytes: number) =>
  bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${Math.floor(bytes / GIB)} GiB`;

/**
 * Checks the free space.
 * @param freeBytes on the file system of the state directory
 */
export const spaceCheck = (freeBytes: number): Check => {
  const check = "space";
  const free = `${sizeOf(freeBytes)} free for the state`;
  if (freeBytes < FULL_BELOW)
    return {
      check,
      ok: false,
      found: `${free}: writes get 503 until there is room`,
      next: "free some space; a running simulator then continues by itself",
    };
  if (freeBytes < LOW_BELOW)
    return {
      check,
      ok: true,
      isWarning: true,
      found: `${free}: when the disk is full, writes get 503`,
    };
  return { check, ok: true, found: free };
};

const freeBytesAt = (directory: string) => {
  const { bavail, bsize } = statfsSync(nearest(directory));
  return bavail * bsize;
};

/**
 * Checks that the state can be read and continued; changes nothing.
 * @param at options that name the same state in a hint
 */
export const checkDirectory = async (directory: string, at: string): Promise<Check[]> => {
  try {
    requireRoom(directory);
    const space = spaceCheck(freeBytesAt(directory));
    if (!isStateDirectory(directory)) {
      const sentence = `${directory} does not exist yet; start creates it`;
      return [{ check: "state", ok: true, found: sentence }, space];
    }
    const report = await checkState(directory);
    return [
      stateCheck(directory, report, at),
      ...endChecks(report),
      ...checkpointChecks(report),
      ...requestChecks(report),
      ...folderChecks(report, at),
      space,
    ];
  } catch (error) {
    const failure = placeFailure(error as NodeJS.ErrnoException);
    const sentence = failure?.sentence ?? `${directory}: ${(error as Error).message}`;
    const next = failure?.next[0] ?? "service-sim start --storage memory:";
    return [{ check: "state", ok: false, found: sentence, next }];
  }
};
