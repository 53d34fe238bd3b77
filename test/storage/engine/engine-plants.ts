/** Bugs that an engine could have, each planted on demand; a case of the contract finds it. */
export const ENGINE_PLANTS = [
  "append without the fence",
  "fence checked in an earlier statement",
  "owner not compared",
  "timeline not compared",
  "a write leaves the fence as it is",
  "expiry by the process's clock",
  "a sweep drops a fork's pin",
  "caller index after the append",
  "an upload is swept before its commit",
  "half a group is written",
  "a renewal after another's take",
  "a take that frees nothing ends a lease",
  "a take reads before its fence rises",
  "write without the fence",
] as const;

export type EnginePlant = (typeof ENGINE_PLANTS)[number];
