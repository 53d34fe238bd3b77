import type { Connections } from "./connection.ts";
import { SHOWN } from "./processes.ts";
import { plain } from "./statement.ts";
import { isMissing } from "./trouble.ts";

/** Rows that one statement deletes at most, so that others need not wait long for it. */
const SLICE = 2_000;

/** Parts that nothing holds are kept for so long after they were stored. */
const KEPT = "interval '1 hour'";

/** Whether a pin needs something of the block `j`. */
const IS_PINNED = `exists (select from service_sim.pin p where p.timeline = j.timeline
  and j.last > p.after and (p.upto is null or j.first <= p.upto))`;

/** Whether `j` is of the timeline of a world that does not say what it needs of it. */
const IS_OPEN = `exists (select from service_sim.world w where w.timeline = j.timeline
  and not exists (select from service_sim.pin p
    where p.holder = 'world:' || w.name and p.timeline = w.timeline))`;

const deleteInSlices = async (connections: Connections, text: string) => {
  for (;;) {
    const { rowCount } = await connections.ask(plain(text, SLICE), { hasBytes: true });
    if ((rowCount ?? 0) < SLICE) return;
  }
};

/**
 * Deletes changes that nothing needs. A new pin rests on one that is there when it is made, so each
 * view of the database has one of both.
 */
export const sweepChanges = (connections: Connections): Promise<void> =>
  deleteInSlices(
    connections,
    `delete from service_sim.journal where (timeline, last) in (
       select j.timeline, j.last from service_sim.journal j
       where not ${IS_PINNED} and not ${IS_OPEN} limit $1)`,
  );

/** Deletes the changes of one timeline that nothing needs, after its world was removed. */
export const sweepTimeline = async (connections: Connections, timeline: number): Promise<void> => {
  await connections.ask(
    plain(
      `delete from service_sim.journal j
       where j.timeline = $1 and not ${IS_PINNED} and not ${IS_OPEN}`,
      timeline,
    ),
    { hasBytes: true },
  );
};

/** A part that was held between look and deletion is refused by its reference, so it looks again. */
const LOOKS = 20;

/**
 * Deletes parts that nothing holds and that were stored more than an hour ago. A part that is stored
 * again meanwhile has a new instant, which the deletion sees once it has the row.
 */
export const sweepParts = async (connections: Connections): Promise<void> => {
  for (let look = 1; ; look += 1) {
    try {
      await deleteInSlices(
        connections,
        `delete from service_sim.part where sha in (
           select p.sha from service_sim.part p
           where p.touched < clock_timestamp() - ${KEPT}
           and not exists (select from service_sim.holds h where h.sha = p.sha)
           limit $1 for update skip locked)`,
      );
      return;
    } catch (error) {
      if (look === LOOKS || !isMissing(error)) throw error;
    }
  }
};

/** Deletes processes that are shown no more, except those that may renew their lease once they are back. */
export const sweepProcesses = async (connections: Connections): Promise<void> => {
  await connections.ask(
    plain(
      `delete from service_sim.process p where p.until <= clock_timestamp() - ${SHOWN}
       and (p.is_over or not exists (select from service_sim.world w where w.owner = p.id))`,
    ),
  );
};
