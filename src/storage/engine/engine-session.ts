import { randomBytes } from "node:crypto";
import { defined } from "../../contract/core/defined.ts";
import { hostTime } from "../../machine/host-time.ts";
import { FORMAT_VERSION, OtherFormat } from "../../runtime/change.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import { ServedElsewhere } from "../../runtime/served-elsewhere.ts";
import { WorldState } from "../../runtime/world-state.ts";
import type { HeldWorld } from "../port/held-world.ts";
import type { Session, StoredFiles } from "../port/session.ts";
import type { SharedStore } from "../port/shared-store.ts";
import { StoreRefused, StoreTrouble } from "../port/store-trouble.ts";
import type { EngineParts } from "./engine-parts.ts";
import { EngineReader, packed } from "./engine-reader.ts";
import { EngineShared, listedWorld, type StoreFacts, summaryIn } from "./engine-shared.ts";
import { EngineWorld } from "./engine-world.ts";
import { Flusher } from "./flusher.ts";
import { Lease } from "./lease.ts";
import { encodeImage, IMAGE, worldHolder } from "./state-image.ts";
import type { StoreEngine, WorldRow } from "./store-engine.ts";

/** Time between two looks at the settings of the engine, and two sweeps, wall milliseconds. */
const LOOK_EVERY_MS = 60_000;

/** Time between two tries to join again, wall milliseconds. */
const JOIN_AGAIN_MS = 250;
const JOINING = "This process lost its lease, and takes another one";

/** Options of a process that joins an engine. */
export interface EngineOptions {
  /** Version of this program, as other processes see it. */
  version: string;
  /** `host:port` that other processes reach it at; absent where it has no second listener. */
  peer?: string;
  /** Milliseconds of its lease; 5,000 unless it says otherwise. */
  leaseMs?: number;
}

/** The part of a process in an engine that several processes share (spec/store.md). */
export class EngineSession implements Session {
  readonly files: StoredFiles;
  readonly shared: SharedStore;
  private parts: EngineParts;
  /** The newest copy of each world in memory. */
  private readonly held = new Map<string, object>();
  private looking: NodeJS.Timeout | undefined;
  private unfit: string | undefined;
  private readonly options: EngineOptions;
  /** True after the lease was lost, until there is another one. */
  private isJoining = false;
  private hasLeft = false;

  private constructor(engine: StoreEngine, facts: StoreFacts, options: EngineOptions) {
    this.options = options;
    this.parts = this.partsOf(engine);
    this.shared = new EngineShared(engine, () => this.parts.process, facts);
    this.files = {
      put: async (_sha256, bytes) => engine.putParts([await packed(bytes)]),
      read: (sha256) => this.parts.reader.file(sha256),
      // The engine deletes what no holder needs by itself.
      list: async () => [],
      remove: async () => {},
      namedAtRest: async () => undefined,
    };
  }

  /**
   * Joins the store that an engine keeps.
   * @throws StoreRefused, OtherFormat, StoreTrouble
   */
  static async join(engine: StoreEngine, options: EngineOptions): Promise<EngineSession> {
    try {
      const facts = await engine.open();
      if (facts.format !== FORMAT_VERSION) throw new OtherFormat(engine.place, facts.format);
      const session = new EngineSession(engine, facts, options);
      await session.takeLease(session.parts);
      session.lookAgain();
      return session;
    } catch (error) {
      await engine.close().catch(() => {});
      throw error;
    }
  }

  get place() {
    return this.parts.engine.place;
  }

  /** Parts of a process that is new to the engine, as its id is. */
  private partsOf(engine: StoreEngine): EngineParts {
    const process = `sim-${randomBytes(4).toString("hex")}`;
    const { version, peer, leaseMs } = this.options;
    const lease = new Lease({
      engine,
      process: { id: process, knows: FORMAT_VERSION, version, ...defined({ peer }) },
      loaded: () => this.held.size,
      ...defined({ leaseMs }),
    });
    return {
      engine,
      reader: new EngineReader(engine),
      flusher: new Flusher({ engine, owner: process }),
      lease,
      process,
      held: (name, world) => void this.held.set(name, world),
      released: (name, world) => this.held.get(name) === world && this.held.delete(name),
    };
  }

