import { expect, test } from "vitest";
import { failsShortRun, type Measurement } from "./measurement.ts";

const figure = { name: "a start", floor: "node -e ''", unit: "ms", target: { atMost: 4 } } as const;
const ratios = { median: 5, min: 5, max: 5 };
const found = { pairs: [] };

test.each<{ sentence: string; measurement: Measurement; fails: boolean }>([
  {
    sentence: "a goal that is missed",
    measurement: { ...figure, state: "MEASURED", ratios, holds: false, isFarOff: false, found },
    fails: false,
  },
  {
    sentence: "a goal that is far off",
    measurement: { ...figure, state: "MEASURED", ratios, holds: false, isFarOff: true, found },
    fails: true,
  },
  {
    sentence: "a figure without a goal",
    measurement: { ...figure, state: "MEASURED", ratios, found },
    fails: false,
  },
  {
    sentence: "a figure that this machine cannot measure",
    measurement: { ...figure, state: "SKIPPED", why: "there is no such program" },
    fails: false,
  },
  {
    sentence: "a figure that broke",
    measurement: { ...figure, state: "FAILED", why: "Expected a line but found nothing" },
    fails: true,
  },
])("$sentence fails a short run: $fails", ({ measurement, fails }) => {
  expect(failsShortRun(measurement)).toBe(fails);
});
