import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkedMembers, withChecksum } from "../../runtime/storage/checked-members.ts";
import { isRunning } from "../../runtime/storage/process-probe.ts";
import { removeQuietly } from "../../runtime/storage/remove-quietly.ts";
import { makeStateDirectory } from "../../runtime/storage/state-folder.ts";
import { DEFAULT_DIRECTORY } from "../../runtime/storage/storage-url.ts";
import type { SimulatorOptions } from "../../simulator.ts";

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
}

export const DEFAULT_STORAGE = `file:${DEFAULT_DIRECTORY}`;

/** The folder of the instance file for a storage URL; memory uses the default folder. */
export const instanceDirectory = (storage: SimulatorOptions["storage"]) =>
  storage?.startsWith("file:") ? storage.slice("file:".length) : DEFAULT_DIRECTORY;

export const instancePath = (directory: string) => join(directory, "instance.json");

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

/** Reads the instance file of a directory; undefined when it is missing or damaged. */
export const readInstance = (directory: string): InstanceFile | undefined => {
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
  existsSync(instancePath(directory)) && readInstance(directory) === undefined;

/**
 * Writes the file, unless a simulator that still runs owns it.
 * @returns the pid of that simulator
 */
export const writeInstance = (directory: string, instance: InstanceFile): number | undefined => {
  const other = readInstance(directory);
  if (other && other.pid !== instance.pid && isRunning(other.pid)) return other.pid;
  makeStateDirectory(directory);
  const temporary = `${instancePath(directory)}.tmp-${instance.pid}`;
  try {
    const text = JSON.stringify(withChecksum(instance), null, 2);
    writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
    renameSync(temporary, instancePath(directory));
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  return undefined;
};

/** Removes the file, unless another simulator has replaced it. */
export const removeInstance = (directory: string, pid: number) => {
  if (readInstance(directory)?.pid === pid) removeQuietly(instancePath(directory));
};
