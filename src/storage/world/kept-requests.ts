import { nextTurn } from "../../machine/host-time.ts";
import type { Branch } from "../../runtime/branch.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { checkedFileOf, decodeChecked } from "../format/checked-file.ts";
import type { Items, UnreadItem } from "../port/items.ts";

/** Bytes of requests kept at most; the newest stay. */
export const MAX_KEPT_LOG_BYTES = 8 * 1024 * 1024;
/** Requests made into text in one turn of the event loop. */
const SLICE_REQUESTS = 50;

/** A request log, as much of it as keeping it needs. */
export interface KeepableLog {
  /** Rises with each change of the log. */
  readonly version: number;
  /** The requests as JSON without secrets, newest first. */
  lines(): Iterable<string>;
}

/** Requests of one world: a reset begins another branch, whose log is empty. */
interface SavedLog {
  world: string;
  branch: Branch;
  /** Newest first. */
  requests: unknown[];
}

const decode = (bytes: Buffer): SavedLog | UnreadItem => {
  try {
    const image = decodeChecked<SavedLog>("requests", bytes);
    return "body" in image ? image.body : image;
  } catch (error) {
    return { found: (error as Error).message };
  }
};

/** Bytes of the log; one that cannot be read costs its requests only. */
const bytesIn = async (items: Items): Promise<Buffer | UnreadItem | undefined> => {
  try {
    return await items.item("requests");
  } catch (error) {
    return { found: (error as Error).message };
  }
};

const saved = (bytes: Buffer | UnreadItem | undefined) =>
  Buffer.isBuffer(bytes) ? decode(bytes) : bytes;

/** The damage of a kept log; nothing when it can be read, or when there is none. */
export const damageOfRequests = async (
  items: Items,
): Promise<{ file: string; found: string } | undefined> => {
  const log = saved(await bytesIn(items));
  return log && "found" in log ? { file: items.placeOf("requests"), found: log.found } : undefined;
};

/**
 * The request log of a world that is kept (decisions/request-log-on-disk.md). It is written as a
 * whole with each checkpoint and at a clean stop. Its bytes are read when the world is opened, and
 * made into requests when somebody first asks for one.
 */
export class KeptRequests {
  private readonly items: Items;
  private log: KeepableLog | undefined;
  private writtenVersion = 0;
  private loaded: Buffer | UnreadItem | undefined;

  constructor(items: Items) {
    this.items = items;
  }

  /** Reads the bytes of what earlier runs kept. */
  async load() {
    this.loaded = await bytesIn(this.items);
  }

  /** Names the log that is kept from now on. */
  attach(log: KeepableLog) {
    this.log = log;
  }

  /**
   * Requests of earlier runs of this world, oldest first; once. A damaged log costs its requests only.
   * @param tellDamage is called when it cannot be used
   */
  read({ world, branch }: WorldState, tellDamage: (message: string) => void): unknown[] {
    const kept = saved(this.loaded);
    this.loaded = undefined;
    if (!kept) return [];
    if ("found" in kept) {
      const place = this.items.placeOf("requests");
      tellDamage(`requests of earlier runs are lost: ${kept.found} in ${place}`);
      return [];
    }
    return kept.world === world && kept.branch === branch ? kept.requests.toReversed() : [];
  }

  /** Keeps the log of a world as it is now; nothing else depends on it. */
  async keep(engine: Engine) {
    if (engine.readOnlyBecause) return;
    try {
      await this.write(engine.state);
    } catch (error) {
      engine.alarm(`the request log was not kept: ${error}`);
    }
  }

  /** Writes the log if it changed since it was written; an empty one leaves nothing. */
  async write({ world, branch }: WorldState) {
    const { log } = this;
    if (!log || log.version === this.writtenVersion) return;
    const { version } = log;
    const json = await this.jsonOf(log, { world, branch });
    await this.items.putItem("requests", json && checkedFileOf("requests", json));
    this.writtenVersion = version;
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
