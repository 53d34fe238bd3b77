import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { CHROMIUM, CHROMIUM_OPTIONS, hasChromium } from "../browser/setup/passkey-browser.ts";
import { type Figure, pairsInTurn, Skipped } from "./figure.ts";
import { payerBodies } from "./payers.ts";
import { requestLoop } from "./request-loop.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import { inUnwatchedPage } from "./unwatched-page.ts";
import type { Workplace } from "./workplace.ts";

const SHOWN_LIMIT_MS = 300;
const BUSY_LIMIT_PERCENT = 10;
const SIZE_LIMIT_KB = 250;
const SPAN_MS = 10_000;
const SETTLING_MS = 2_000;
const CALLS_PER_SECOND = 50;

const requireBrowser = () => {
  if (!hasChromium()) throw new Skipped(`there is no Chromium at ${CHROMIUM}`);
};

export const withBrowser = async <Result>(work: (browser: Browser) => Promise<Result>) => {
  requireBrowser();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_OPTIONS });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
};

const start = (workplace: Workplace) =>
  startSimulator(workplace, ["--storage", "memory:", "--clock", "manual"]);

const consoleOf = ({ apiUrl }: SimulatorProcess) => `${new URL(apiUrl).origin}/_sim/console/`;

/** The age of the page once the world is painted; 0 while the page is not there yet. */
const SHOWN = `new Promise((shown) => {
  const look = () => location.protocol === "about:" ? setTimeout(() => shown(0), 5)
    : document.querySelector(".live.done")
      ? requestAnimationFrame(() => setTimeout(() => shown(performance.now())))
      : setTimeout(look, 1);
  look();
})`;

/** Time from the start of the navigation until the world is painted; each in a fresh context. */
export const shownMs = (browser: Browser, url: string) => inUnwatchedPage(browser, url, SHOWN);

const taskMs = async (session: CDPSession) => {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
};

const percentOfCore = async (session: CDPSession, work: () => Promise<unknown>) => {
  const [startedMs, before] = [performance.now(), await taskMs(session)];
  await work();
  return (100 * ((await taskMs(session)) - before)) / (performance.now() - startedMs);
};

const opened = async (browser: Browser, url: string): Promise<[Page, CDPSession]> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(url);
  await page.locator(".live.done").waitFor();
  await pause(SETTLING_MS);
  return [page, session];
};

const steadyCalls = async (workplace: Workplace, simulator: SimulatorProcess) => {
  const { apiUrl, authorization } = simulator;
  const { origin, pathname } = new URL(apiUrl);
  const bodies = await payerBodies(simulator, 1);
  return () =>
    requestLoop(workplace, {
      origin,
      headers: { authorization },
      requests: bodies.map((body) => ({ method: "POST", path: `${pathname}/quotes`, body })),
      connections: 1,
      total: (SPAN_MS / 1000) * CALLS_PER_SECOND,
      perSecond: CALLS_PER_SECOND,
    });
};

/** Counts what the page changes in itself; the page's policy allows no script but its own. */
const WATCH_WRITES = `window.writes = 0;
new MutationObserver((all) => { window.writes += all.length; }).observe(document, {
  subtree: true, childList: true, attributes: true, characterData: true,
});`;

/** Figures of the console in Chromium. */
export const consoleFigures: readonly Figure[] = [
  {
    name: "the console shown",
    floor: `${SHOWN_LIMIT_MS} ms`,
    unit: "ms",
    target: { atMost: 1 },
    measure: (workplace) =>
      withBrowser(async (browser) => {
        const url = consoleOf(await start(workplace));
        return pairsInTurn(
          { warmUps: 2, pairs: 5 },
          { measured: () => shownMs(browser, url), floor: async () => SHOWN_LIMIT_MS },
        );
      }),
  },
  {
    name: `the console, ${CALLS_PER_SECOND} quotes a second`,
    floor: `${BUSY_LIMIT_PERCENT} % of a core`,
    unit: "%",
    target: { atMost: 1 },
    measure: (workplace) =>
      withBrowser(async (browser) => {
        const simulator = await start(workplace);
        const work = await steadyCalls(workplace, simulator);
        const [, session] = await opened(browser, consoleOf(simulator));
        await work();
        const percents = [await percentOfCore(session, work), await percentOfCore(session, work)];
        return percents.map((measured) => ({ measured, floor: BUSY_LIMIT_PERCENT }));
      }),
  },
  {
    name: "the console, nothing happens",
    floor: "1 % of a core",
    unit: "%",
    target: { atMost: 1 },
    measure: (workplace) =>
      withBrowser(async (browser) => {
        const [, session] = await opened(browser, consoleOf(await start(workplace)));
        await session.send("Runtime.evaluate", { expression: WATCH_WRITES });
        const percent = await percentOfCore(session, () => pause(SPAN_MS));
        const { result } = await session.send("Runtime.evaluate", { expression: "window.writes" });
        return {
          pairs: [{ measured: Math.max(percent, 0.05), floor: 1 }],
          notes: [`changes of the page in ten seconds of a standing clock: ${result.value}`],
        };
      }),
  },
  {
    name: "the console's files",
    floor: `${SIZE_LIMIT_KB} kB`,
    unit: "KiB",
    target: { atMost: 1 },
    measure: async (workplace) => {
      const folder = join(dirname(workplace.build.library), "console");
      const bytes = readdirSync(folder)
        .map((name) => statSync(`${folder}/${name}`).size)
        .reduce((sum, size) => sum + size, 0);
      return [{ measured: bytes / 1000, floor: SIZE_LIMIT_KB }];
    },
  },
];
