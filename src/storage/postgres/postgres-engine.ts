import type {
  Batch,
  Holding,
  JournalBlock,
  NewWorld,
  Pin,
  StoreEngine,
  WorldRow,
  Writing,
} from "../engine/store-engine.ts";
import type { ProcessRow } from "../port/shared-store.ts";
import { Fenced, NameTaken } from "../port/store-trouble.ts";
import { Connections } from "./connection.ts";
import { bytesOf } from "./holder-steps.ts";
import { namedBytes, type Part, putParts, readJournal, readParts } from "./parts.ts";
import { join, leave, processes, raiseFormat, renew, take } from "./processes.ts";
import { openSchema } from "./schema.ts";
import { requireSafeSettings, requireSettings } from "./settings.ts";
import { plain } from "./statement.ts";
import { sweepChanges, sweepParts, sweepProcesses, sweepTimeline } from "./sweep.ts";
import { isTaken } from "./trouble.ts";
import { type FoundWorld, SELECT_WORLDS, worldRow } from "./world-rows.ts";
import { appending, creating, writing } from "./world-steps.ts";

/** Bytes from which a statement has the deadline of those with many. */
const MANY_BYTES = 1024 * 1024;

const sendingOf = (bytes: number) => (bytes > MANY_BYTES ? { hasBytes: true as const } : {});

const READ = { isRead: true } as const;

/** The character behind all others, in the order of their bytes. */
const LAST_CHARACTER = "\u{10FFFF}";

/**
 * Keeps worlds in the schema `service_sim` of a PostgreSQL database (decisions/postgresql-first.md).
 * Each act is one statement; no session keeps anything, so connections may be shared by a pooler.
 */
export class PostgresEngine implements StoreEngine {
  readonly #connections: Connections;

  /** @throws StoreRefused for a URL that cannot be read, MissingPackage */
  constructor(url: string) {
    this.#connections = new Connections(url);
  }

  get place(): string {
    return this.#connections.named.place;
  }

  async open(): Promise<{ format: number; key: Buffer }> {
    await requireSettings(this.#connections);
    return await openSchema(this.#connections);
  }

  check(): Promise<void> {
    return requireSafeSettings(this.#connections);
  }

  raiseFormat(format: number): Promise<boolean> {
    return raiseFormat(this.#connections, format);
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  join(process: Omit<ProcessRow, "leaseLeftMs">, leaseMs: number): Promise<void> {
    return join(this.#connections, process, leaseMs);
  }

  renew(id: string, leaseMs: number, { loaded }: { loaded: number }): Promise<boolean> {
    return renew(this.#connections, id, { leaseMs, loaded });
  }

  leave(id: string): Promise<void> {
    return leave(this.#connections, id);
  }

  processes(): Promise<ProcessRow[]> {
    return processes(this.#connections);
  }

  async find(name: string): Promise<WorldRow | undefined> {
    return (await this.#worlds("where w.name = $1", name))[0];
  }

  worlds(): Promise<WorldRow[]> {
    return this.#worlds("order by w.made");
  }

  async #worlds(which: string, ...values: unknown[]): Promise<WorldRow[]> {
    const text = plain(`${SELECT_WORLDS} ${which}`, ...values);
    return (await this.#connections.ask<FoundWorld>(text, READ)).rows.map(worldRow);
  }

  due(limit: number): Promise<string[]> {
    return this.#names(
      `select w.name from service_sim.world w left join service_sim.process p on p.id = w.owner
       where w.due <= extract(epoch from clock_timestamp()) * 1000
       and (p.until is null or p.until <= clock_timestamp())
       order by w.due, w.made limit $1`,
      limit,
    );
  }

  async maker(callerKey: string): Promise<string | undefined> {
    const names = await this.#names(
      `select w.name from service_sim.caller c join service_sim.world w on w.name = c.world
       where c.key = $1 order by w.made limit 1`,
      callerKey,
    );
    return names[0];
  }

  async #names(text: string, value: unknown): Promise<string[]> {
    const { rows } = await this.#connections.ask<{ name: string }>(plain(text, value), READ);
    return rows.map(({ name }) => name);
  }

  async newTimeline(): Promise<number> {
    const { rows } = await this.#connections.ask<{ number: string }>(
      plain("select nextval('service_sim.timeline_number') as number"),
    );
    return Number(rows[0]?.number);
  }

  async create(world: NewWorld): Promise<boolean> {
    const bytes = bytesOf(world) + (world.batch?.lines.length ?? 0);
    const { rowCount } = await this.#connections.ask(creating(world), sendingOf(bytes));
    return rowCount === 1;
  }

  take(name: string, owner: string): Promise<WorldRow | undefined> {
    return take(this.#connections, name, owner);
  }

  async append(owner: string, batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    if (batches.length === 0) return new Set();
    const bytes = batches.reduce((sum, { lines }) => sum + lines.length, 0);
    const { rows } = await this.#connections.ask<{ name: string }>(
      appending(owner, batches),
      sendingOf(bytes),
    );
    return new Set(rows.map(({ name }) => name));
  }

  async write(holding: Holding, changes: Writing): Promise<void> {
    const { written, owner } = await this.#write(holding, changes);
    if (!written)
      throw new Fenced(holding.name, owner === holding.owner ? undefined : (owner ?? undefined));
    if (changes.remove) await this.#sweepRemoved(holding.timeline);
  }

  async #write(holding: Holding, changes: Writing) {
    const bytes = bytesOf(changes) + (changes.fork?.batch?.lines.length ?? 0);
    try {
      const { rows } = await this.#connections.ask<{ written: number; owner: string | null }>(
        writing(holding, changes),
        sendingOf(bytes),
      );
      return { written: rows[0]?.written === 1, owner: rows[0]?.owner };
    } catch (error) {
      // The name of a fork was taken meanwhile.
      if (changes.fork !== undefined && isTaken(error))
        throw new NameTaken(changes.fork.facts.name);
      throw error;
    }
  }

  /** Behind the removal, whose view may be older than a fork's pins; `sweep` makes up for it. */
  async #sweepRemoved(timeline: number) {
    await sweepTimeline(this.#connections, timeline).catch(() => {});
  }

  journal(range: Pin): AsyncIterable<JournalBlock> {
    return readJournal(this.#connections, range);
  }

  async items(holder: string): Promise<Readonly<Record<string, Buffer>>> {
    const rows = await namedBytes(
      this.#connections,
      { name: "name", from: "item where holder = $1" },
      [holder],
    );
    return Object.fromEntries(rows.map(({ name, body }) => [name, body]));
  }

  async holders(prefix: string, item: string): Promise<{ holder: string; bytes: Buffer }[]> {
    const rows = await namedBytes(
      this.#connections,
      {
        name: "holder",
        from: "item where holder >= $1 and holder < $2 and name = $3 order by holder",
      },
      [prefix, `${prefix}${LAST_CHARACTER}`, item],
    );
    return rows.map(({ name, body }) => ({ holder: name, bytes: body }));
  }

  putParts(parts: readonly Part[]): Promise<void> {
    return putParts(this.#connections, parts);
  }

  parts(sha256s: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    return readParts(this.#connections, sha256s);
  }

  async sweep(): Promise<void> {
    await sweepChanges(this.#connections);
    await sweepParts(this.#connections);
    await sweepProcesses(this.#connections);
  }
}
