import { chanceOf } from "../../simulation/setup/chance.ts";
import type { Part } from "../part.ts";
import { STATE_KINDS, smallState } from "./small-state.ts";
import { sweepState } from "./sweep.ts";
import { damageThroughCli } from "./through-cli.ts";

/** Distance of damages that are opened as a simulator does, and repaired. */
const OPENED_EACH = 64;
const SAMPLES = 60;

/** Every bit and every cut of every file of small states, and a sample through the command line. */
export const bitPart: Part = async ({ seed, count, fail, tell }) => {
  const again = `npm run crash -- --only bits --seed ${seed}`;
  for (const kind of STATE_KINDS) {
    const state = await smallState(kind);
    try {
      const plan = { bitsEach: 1, cutsEach: 1, openedEach: OPENED_EACH, offset: seed };
      const report = await sweepState(state, plan);
      count("bits flipped", report.bits);
      count("cuts", report.cuts);
      count("damaged states opened and repaired", report.opened);
      for (const [outcome, times] of Object.entries(report.outcomes)) count(outcome, times);
      for (const wrong of report.wrong) fail(wrong, again);
      tell(`${kind}: ${report.bits} bits, ${report.cuts} cuts`);
    } finally {
      state.remove();
    }
  }
  const report = await damageThroughCli(SAMPLES, chanceOf(seed));
  count("damaged states started by the command line", report.samples);
  count("of these refused with exit 4", report.outcomes.refused);
  for (const wrong of report.wrong) fail(wrong, again);
};
