import { expect, test } from "vitest";
import { attack, ENDS, PATIENCE_MS } from "./setup/adversary-runs.ts";

test(
  "no agent spends beyond its policy, whatever it and the platform do (first half)",
  async () => {
    const ends = await attack("a");
    // Runs that reach too few outcomes prove too little.
    expect([...ends.keys()]).toEqual(expect.arrayContaining(ENDS));
  },
  PATIENCE_MS,
);
