import { clientCommandFigure } from "./client-command.ts";
import type { Figure } from "./figure.ts";
import { forkFigures } from "./forks.ts";
import { importFigures } from "./imports.ts";
import { manyWorldsFigures } from "./many-worlds.ts";
import { memoryFigure } from "./memory.ts";
import { pageFigure } from "./page-cost.ts";
import { resetFigures } from "./resets.ts";
import { restartFigure } from "./restart.ts";
import { startUpFigures } from "./start-up.ts";
import { suiteFigure } from "./suite.ts";
import { throughputFigures } from "./throughput.ts";
import { timerFigures } from "./timers.ts";

/** All figures of the bench, in the order of measurement. */
export const FIGURES: readonly Figure[] = [
  ...startUpFigures,
  clientCommandFigure,
  ...throughputFigures,
  memoryFigure,
  ...timerFigures,
  ...importFigures,
  pageFigure,
  restartFigure,
  ...forkFigures,
  ...resetFigures,
  ...manyWorldsFigures,
  suiteFigure,
];

/** Figures of `--short`, less than a minute in all: how long it takes until one can work. */
export const SHORT_FIGURES: readonly Figure[] = [...startUpFigures, clientCommandFigure];
