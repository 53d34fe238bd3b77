import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { STATE_KINDS, smallState } from "./bits/small-state.ts";
import { sweepState } from "./bits/sweep.ts";

/** Distance of flipped bits, and of cuts. */
const EACH = runsOf(1, 509);

test.each(STATE_KINDS.map((kind) => ({ kind })))(
  "a flipped bit or a cut of a $kind state is refused by name, healed and told, or changes nothing",
  async ({ kind }) => {
    const state = await smallState(kind);
    try {
      const plan = { bitsEach: EACH, cutsEach: EACH, openedEach: 64, offset: 7 };
      const { wrong, outcomes, bits, cuts, repaired } = await sweepState(state, plan);
      expect(wrong).toEqual([]);
      expect(bits).toBeGreaterThan(50);
      expect(cuts).toBeGreaterThan(10);
      expect(outcomes.refused).toBeGreaterThan(0);
      expect(repaired).toBeGreaterThan(0);
    } finally {
      state.remove();
    }
  },
  1_200_000,
);
