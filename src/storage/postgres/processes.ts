import { OtherFormat } from "../../runtime/change.ts";
import type { WorldRow } from "../engine/store-engine.ts";
import type { ProcessRow } from "../port/shared-store.ts";
import type { Connections } from "./connection.ts";
import { plain } from "./statement.ts";
import { type FoundWorld, LEASE_LEFT, WORLD_COLUMNS, worldRow } from "./world-rows.ts";

/** End of a lease that begins now, by the clock of the engine. */
const UNTIL = (parameter: string) =>
  `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;

/** Time for which a process whose lease ended is shown. */
export const SHOWN = "interval '1 hour'";

/**
 * The joins are counted in the row of the format: a raise that ran beside a join sees that it did
 * not see all processes.
 * @throws OtherFormat
 */
export const join = async (
  connections: Connections,
  { id, peer, knows, version, loaded }: Omit<ProcessRow, "leaseLeftMs">,
  leaseMs: number,
): Promise<void> => {
  const { rows } = await connections.ask<{ joined: number; format: number }>(
    plain(
      `with head as (
         update service_sim.meta set joins = joins + 1 where format <= $4::int returning format
       ), joined as (
         insert into service_sim.process (id, peer, until, knows, version, loaded)
         select $1, $2, ${UNTIL("$3")}, $4, $5, $6::int from head
         on conflict (id) do update set peer = excluded.peer, until = excluded.until,
           knows = excluded.knows, version = excluded.version, loaded = excluded.loaded,
           is_over = false
         returning id
       )
       select (select count(*)::int from joined) as joined, format from service_sim.meta`,
      id,
      peer ?? null,
      leaseMs,
      knows,
      version,
      loaded,
    ),
  );
  const [row] = rows;
  if (row?.joined !== 1) throw new OtherFormat(connections.named.place, row?.format ?? 0);
};

/**
 * Looks at the row once it is its own: a taker may have had it first. A lease that has ended is
 * counted among the joins, so that a raise of the format either sees it or comes before it.
 */
export const renew = async (
  connections: Connections,
  id: string,
  { leaseMs, loaded }: { leaseMs: number; loaded: number },
): Promise<boolean> => {
  const renewed = `update service_sim.process set until = ${UNTIL("$2")}, loaded = $3::int
    where id = $1 and not is_over`;
  const values = [id, leaseMs, loaded];
  const held = await connections.ask(plain(`${renewed} and until > clock_timestamp()`, ...values));
  if (held.rowCount === 1) return true;
  const revived = await connections.ask(
    plain(
      `with head as (
         update service_sim.meta m set joins = m.joins + 1 from service_sim.process p
         where p.id = $1 and not p.is_over and m.format <= p.knows returning m.format
       )
       ${renewed} and exists (select from head)`,
      ...values,
    ),
  );
  return revived.rowCount === 1;
};

/** Has the row of the process before those of its worlds, as a take does. */
export const leave = async (connections: Connections, id: string): Promise<void> => {
  await connections.ask(
    plain(
      `with ended as (
         update service_sim.process
         set until = least(until, clock_timestamp()), loaded = 0, is_over = true
         where id = $1 returning id
       )
       update service_sim.world set owner = null
       where owner = $1 and (select count(*) from ended) >= 0`,
      id,
    ),
  );
};

interface FoundProcess {
  [column: string]: unknown;
  id: string;
  peer: string | null;
  knows: number;
  version: string;
  loaded: number;
  lease_left: number;
}

export const processes = async (connections: Connections): Promise<ProcessRow[]> => {
  const { rows } = await connections.ask<FoundProcess>(
    plain(
      `select id, peer, knows, version, loaded, ${LEASE_LEFT} from service_sim.process p
       where until > clock_timestamp() - ${SHOWN} order by id`,
    ),
    { isRead: true },
  );
  return rows.map(({ id, peer, knows, version, loaded, lease_left }) => ({
    id,
    ...(peer !== null && { peer }),
    knows,
    version,
    loaded,
    leaseLeftMs: lease_left,
  }));
};

/** Acts that others have run into are tried again so often at most. */
const MEETINGS = 20;

/** True when the format is at least the wanted one; false when a live process does not know it. */
export const raiseFormat = async (connections: Connections, format: number): Promise<boolean> => {
  for (let met = 1; met < MEETINGS; met += 1) {
    const { rows } = await connections.ask<{ raised: number; is_known: boolean }>(
      plain(
        `with seen as (select joins from service_sim.meta),
         fit as (select not exists (select from service_sim.process
                   where until > clock_timestamp() and knows < $1::int) as is_known),
         raised as (
           update service_sim.meta m set format = greatest(m.format, $1::int) from seen, fit
           where m.joins = seen.joins and fit.is_known returning m.format
         )
         select (select count(*)::int from raised) as raised, is_known from fit`,
        format,
      ),
    );
    const [row] = rows;
    if (row?.raised === 1) return true;
    if (row?.is_known === false) return false;
  }
  return false;
};

/**
 * Takes a world. The row of its owner is locked while its lease is judged, and marked once the world
 * is taken: a renewal comes in before that and counts, or after it and finds the mark. Whoever needs
 * the rows of a process and of its worlds has that of the process first.
 */
export const take = async (
  connections: Connections,
  name: string,
  owner: string,
): Promise<WorldRow | undefined> => {
  let last: WorldRow | undefined;
  for (let met = 1; met < MEETINGS; met += 1) {
    const { rows } = await connections.ask<FoundWorld & { is_taken: boolean }>(
      plain(
        `with seen as (select * from service_sim.world where name = $1),
         holder as (
           select p.id, p.until from service_sim.process p
           where p.id = (select s.owner from seen s) and p.id <> $2 for update
         ),
         taken as (
           update service_sim.world w set owner = $2, fence = w.fence + 1, summary = null from seen s
           where w.name = s.name and w.owner is not distinct from s.owner
           and not exists (select from holder where until > clock_timestamp())
           returning ${WORLD_COLUMNS}
         ),
         marked as (
           update service_sim.process p set is_over = true from holder h
           where p.id = h.id and not p.is_over and exists (select from taken)
         ),
         shown as (
           select true as is_taken, t.* from taken t
           union all
           select false, ${WORLD_COLUMNS} from seen w where not exists (select from taken)
         )
         select w.is_taken, ${WORLD_COLUMNS}, ${LEASE_LEFT}
         from shown w left join service_sim.process p on p.id = w.owner`,
        name,
        owner,
      ),
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    last = worldRow(row);
    if (row.is_taken || (last.owner !== owner && (last.leaseLeftMs ?? 0) > 0)) return last;
  }
  return last;
};
