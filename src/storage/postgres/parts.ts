import type { JournalBlock, Pin } from "../engine/store-engine.ts";
import type { Connections } from "./connection.ts";
import { plain, Statement } from "./statement.ts";

/** Bytes and parts that go in one statement, as far as they are known beforehand. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 1_000;

export interface Part {
  sha256: string;
  body: Buffer;
}

/** Each part once, in the order of their hashes: two processes that store the same do not meet. */
const sorted = (parts: readonly Part[]): Part[] => {
  const byHash = new Map(parts.map((part) => [part.sha256, part]));
  return [...byHash.values()].sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
};

const statementsOf = (parts: readonly Part[]): Part[][] => {
  const all: Part[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of sorted(parts)) {
    const last = all.at(-1);
    bytes += part.body.length;
    if (last !== undefined && bytes <= MOST_BYTES && last.length < MOST_PARTS) last.push(part);
    else {
      all.push([part]);
      bytes = part.body.length;
    }
  }
  return all;
};

/** Stores parts, or says of those that are there that they are needed for an hour more. */
export const putParts = async (connections: Connections, parts: readonly Part[]) => {
  for (const some of statementsOf(parts)) {
    const statement = new Statement();
    const rows = some.map(
      ({ sha256, body }) =>
        `(${statement.value(sha256, "text")}, ${statement.value(body, "bytea")})`,
    );
    statement.step("part", `select * from (values ${rows.join(", ")}) n(sha, body)`);
    await connections.ask(
      statement.asking(
        `insert into service_sim.part (sha, body, touched)
         select sha, body, clock_timestamp() from part
         on conflict (sha) do update set touched = excluded.touched`,
      ),
      { hasBytes: true },
    );
  }
};

const READ = { isRead: true, hasBytes: true } as const;

interface NamedBytes {
  [column: string]: unknown;
  name: string;
  body: string;
}

/**
 * `body` as it is sent: the client reads each value as a text, and 20 MB come in two thirds of the
 * time that hexadecimal digits take.
 */
const BODY = "encode(body, 'base64') as body";

/** Rows of a name and bytes. @param from `<table> where <condition>`, with a column `body` */
export const namedBytes = async (
  connections: Connections,
  { name, from }: { name: string; from: string },
  values: readonly unknown[],
): Promise<{ name: string; body: Buffer }[]> => {
  const text = `select ${name} as name, ${BODY} from service_sim.${from}`;
  const { rows } = await connections.ask<NamedBytes>({ text, values }, READ);
  return rows.map((row) => ({ name: row.name, body: Buffer.from(row.body, "base64") }));
};

export const readParts = async (
  connections: Connections,
  sha256s: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> => {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < sha256s.length; at += MOST_PARTS) {
    const rows = await namedBytes(
      connections,
      { name: "sha", from: "part where sha = any($1::text[])" },
      [sha256s.slice(at, at + MOST_PARTS)],
    );
    for (const { name, body } of rows) found.set(name, body);
  }
  return found;
};

interface FoundBlock {
  [column: string]: unknown;
  first: string;
  last: string;
  changes: string;
}

/** Blocks that are read before their size is known. */
const FIRST_BLOCKS = 8;
const MOST_BLOCKS = 2_000;

/** Reads a timeline some blocks at a time, more of small ones. */
export async function* readJournal(
  connections: Connections,
  { timeline, after, upTo }: Pin,
): AsyncIterable<JournalBlock> {
  let from = after;
  let wanted = FIRST_BLOCKS;
  for (;;) {
    const { rows } = await connections.ask<FoundBlock>(
      plain(
        `select first, last, changes from service_sim.journal
         where timeline = $1 and last > $2::bigint and ($3::bigint is null or first <= $3::bigint)
         order by last limit $4`,
        timeline,
        from,
        upTo ?? null,
        wanted,
      ),
      { isRead: true, hasBytes: true },
    );
    let size = 1;
    for (const { first, last, changes } of rows) {
      yield { first: Number(first), last: Number(last), lines: changes };
      size += changes.length;
      from = Number(last);
    }
    if (rows.length < wanted) return;
    wanted = Math.min(MOST_BLOCKS, Math.max(1, Math.floor((wanted * MOST_BYTES) / size)));
  }
}
