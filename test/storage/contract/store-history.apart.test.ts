import { expect, test } from "vitest";
import type { EnginePlant } from "../engine/engine-plants.ts";
import { playStoreHistory } from "./store-history.ts";

const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1);
const PATIENCE_MS = 120_000;

test.each(SEEDS)(
  "a world in an engine that fails is what its callers were told, seed %i",
  (seed) => playStoreHistory(seed),
  PATIENCE_MS,
);

const PLANTED: EnginePlant[] = ["a sweep drops a fork's pin", "a write leaves the fence as it is"];

test.each(PLANTED)(
  "a planted bug is found: %s",
  async (plant) => {
    const found = await Promise.allSettled(SEEDS.map((seed) => playStoreHistory(seed, plant)));
    expect(found.some(({ status }) => status === "rejected")).toBe(true);
  },
  PATIENCE_MS,
);
