import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { optionalPackage } from "../../machine/optional-package.ts";
import { StoreRefused } from "../port/store-trouble.ts";
import type { Text } from "./statement.ts";
import { answerCode, isUndone, type Named, troubleOf } from "./trouble.ts";

/** Milliseconds for a connection, and for the answer to a statement. */
const ANSWER_MS = 2_000;

/** Milliseconds for the answer to a statement with many bytes. */
const BYTES_MS = 30_000;

/** Connections for acts that others wait for, and for those with many bytes. */
const POOL_SIZES = { quick: 4, bytes: 2 };

/** Statements that met another one are sent again so often at most. */
const MEETINGS = 5;

/** Answers after which the same statement may be sent again at once: it met another one. */
const MET_ANOTHER = ["40P01", "40001"];

/** Facts about a statement that decide how it is sent. */
export interface Sending {
  /** It changes nothing, so that nothing can have been done. */
  isRead?: true;
  /** It carries many bytes: it has a longer deadline and connections of its own. */
  hasBytes?: true;
}

type Sent = QueryConfig<unknown[]> & { query_timeout: number };

const ignoreError = () => {};

/** Connections to one database, which come again by themselves. */
export class Connections {
  readonly named: Named;
  readonly #quick: Pool;
  readonly #bytes: Pool;
  #closed: Promise<unknown> | undefined;

  /** @throws StoreRefused for a URL that cannot be read, MissingPackage */
  constructor(url: string) {
    const { Client, Pool: PoolOf } = optionalPackage<typeof import("pg")>("pg", "postgres://");
    const config = {
      connectionString: url,
      connectionTimeoutMillis: ANSWER_MS,
      fallback_application_name: "service-sim",
      keepAlive: true,
      allowExitOnIdle: true,
    };
    try {
      const { host, port, database, user } = new Client(config);
      const shownHost = host.includes(":") ? `[${host}]` : host;
      this.named = {
        place: `postgres://${shownHost}:${port}/${database ?? ""}`,
        database: database ?? "",
        user: user ?? "",
      };
    } catch {
      throw new StoreRefused(
        "Expected postgres://user:password@host:port/database but found a URL that cannot be read.",
      );
    }
    this.#quick = new PoolOf({ ...config, max: POOL_SIZES.quick });
    this.#bytes = new PoolOf({ ...config, max: POOL_SIZES.bytes });
    // A connection that ends is left out, and the next act makes a new one. It may end at any time,
    // also between two users.
    for (const pool of [this.#quick, this.#bytes]) {
      pool.on("error", ignoreError);
      pool.on("connect", (client) => client.on("error", ignoreError));
    }
  }

  /**
   * Sends one statement, which is a transaction of its own: a process that stops in the middle of an
   * act holds no lock.
   * @throws StoreTrouble
   */
  async ask<Row extends QueryResultRow>(
    statement: Text,
    sending: Sending = {},
  ): Promise<QueryResult<Row>> {
    for (let met = 1; ; met += 1) {
      try {
        return await this.raw<Row>(statement, sending);
      } catch (error) {
        const { cause, isSent } = error as Unanswered;
        if (met < MEETINGS && MET_ANOTHER.includes(answerCode(cause) ?? "")) continue;
        throw troubleOf(cause, isSent && sending.isRead !== true);
      }
    }
  }

  /** Sends one statement, without a word about what its failure means. @throws Unanswered */
  async raw<Row extends QueryResultRow>(
    { text, values }: Text,
    { hasBytes }: Sending = {},
  ): Promise<QueryResult<Row>> {
    const client = await this.#connected(hasBytes ? this.#bytes : this.#quick);
    const config: Sent = {
      text,
      values: [...values],
      query_timeout: hasBytes ? BYTES_MS : ANSWER_MS,
    };
    let isUsable = true;
    try {
      return await client.query<Row>(config);
    } catch (error) {
      isUsable = isUndone(error);
      throw new Unanswered(error, true);
    } finally {
      client.release(!isUsable);
    }
  }

  async #connected(pool: Pool): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw new Unanswered(error, false);
    }
  }

  /** Waits for the acts under way, and ends all connections; once is enough. */
  close(): Promise<unknown> {
    this.#closed ??= Promise.all([this.#quick.end(), this.#bytes.end()]);
    return this.#closed;
  }
}

/** A statement that failed, and whether it was sent. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  readonly isSent: boolean;

  constructor(cause: unknown, isSent: boolean) {
    super("a statement was not answered", { cause });
    this.isSent = isSent;
  }
}
