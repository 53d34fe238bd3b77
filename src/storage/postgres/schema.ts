import { randomBytes } from "node:crypto";
import { FORMAT_VERSION, requireFormat } from "../../runtime/change.ts";
import { StoreRefused } from "../port/store-trouble.ts";
import type { Connections, Unanswered } from "./connection.ts";
import { plain } from "./statement.ts";
import { answerCode, refusalOf } from "./trouble.ts";

/**
 * The tables. Names are compared by their bytes, whatever the language of the database. `fence` and
 * `seq` of a world change with each flush: half of each page is free for it.
 */
const TABLES = `
  create table service_sim.meta (
    one boolean primary key default true check (one),
    format integer not null,
    key bytea not null,
    joins bigint not null default 0
  );
  create table service_sim.process (
    id text collate "C" primary key,
    peer text,
    until timestamptz not null,
    knows integer not null,
    version text not null,
    loaded integer not null,
    is_over boolean not null default false
  ) with (fillfactor = 50);
  create table service_sim.world (
    name text collate "C" primary key,
    from_world text,
    is_late boolean not null,
    made bigserial not null unique,
    timeline bigint not null,
    owner text collate "C",
    fence bigint not null,
    seq bigint not null,
    due double precision,
    summary text
  ) with (fillfactor = 50);
  create index on service_sim.world (timeline);
  create index on service_sim.world (owner) where owner is not null;
  create index on service_sim.world (due) where due is not null;
  create table service_sim.caller (
    key text collate "C",
    world text collate "C",
    primary key (key, world)
  );
  create index on service_sim.caller (world);
  create sequence service_sim.timeline_number;
  create table service_sim.journal (
    timeline bigint,
    last bigint,
    first bigint not null,
    changes text not null,
    primary key (timeline, last)
  );
  create table service_sim.part (
    sha text collate "C" primary key,
    body bytea not null,
    touched timestamptz not null
  );
  alter table service_sim.part alter column body set storage external;
  create table service_sim.holds (
    holder text collate "C",
    sha text collate "C" references service_sim.part,
    primary key (holder, sha)
  );
  create index on service_sim.holds (sha);
  create table service_sim.pin (
    holder text collate "C" not null,
    timeline bigint not null,
    after bigint not null,
    upto bigint
  );
  create index on service_sim.pin (holder);
  create index on service_sim.pin (timeline);
  create table service_sim.item (
    holder text collate "C",
    name text collate "C",
    body bytea not null,
    primary key (holder, name)
  );
  alter table service_sim.item alter column body set storage external;
`;

const LZ4 = "alter table service_sim.journal alter column changes set compression lz4;";

/** Answers to whoever makes what another process is making. */
const MADE_MEANWHILE = ["23505", "42P06", "42P07", "42710", "40P01", "XX000"];

/** Processes that start at once wait for each other so often at most. */
const ATTEMPTS = 20;

interface Found {
  has_schema: boolean;
  has_relations: boolean;
  is_ours: boolean;
  may_write: boolean;
  has_lz4: boolean;
}

const FIND = plain(`
  with relation as (
    select c.oid, c.relname, c.relkind from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'service_sim' and c.relkind in ('r', 'v', 'm', 'f', 'p', 'S')
  )
  select
    exists (select from pg_namespace where nspname = 'service_sim') as has_schema,
    exists (select from relation) as has_relations,
    3 = (select count(*) from relation r join pg_attribute a on a.attrelid = r.oid
         where r.relname = 'meta' and a.attname in ('format', 'key', 'joins')) as is_ours,
    has_schema_privilege(n.oid, 'usage') and not exists (
      select from relation, unnest(case relkind
        when 'r' then array['select', 'insert', 'update', 'delete']
        when 'S' then array['usage'] else array[]::text[] end) need
      where not case relkind when 'S' then has_sequence_privilege(oid, need)
        else has_table_privilege(oid, need) end) as may_write,
    exists (select from pg_settings
      where name = 'default_toast_compression' and 'lz4' = any(enumvals)) as has_lz4
  from (select 1) one left join pg_namespace n on n.nspname = 'service_sim'`);

/** Bytes of the key that all processes of a store have. */
const KEY_BYTES = 32;

/** All in one message, so in one transaction: a process that is killed leaves no half of a schema. */
const makingOf = ({ has_schema, has_lz4 }: Found) =>
  plain(
    [
      has_schema ? "" : "create schema service_sim;",
      TABLES,
      has_lz4 ? LZ4 : "",
      `insert into service_sim.meta (format, key)
       values (${FORMAT_VERSION}, decode('${randomBytes(KEY_BYTES).toString("hex")}', 'hex'));`,
    ].join("\n"),
  );

const refuseOther = ({ named: { place, user } }: Connections, found: Found) => {
  if (found.has_relations && !found.is_ours)
    throw new StoreRefused(
      `Expected the schema service_sim of ${place} to be of this program but found other tables in it: ` +
        "name another database in the URL, or rename that schema.",
    );
  if (found.has_relations && !found.may_write)
    throw new StoreRefused(
      `${place} does not let the role ${user} write the tables of the schema service_sim: ` +
        "name the role that made them, or grant their rights.",
    );
};

/**
 * Makes the schema where there is none; of several processes that do so at once, one makes it, and
 * all have its key.
 * @returns the format that all processes write, and the key of the store
 * @throws StoreRefused, OtherFormat, StoreTrouble
 */
export const openSchema = async (
  connections: Connections,
): Promise<{ format: number; key: Buffer }> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [found] = (await connections.raw<Found & { [key: string]: unknown }>(FIND)).rows;
      refuseOther(connections, found as Found);
      if (!found?.has_relations)
        await connections.raw(makingOf(found as Found), { hasBytes: true });
      const read = await connections.raw<{ format: number; key: Buffer }>(
        plain("select format, key from service_sim.meta"),
      );
      const { format, key } = read.rows[0] ?? { format: 0, key: Buffer.alloc(0) };
      requireFormat(format, connections.named.place);
      return { format, key };
    } catch (error) {
      const { name, cause } = error as Unanswered;
      if (name !== "Unanswered") throw error;
      if (attempt < ATTEMPTS && MADE_MEANWHILE.includes(answerCode(cause) ?? "")) continue;
      throw refusalOf(cause, connections.named);
    }
  }
};
