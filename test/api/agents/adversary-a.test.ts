import { expect, test } from "vitest";
import { attack, ENDS, PATIENCE_MS } from "./setup/adversary-runs.ts";

test(
  "no agent spends beyond its policy, whatever it and the platform do (first half)",
  async () => {
    const ends = await attack("a");
    // The runs must have been about something.
    expect([...ends.keys()]).toEqual(expect.arrayContaining(ENDS));
  },
  PATIENCE_MS,
);
