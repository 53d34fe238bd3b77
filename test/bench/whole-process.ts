import type { Place } from "./child.ts";
import type { Workplace } from "./workplace.ts";

const LIMIT_MS = 60_000;

/** The least a Node.js program costs: one that does nothing. */
export const EMPTY_PROGRAM = ["-e", ""] as const;

/** Wall milliseconds from spawning `node` with these arguments until it has ended well. */
export const wholeProcessMs = async (
  workplace: Workplace,
  { args, cwd }: { args: readonly string[]; cwd: string },
  by: Partial<Place> = {},
): Promise<number> => {
  const startedMs = performance.now();
  const child = workplace.start(args, cwd, by);
  await child.success(LIMIT_MS);
  const tookMs = performance.now() - startedMs;
  await workplace.end(child);
  return tookMs;
};
