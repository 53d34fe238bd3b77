import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FolderPlace, isSameFolder, placeOf } from "../../machine/folder-place.ts";
import { isRunning, startTicksOf } from "../../machine/process-probe.ts";
import { removeQuietly } from "../../machine/remove-quietly.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { makeStateDirectory } from "../../storage/file/state/state-folder.ts";
import { checkedMembers, withChecksum } from "../../storage/format/checked-members.ts";
import { DEFAULT_DIRECTORY, parseStorageUrl } from "../../storage/world/storage-url.ts";

/** Contents of the file a running simulator leaves for other commands; mode 0600. */
export interface InstanceFile {
  pid: number;
  url: string;
  apiUrl: string;
  controlUrl: string;
  controlToken: string;
  clientId: string;
  clientSecret: string;
  webhookPublicKey: string;
  version: string;
  /** Start of the process in clock ticks since boot: a pid may be given out again. */
  startTicks?: string;
  /** The folder that it was written in; missing in files of earlier versions. */
  folder?: FolderPlace;
}

export const DEFAULT_STORAGE = `file:${DEFAULT_DIRECTORY}`;

/** The folder of the instance file for a storage URL; memory uses the default folder. */
export const instanceDirectory = (storage: SimulatorOptions["storage"]) =>
  storage?.startsWith("file:") ? storage.slice("file:".length) : DEFAULT_DIRECTORY;

export const instancePath = (directory: string) => join(directory, "instance.json");

/** A file in the place of the folder is a slip that is told; any other obstacle may be meant. */
const IN_THE_WAY = ["EEXIST", "ENOTDIR"];

/** Tells if a simulator continues where it cannot write to its folder: in memory it needs none. */
export const needsNoFolder = (storage: string | undefined, error: unknown): boolean =>
  parseStorageUrl(storage ?? "memory:")?.kind === "memory" &&
  !IN_THE_WAY.includes(`${(error as NodeJS.ErrnoException).code}`);

const TEXTS = [
  "url",
  "apiUrl",
  "controlUrl",
  "controlToken",
  "clientId",
  "clientSecret",
  "webhookPublicKey",
  "version",
] as const satisfies (keyof InstanceFile)[];

const isInstance = (one: Partial<InstanceFile>): one is InstanceFile =>
  Number.isSafeInteger(one.pid) && TEXTS.every((name) => typeof one[name] === "string");

/**
 * Reads the instance file of a directory; undefined when it is missing, damaged or that of another
 * folder.
 */
export const readInstance = (directory: string): InstanceFile | undefined => {
  const instance = readAnyInstance(directory);
  return instance && !isCopied(instance, directory) ? instance : undefined;
};

/** An instance file that names the simulator of another folder. */
export interface CopiedInstance {
  instance: InstanceFile;
  /** The folder that it was written in. */
  from: string;
  /** True when that folder stood at this path. */
  isReplaced: boolean;
}

/** An instance file that belongs to another folder; nothing where it is at home. */
export const copiedInstance = (directory: string): CopiedInstance | undefined => {
  const instance = readAnyInstance(directory);
  if (!instance?.folder || !isCopied(instance, directory)) return undefined;
  const from = instance.folder.path;
  return { instance, from, isReplaced: from === placeOf(directory)?.path };
};

/**
 * Whether the file came with a copy of its folder, or its simulator has another folder since: the
 * address in it is then not that of a simulator of this one.
 */
const isCopied = ({ folder }: InstanceFile, directory: string): boolean => {
  const here = placeOf(directory);
  if (!folder || !here) return false;
  if (!isSameFolder(folder, here)) return true;
  // One folder may have two paths; where its first path leads to another one, it was moved.
  const there = placeOf(folder.path);
  return there !== undefined && !isSameFolder(there, here);
};

const readAnyInstance = (directory: string): InstanceFile | undefined => {
  try {
    const instance = checkedMembers<Partial<InstanceFile>>(
      readFileSync(instancePath(directory), "utf8"),
    );
    return instance && isInstance(instance) ? instance : undefined;
  } catch {
    return undefined;
  }
};

/** Whether there is a file that cannot be used. */
export const isInstanceDamaged = (directory: string) =>
  existsSync(instancePath(directory)) && readAnyInstance(directory) === undefined;

/** Whether the process that wrote an instance file still runs. */
export const isRunningInstance = ({ pid, startTicks = "" }: InstanceFile) => {
  if (!isRunning(pid)) return false;
  const ticks = startTicksOf(pid);
  return startTicks === "" || ticks === "" || ticks === startTicks;
};

/**
 * Writes the file, unless a simulator that still runs owns it.
 * @returns the pid of that simulator
 */
export const writeInstance = (directory: string, instance: InstanceFile): number | undefined => {
  const other = readInstance(directory);
  if (other && other.pid !== instance.pid && isRunningInstance(other)) return other.pid;
  makeStateDirectory(directory);
  const folder = placeOf(directory);
  const startTicks = startTicksOf(instance.pid);
  const temporary = `${instancePath(directory)}.tmp-${instance.pid}`;
  try {
    const text = JSON.stringify(
      withChecksum({ ...instance, startTicks, ...(folder && { folder }) }),
      null,
      2,
    );
    writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
    renameSync(temporary, instancePath(directory));
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  return undefined;
};

/** Removes the file, unless another simulator has replaced it: pids repeat among containers. */
export const removeInstance = (directory: string, { controlToken }: InstanceFile) => {
  if (readInstance(directory)?.controlToken === controlToken)
    removeQuietly(instancePath(directory));
};
