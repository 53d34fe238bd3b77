import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { type FolderPlace, placeOf } from "../../../machine/folder-place.ts";
import { startTicksOf } from "../../../machine/process-probe.ts";
import { checkedMembers, withChecksum } from "../../format/checked-members.ts";

/** Owner of a state directory. */
export interface LockOwner {
  pid: number;
  /** Start of the process in clock ticks since boot; empty where /proc is missing. */
  startTicks: string;
  bootId: string;
  host: string;
  /**
   * PID namespace of the process, which gives the pid its meaning; empty where /proc is missing.
   */
  pidNamespace: string;
  nonce: string;
  /** The folder that was locked; missing in locks of earlier versions. */
  folder?: FolderPlace;
  /** Set when the owner renews its lock: one that it does not renew may be taken. */
  renews?: true;
  released?: boolean;
}

const readText = (path: string) => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
};

export const bootId = () => readText("/proc/sys/kernel/random/boot_id");

export const pidNamespace = () => {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
};

/** This process as the owner of a folder, under a name of its own. */
export const ownerHere = (directory: string, nonce: string): LockOwner => {
  const folder = placeOf(directory);
  return {
    pid: process.pid,
    startTicks: startTicksOf(process.pid),
    bootId: bootId(),
    host: hostname(),
    pidNamespace: pidNamespace(),
    nonce,
    ...(folder && { folder }),
    renews: true,
  };
};

/** Owner of an unreadable lock: any process, which may still run. */
export const UNKNOWN_OWNER: LockOwner = {
  pid: 0,
  startTicks: "",
  bootId: "",
  host: "an unknown host",
  pidNamespace: "",
  nonce: "",
};

/** Owner in a lock; nothing when the lock is gone. */
export const ownerOf = (path: string): LockOwner | undefined => {
  try {
    return checkedMembers<LockOwner>(readFileSync(path, "utf8")) ?? UNKNOWN_OWNER;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : UNKNOWN_OWNER;
  }
};

export const textOf = (owner: LockOwner) => JSON.stringify(withChecksum(owner));
