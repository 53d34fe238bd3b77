import { hostname } from "node:os";
import { type FolderPlace, isSameFolder, placeOf } from "../../../machine/folder-place.ts";
import { isRunning, startTicksOf } from "../../../machine/process-probe.ts";
import { newestLock } from "./lock-files.ts";
import { bootId, type LockOwner, pidNamespace } from "./lock-owner.ts";

/**
 * Verdict on a lock's owner: it has ended, it is seen to hold another folder, it holds this one, or
 * it cannot be checked.
 */
export type Verdict = "ended" | "elsewhere" | "holds" | "unchecked";

/** Folders that this process holds, by the nonce of their lock. */
export const heldHere = new Map<string, FolderPlace>();

export const isFree = (verdict: Verdict) => verdict === "ended" || verdict === "elsewhere";

/** Judges the owner of a lock that was found in a folder. */
export const judge = (owner: LockOwner, directory: string): Verdict => {
  if (owner.released) return "ended";
  if (owner.host !== hostname()) return "unchecked";
  if (owner.bootId !== bootId()) return "ended";
  if (owner.pidNamespace !== pidNamespace()) return "unchecked";
  if (!isRunning(owner.pid)) return "ended";
  const startTicks = startTicksOf(owner.pid);
  if (startTicks !== "" && startTicks !== owner.startTicks) return "ended";
  const here = placeOf(directory);
  if (!owner.folder || !here || isHere(owner, here)) return "holds";
  return holdsAnother(owner, here) ? "elsewhere" : "unchecked";
};

/** Whether a lock was made in this folder, and its owner is not known to have another one since. */
const isHere = ({ folder, nonce }: LockOwner, here: FolderPlace) => {
  const held = heldHere.get(nonce);
  if (held) return isSameFolder(held, here);
  if (!folder || !isSameFolder(folder, here)) return false;
  // The folder was moved where its holder cannot follow, and another one is there.
  const there = placeOf(folder.path);
  return !there || isSameFolder(there, here);
};

/**
 * Looks whether the owner holds another folder. The identity in a lock tells nothing by itself: one
 * folder may have two, on two hosts.
 */
const holdsAnother = ({ folder, ...owner }: LockOwner, here: FolderPlace): boolean => {
  const held = heldHere.get(owner.nonce);
  if (held) return !isSameFolder(held, here);
  const there = folder && placeOf(folder.path);
  if (!there || isSameFolder(there, here)) return false;
  const newestOwner = newestOf(there.path);
  const isLockedThere =
    newestOwner?.folder !== undefined && isSameFolder(newestOwner.folder, there);
  return isLockedThere && !newestOwner.released && isSameProcess(newestOwner, owner);
};

const newestOf = (directory: string) => {
  try {
    return newestLock(directory)?.owner;
  } catch {
    return undefined;
  }
};

const isSameProcess = (one: LockOwner, other: Omit<LockOwner, "folder">) =>
  one.pid === other.pid && one.startTicks === other.startTicks;
