import { readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "unstorage";
import { nextTurn } from "../../../machine/host-time.ts";
import type { Branch } from "../../../runtime/branch.ts";
import type { Engine } from "../../../runtime/engine.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import { checkedFileOf, decodeChecked } from "../../format/checked-file.ts";
import type { EarlierRequests, KeepableLog } from "../../world/world-handle.ts";
import { pathOfKey } from "./key-files.ts";

/** Bytes of requests kept on disk at most; the newest stay. */
export const MAX_KEPT_LOG_BYTES = 8 * 1024 * 1024;
/** Requests made into text in one turn of the event loop. */
const SLICE_REQUESTS = 50;

/** Key of the file beside the journal. */
export const REQUESTS_KEY = "requests";

/** Halves of the file that a kill cut off while they were written. */
const CUT_OFF = /^requests\.json\.tmp-[0-9]+$/;

/** Requests of one world: a reset begins another branch, whose log is empty. */
interface SavedLog {
  world: string;
  branch: Branch;
  /** Newest first. */
  requests: unknown[];
}

const readBytes = (path: string) => {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : { found: message };
  }
};

/** The damage of a kept log; nothing when it can be read, or when there is none. */
export const damageOfRequests = (
  directory: string,
): { file: string; found: string } | undefined => {
  const read = readKept(directory);
  return read && "found" in read ? read : undefined;
};

const readKept = (directory: string): SavedLog | { file: string; found: string } | undefined => {
  const file = pathOfKey(directory, REQUESTS_KEY);
  const bytes = readBytes(file);
  if (bytes === undefined) return undefined;
  if (!Buffer.isBuffer(bytes)) return { file, ...bytes };
  try {
    const image = decodeChecked<SavedLog>("requests", bytes);
    return "body" in image ? image.body : { file, ...image };
  } catch (error) {
    return { file, found: (error as Error).message };
  }
};

/**
 * The request log of a world on disk (decisions/request-log-on-disk.md). It is written as a whole
 * with each checkpoint and at a clean stop, and read when somebody first asks for a request.
 */
export class KeptRequests implements EarlierRequests {
  private readonly storage: Storage;
  private readonly directory: string;
  private log: KeepableLog | undefined;
  private writtenVersion = 0;

  constructor({ storage, directory }: { storage: Storage; directory: string }) {
    this.storage = storage;
    this.directory = directory;
  }

  /** Names the log that is kept from now on. */
  attach(log: KeepableLog) {
    this.log = log;
  }

  /**
   * Requests of earlier runs of this world, oldest first. A damaged file costs its requests only.
   * @param tellDamage is called when the file cannot be used
   */
  read({ world, branch }: WorldState, tellDamage: (message: string) => void): unknown[] {
    const kept = readKept(this.directory);
    if (!kept) return [];
    if ("found" in kept) {
      tellDamage(`requests of earlier runs are lost: ${kept.found} in ${kept.file}`);
      return [];
    }
    return kept.world === world && kept.branch === branch ? kept.requests.toReversed() : [];
  }

  /** Keeps the log of a world as it is now; nothing else depends on that file. */
  async keep(engine: Engine) {
    if (engine.readOnlyBecause) return;
    try {
      await this.write(engine.state);
    } catch (error) {
      engine.alarm(`the request log was not kept: ${error}`);
    }
  }

  /** Writes the log if it changed since it was written; an empty one leaves no file. */
  async write({ world, branch }: WorldState) {
    const { log } = this;
    if (!log || log.version === this.writtenVersion) return;
    const { version } = log;
    await this.removeCutOff();
    const json = await this.jsonOf(log, { world, branch });
    if (json) await this.storage.setItemRaw(REQUESTS_KEY, checkedFileOf("requests", json));
    else await this.storage.removeItem(REQUESTS_KEY);
    this.writtenVersion = version;
  }

  private async removeCutOff() {
    const names = await readdir(this.directory);
    for (const name of names.filter((one) => CUT_OFF.test(one)))
      await rm(join(this.directory, name), { force: true });
  }

  private async jsonOf(log: KeepableLog, { world, branch }: Omit<SavedLog, "requests">) {
    const parts: Buffer[] = [];
    let size = 0;
    let count = 0;
    for (const line of log.lines()) {
      const part = Buffer.from(count === 0 ? line : `,${line}`);
      size += part.length;
      if (size > MAX_KEPT_LOG_BYTES) break;
      parts.push(part);
      count += 1;
      if (count % SLICE_REQUESTS === 0) await nextTurn();
    }
    if (count === 0) return undefined;
    const head = JSON.stringify({ world, branch }).slice(0, -1);
    return Buffer.concat([Buffer.from(`${head},"requests":[`), ...parts, Buffer.from("]}")]);
  }
}
