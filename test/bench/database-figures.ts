import { hopFigure } from "./database-hops.ts";
import { loadFigure } from "./database-loads.ts";
import { databaseMemoryFigures } from "./database-memory.ts";
import { takeoverFigure } from "./database-takeover.ts";
import { databaseThroughputFigures } from "./database-throughput.ts";
import type { Figure } from "./figure.ts";

/** Figures of worlds in PostgreSQL; each name has that word, so that `--only` finds them. */
export const databaseFigures: readonly Figure[] = [
  ...databaseThroughputFigures,
  hopFigure,
  takeoverFigure,
  loadFigure,
  ...databaseMemoryFigures,
];
