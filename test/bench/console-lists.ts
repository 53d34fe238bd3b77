import type { Page } from "playwright-core";
import { shownMs, withBrowser } from "./console.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { type MeasuredWorld, startWorld } from "./measured-world.ts";
import { type RunLength, sizeText } from "./run-length.ts";
import type { Workplace } from "./workplace.ts";

const PAYMENTS = { short: 2_000, usual: 20_000, full: 100_000 };
/** Two frames of a screen that draws sixty a second. */
const FRAME_LIMIT_MS = 33;
const STEP_PX = 800;
const FRAMES = 300;
const PERCENTILE = 0.95;

/** Worlds of a run that the second figure takes over. */
const filled = new WeakMap<Workplace, Promise<MeasuredWorld>>();

const fill = async (workplace: Workplace): Promise<MeasuredWorld> => {
  const world = await startWorld(workplace);
  await world.quotes(workplace.of(PAYMENTS));
  return world;
};

const filledWorld = (workplace: Workplace) => {
  const world = filled.get(workplace) ?? fill(workplace);
  filled.set(workplace, world);
  return world;
};

const consoleOf = async ({ sim }: MeasuredWorld) => {
  const { url } = await sim.listen({ port: 0 });
  return `${url}/_sim/console/`;
};

/** Frames of a list that was scrolled through. */
interface Scrolled {
  framesMs: number[];
  /** Rows in the page at most. */
  mostRows: number;
}

/** Runs in the page; as text, since a compiled function would name helpers that the page lacks. */
const SCROLL = `new Promise((done) => {
  const scroller = document.querySelector(".long-list-scroller");
  const framesMs = [];
  let last = performance.now();
  let mostRows = 0;
  const draw = (now) => {
    framesMs.push(now - last);
    last = now;
    mostRows = Math.max(mostRows, scroller.querySelectorAll("[role=row]").length);
    scroller.scrollTop += ${STEP_PX};
    if (framesMs.length > ${FRAMES}) done({ framesMs: framesMs.slice(1), mostRows });
    else requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
})`;

const scroll = async (page: Page): Promise<Scrolled> => {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", {
    expression: SCROLL,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as Scrolled;
};

const atPercentile = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * PERCENTILE)] ?? 0;

/** Figures of the console over a large world: its first sight, and frames of a list. */
export const consoleListFigures = (length: RunLength): readonly Figure[] => {
  const many = sizeText(length, PAYMENTS);
  return [
    {
      name: `the console of ${many} payments shown`,
      floor: "of an empty world",
      unit: "ms",
      target: { atMost: 1.1 },
      measure: (workplace) =>
        withBrowser(async (browser) => {
          const url = await consoleOf(await filledWorld(workplace));
          const empty = await startWorld(workplace);
          const emptyUrl = await consoleOf(empty);
          const pairs = await pairsInTurn(
            { warmUps: 1, pairs: 7 },
            { measured: () => shownMs(browser, url), floor: () => shownMs(browser, emptyUrl) },
          );
          await empty.sim.close();
          return pairs;
        }),
    },
    {
      name: `frames while ${many} payments scroll, 95th percentile`,
      floor: `${FRAME_LIMIT_MS} ms`,
      unit: "ms",
      target: { atMost: 1 },
      measure: (workplace) =>
        withBrowser(async (browser) => {
          const url = await consoleOf(await filledWorld(workplace));
          const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
          await page.goto(`${url}#/payments`);
          await page.locator(".long-list-scroller [role=row]").first().waitFor();
          const found = [await scroll(page), await scroll(page), await scroll(page)];
          const mostRows = Math.max(...found.map((one) => one.mostRows));
          return {
            pairs: found.map(({ framesMs }) => ({
              measured: atPercentile(framesMs),
              floor: FRAME_LIMIT_MS,
            })),
            notes: [`rows that stand in the page at once: ${mostRows}`],
          };
        }),
    },
  ];
};
