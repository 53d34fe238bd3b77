import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { joinFolder } from "./file/state/folder-session.ts";
import { isStateDirectory } from "./file/state/state-folder.ts";
import type { Session } from "./port/session.ts";
import { type CopiedWorld, CopyRefused, StoreCopy, targetTaken } from "./world/copy-store.ts";
import type { StorageUrl } from "./world/storage-url.ts";

/** A place that keeps worlds. */
export type StorePlace = Exclude<StorageUrl, { kind: "memory" }>;

/** A copy that was made. */
export interface StoreCopied {
  from: string;
  to: string;
  worlds: CopiedWorld[];
}

/** The present path of a folder, through links. */
const folderOf = (directory: string) =>
  existsSync(directory) ? realpathSync.native(directory) : directory;

/** The server and the database that a URL names. */
const databaseOf = (text: string) => {
  const { hostname, port, pathname } = new URL(text);
  return `${hostname}:${port || "5432"}${pathname}`;
};

const nameOf = (place: StorePlace) =>
  place.kind === "file" ? folderOf(place.directory) : databaseOf(place.url);

/** Tells whether two URLs name one place. */
export const isSamePlace = (one: StorePlace, other: StorePlace): boolean =>
  one.kind === other.kind && nameOf(one) === nameOf(other);

const join = async (place: StorePlace, version: string): Promise<Session> => {
  if (place.kind === "file") return joinFolder(place.directory, { fsync: true });
  const { PostgresEngine } = await import("./postgres/postgres-engine.ts");
  const { EngineSession } = await import("./engine/engine-session.ts");
  return EngineSession.join(new PostgresEngine(place.url), { version });
};

/** A folder is judged before it is locked: a lock would change it. */
const requireFolders = (from: StorePlace, to: StorePlace) => {
  if (from.kind === "file" && !isStateDirectory(from.directory))
    throw new CopyRefused("STORE_EMPTY", `${from.directory} has no worlds`);
  if (to.kind === "file" && isStateDirectory(to.directory)) throw targetTaken(to.directory);
};

/**
 * Copies all worlds of a place to another one, which has none (spec/store.md#copying). After a
 * failure the target is as it was, unless the error says otherwise.
 * @param version of this program, as processes of a database see it
 * @throws CopyRefused, CopyLeft, and what a start at either place throws
 */
export const copyStores = async (
  from: StorePlace,
  to: StorePlace,
  version: string,
): Promise<StoreCopied> => {
  requireFolders(from, to);
  const isNew = to.kind === "file" && !existsSync(to.directory);
  const source = await join(from, version);
  try {
    const copied = await copyTo(source, to, version);
    return { from: source.place, ...copied };
  } catch (error) {
    const isLeft = (error as Error).name === "CopyLeft";
    // An error of this call would hide the one that is being told.
    if (isNew && !isLeft) await rm(to.directory, { recursive: true }).catch(() => {});
    throw error;
  } finally {
    await source.leave();
  }
};

const copyTo = async (source: Session, to: StorePlace, version: string) => {
  const target = await join(to, version);
  try {
    return { to: target.place, worlds: await new StoreCopy(source, target).run() };
  } finally {
    await target.leave();
  }
};
