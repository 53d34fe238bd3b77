import type { WorldRow } from "../engine/store-engine.ts";

/** A row of `world` beside the lease of its owner, as `WORLD_COLUMNS` reads it. */
export interface FoundWorld {
  [column: string]: unknown;
  name: string;
  from_world: string | null;
  is_late: boolean;
  made: string;
  timeline: string;
  owner: string | null;
  fence: string;
  seq: string;
  due: number | null;
  summary: string | null;
  lease_left: number | null;
}

/** Milliseconds until the lease of the process `p` ends, by the clock of the engine. */
export const LEASE_LEFT =
  "(extract(epoch from p.until - clock_timestamp()) * 1000)::double precision as lease_left";

/** Columns of the world `w`. */
export const WORLD_COLUMNS =
  "w.name, w.from_world, w.is_late, w.made, w.timeline, w.owner, w.fence, w.seq, w.due, w.summary";

/** Reads worlds with the lease of the process that owns each. */
export const SELECT_WORLDS = `select ${WORLD_COLUMNS}, ${LEASE_LEFT}
  from service_sim.world w left join service_sim.process p on p.id = w.owner`;

/** A world as all engines show it. */
export const worldRow = (found: FoundWorld): WorldRow => ({
  name: found.name,
  ...(found.from_world !== null && { from: found.from_world }),
  ...(found.is_late && { isLate: true }),
  order: Number(found.made),
  ...(found.owner !== null && { owner: found.owner }),
  ...(found.owner !== null && found.lease_left !== null && { leaseLeftMs: found.lease_left }),
  fence: Number(found.fence),
  timeline: Number(found.timeline),
  seq: Number(found.seq),
  ...(found.due !== null && { dueAtMs: found.due }),
  ...(found.summary !== null && { summary: found.summary }),
});