  private async takeLease({ lease }: EngineParts) {
    await lease.join();
    lease.watch({ renewed: () => {}, ended: () => void this.joinAgain() });
  }

  /**
   * Joins once more, as another process: the worlds of the one that lost its lease are lost, and what
   * is taken from now on is this one's.
   */
  private async joinAgain() {
    this.isJoining = true;
    while (!this.hasLeft) {
      const parts = this.partsOf(this.parts.engine);
      try {
        await this.takeLease(parts);
        this.parts = parts;
        break;
      } catch {
        await new Promise((again) => hostTime.setTimeout(again, JOIN_AGAIN_MS));
      }
    }
    this.isJoining = false;
  }

  trouble() {
    const { flusher, lease } = this.parts;
    return (
      this.unfit ??
      (this.isJoining ? JOINING : undefined) ??
      (flusher.trouble() ?? lease.trouble())?.why
    );
  }

  async list() {
    const rows = await this.parts.engine.worlds();
    return { worlds: rows.map(listedWorld), damaged: [] };
  }

  async stopped(name: string) {
    const row = await this.parts.engine.find(name);
    return row && summaryIn(row);
  }

  async take(name: string): Promise<HeldWorld | undefined> {
    if (this.isJoining) throw new StoreTrouble(JOINING, { mayBeDone: false });
    const { engine, process } = this.parts;
    const row = await engine.take(name, process);
    if (!row) return undefined;
    if (row.owner !== process) throw await this.servedElsewhere(row);
    return this.hold(row);
  }

  /** Says who serves a world. */
  private async servedElsewhere({ name, owner: id = "", leaseLeftMs = 0 }: WorldRow) {
    const { engine } = this.parts;
    const owner = (await engine.processes()).find((process) => process.id === id);
    return new ServedElsewhere(engine.place, name, owner ?? { id, leaseLeftMs });
  }

  async create(name: string): Promise<HeldWorld> {
    const { engine, process: owner } = this.parts;
    const timeline = await engine.newTimeline();
    const reach = { seq: 0, atMs: 0 };
    const nothing = { records: 0, files: [], reach, order: 0, changes: [] };
    const image = encodeImage({ meta: new WorldState().meta(), ...nothing });
    const holder = worldHolder(name);
    const keep = [{ holder, parts: [], pins: [{ timeline, after: 0 }], items: { [IMAGE]: image } }];
    const seq = 0;
    await engine.create({
      facts: { name },
      owner,
      timeline,
      seq,
      callers: [],
      keep,
      dueAtMs: null,
    });
    const held = await this.take(name);
    if (!held) throw new JournalFailure(`the world ${name} was removed meanwhile`);
    return held;
  }

  async remove(name: string) {
    const held = await this.take(name);
    await held?.remove();
  }

  async leave() {
    this.hasLeft = true;
    if (this.looking) hostTime.clearInterval(this.looking);
    const { lease, engine } = this.parts;
    try {
      await lease.leave();
    } finally {
      await engine.close();
    }
  }

  private hold(row: WorldRow): EngineWorld {
    return new EngineWorld(this.parts, row);
  }

  /** Looks at the settings from time to time, and lets the engine delete what nothing needs. */
  private lookAgain() {
    const look = async () => {
      const { engine } = this.parts;
      try {
        await engine.check();
        this.unfit = undefined;
        await engine.sweep();
      } catch (error) {
        if (error instanceof StoreRefused) this.unfit = error.message;
      }
    };
    this.looking = hostTime.setInterval(() => void look(), LOOK_EVERY_MS).unref();
  }
}
