import { PerformanceObserver } from "node:perf_hooks";

interface Span {
  fromMs: number;
  toMs: number;
}

const overlapMs = (a: Span, b: Span) =>
  Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs));

/** Records garbage collections during a run. Entries come late, so the end waits for them. */
const collections = () => {
  const found: Span[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      found.push({ fromMs: startTime, toMs: startTime + duration });
  });
  observer.observe({ entryTypes: ["gc"] });
  return {
    end: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      observer.disconnect();
      return found;
    },
  };
};

/**
 * Runs work and finds the longest stretch without a turn of the event loop, in milliseconds. Leaves
 * out garbage collection, since no code can yield to it.
 */
export const longestStretchMs = async (work: () => Promise<unknown>): Promise<number> => {
  const stretches: Span[] = [];
  const gc = collections();
  let lastMs = performance.now();
  let isOver = false;
  const probe = () => {
    const nowMs = performance.now();
    stretches.push({ fromMs: lastMs, toMs: nowMs });
    lastMs = nowMs;
    if (!isOver) setImmediate(probe);
  };
  setImmediate(probe);
  await work();
  isOver = true;
  const collected = await gc.end();
  const held = (one: Span) =>
    collected.reduce((ms, other) => ms - overlapMs(one, other), one.toMs - one.fromMs);
  return stretches.reduce((longest, one) => Math.max(longest, held(one)), 0);
};
