import type { Chance } from "./chance.ts";

const THEMES = [
  "payments",
  "payments",
  "agents",
  "agents",
  "cards",
  "wallets",
  "papers",
  "others",
  "operator",
] as const;

/** Kinds of steps that one history has: rare combinations become common. */
export interface Swarm {
  fsync: boolean;
  crashes: boolean;
  powerCuts: boolean;
  diskFaults: boolean;
  /** Receivers fail, hang and recover. */
  moods: boolean;
  /** Calls are sent while others are under way. */
  concurrent: boolean;
  worlds: boolean;
  goesBack: boolean;
  switches: boolean;
  /** Accounts are filled to the brim. */
  full: boolean;
  /** Worlds that nobody calls leave memory. */
  unloads: boolean;
  /** Bits flip while no process runs. */
  flips: boolean;
  /** Way in which simulated time moves. */
  clock: "manual" | "auto" | "real" | "60x";
  /** Clients who call more than others. */
  theme: (typeof THEMES)[number];
  /** Bounds of deliveries. */
  open: number;
  ended: number;
  steps: number;
}

export const swarmOf = (chance: Chance): Swarm => {
  const fsync = chance.oneIn(2);
  const crashes = !chance.oneIn(4);
  return {
    fsync,
    crashes,
    powerCuts: fsync && crashes,
    diskFaults: chance.oneIn(2),
    moods: !chance.oneIn(3),
    concurrent: !chance.oneIn(3),
    worlds: chance.oneIn(2),
    goesBack: chance.oneIn(2),
    switches: chance.oneIn(3),
    full: chance.oneIn(6),
    unloads: chance.oneIn(2),
    flips: chance.oneIn(3),
    clock: chance.oneIn(4) ? chance.pick(["auto", "real", "60x"]) : "manual",
    theme: chance.pick(THEMES),
    open: chance.pick([8, 12, 24]),
    ended: chance.pick([2, 5, 12]),
    steps: 4 + chance.below(10),
  };
};
