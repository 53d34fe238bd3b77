import { commandFigures } from "./commands.ts";
import { consoleFigures } from "./console.ts";
import { consoleListFigures } from "./console-lists.ts";
import { databaseFigures } from "./database-figures.ts";
import { deliveryFigure } from "./deliveries.ts";
import type { Figure } from "./figure.ts";
import { forkFigures } from "./forks.ts";
import { importFigures } from "./imports.ts";
import { latencyFigures } from "./latency.ts";
import { manyWorldsFigures } from "./many-worlds.ts";
import { memoryFigures } from "./memory.ts";
import { npxFigure } from "./npx.ts";
import { packageSizeFigures } from "./package-size.ts";
import { pageFigures } from "./page-cost.ts";
import { paymentFigures } from "./payments.ts";
import { resetFigures } from "./resets.ts";
import { restartFigures } from "./restart.ts";
import { isAsLongAs, type RunLength } from "./run-length.ts";
import { screenFigures } from "./screen.ts";
import { startUpFigures } from "./start-up.ts";
import { suiteFigure } from "./suite.ts";
import { throughputFigures } from "./throughput.ts";
import { timerFigures } from "./timers.ts";

/** All figures of the bench, in the order of measurement. */
const allFigures = (length: RunLength): readonly Figure[] => [
  ...startUpFigures,
  npxFigure,
  ...restartFigures,
  ...commandFigures,
  ...throughputFigures,
  ...latencyFigures,
  ...paymentFigures,
  deliveryFigure,
  ...timerFigures(length),
  ...pageFigures(length),
  ...forkFigures,
  ...resetFigures,
  ...manyWorldsFigures,
  suiteFigure,
  ...importFigures,
  ...memoryFigures,
  ...databaseFigures,
  ...screenFigures,
  ...consoleFigures,
  ...consoleListFigures(length),
  ...packageSizeFigures,
];

/** Figures of a run, by its length; a longer run has those of a shorter one. */
export const figuresOf = (length: RunLength): readonly Figure[] =>
  allFigures(length).filter(({ from = "usual" }) => isAsLongAs(length, from));
