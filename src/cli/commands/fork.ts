import { command as forkWorld } from "./worlds/fork.ts";

/** The same as `worlds fork`, which is typed often. */
export const command = {
  ...forkWorld,
  examples: ["service-sim fork attempt-2", "service-sim fork attempt-3 --world attempt-2"],
};
