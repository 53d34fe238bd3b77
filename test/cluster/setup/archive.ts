import { readSegment } from "../../../src/runtime/change.ts";
import type { PostgresServer } from "../../storage/setup/postgres-server.ts";
import type { ClusterHistory, FenceRow, KeptWorld, Step } from "../checker/history.ts";

/**
 * Keeps what the store deletes of its journal, and each number of an owner, in tables of their own:
 * the checker reads the whole past, and does not go by what the program reads.
 */
const TABLES = `
  create schema campaign;
  create table campaign.journal (timeline bigint, last bigint, first bigint, changes text);
  create table campaign.fence (at bigserial, world text, fence bigint, is_born boolean);
  insert into campaign.fence (world, fence, is_born) select name, fence, true from service_sim.world;
  create function campaign.keep() returns trigger language plpgsql security definer as $$
    begin
      insert into campaign.journal values (old.timeline, old.last, old.first, old.changes);
      return null;
    end $$;
  create function campaign.note() returns trigger language plpgsql security definer as $$
    begin
      insert into campaign.fence (world, fence, is_born) values (new.name, new.fence, tg_op = 'INSERT');
      return null;
    end $$;
  create trigger keep after delete on service_sim.journal for each row execute function campaign.keep();
  create trigger born after insert on service_sim.world for each row execute function campaign.note();
  create trigger note after update on service_sim.world for each row
    when (old.fence <> new.fence) execute function campaign.note();
`;

/** Begins to keep the past of a database whose schema is made. */
export const beginArchive = async (server: PostgresServer, database: string): Promise<void> => {
  await server.run(TABLES, database);
};

const changesIn = (rows: readonly Record<string, unknown>[]): Step[] => {
  const steps: Step[] = [];
  for (const { first, last, changes } of rows) {
    const segment = { file: `change ${first}`, bytes: Buffer.from(String(changes)) };
    readSegment(segment, { seq: Number(first), isLast: false }, (change) => {
      steps.push(change as unknown as Step);
    });
    const found = steps.at(-1)?.seq;
    if (found !== Number(last)) throw new Error(`Expected changes to ${last} but found ${found}`);
  }
  return steps;
};

/** Reads the journal of each world, and the numbers of their owners. */
export const readArchive = async (
  server: PostgresServer,
  database: string,
  origins: ReadonlyMap<string, string>,
): Promise<Pick<ClusterHistory, "worlds" | "fences">> => {
  const fences = await server.run(
    `select world, fence::int as fence, is_born as "isBorn" from campaign.fence order by at`,
    database,
  );
  const rows = await server.run(
    `select w.name, j.first, j.last, j.changes from service_sim.world w join (
       select * from campaign.journal union all select timeline, last, first, changes from service_sim.journal
     ) j on j.timeline = w.timeline order by w.name, j.last, j.first`,
    database,
  );
  const names = await server.run("select name from service_sim.world", database);
  const worlds = names.map(({ name }): KeptWorld => {
    const from = origins.get(String(name));
    const steps = changesIn(rows.filter((row) => row.name === name));
    return { name: String(name), steps, ...(from !== undefined && { from }) };
  });
  return { worlds, fences: fences as unknown as FenceRow[] };
};
