import type { WholeReply } from "../message/reply.ts";

/** Header of a process that does not serve what was asked of it; names the one that does. */
export const SERVED_BY_HEADER = "x-sim-served-by";

/** A process that serves a world, as another one tells of it. */
export interface Owner {
  id: string;
  /** `host:port` of its listener for the others; absent where it has none. */
  peer?: string;
}

const NOBODY = "-";

/** The header's value for an owner. */
const servedBy = ({ id, peer }: Owner) => (peer === undefined ? id : `${id} ${peer}`);

/** The answer of a process to a hop for a world that it does not serve (spec/store.md#hops). */
export const misdirectedReply = (owner?: Owner): WholeReply => ({
  status: 421,
  headers: { [SERVED_BY_HEADER]: owner ? servedBy(owner) : NOBODY },
});

/** The owner that a header names. */
export const ownerIn = (value: string): Owner | undefined => {
  const [id = NOBODY, peer] = value.split(" ");
  if (id === NOBODY) return undefined;
  return peer === undefined ? { id } : { id, peer };
};
