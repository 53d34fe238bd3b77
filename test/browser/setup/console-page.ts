import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { chromiumHere } from "./passkey-browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Rules of axe-core that a page is tried by. */
export type AxeRules = "all" | "colors" | "structure" | "none";

const COLOR_RULES = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
const WITHOUT_COLORS = Object.fromEntries(
  COLOR_RULES.values.map((rule) => [rule, { enabled: false }]),
);

/** Look of the browser in which a page is opened. */
export interface ConsoleLook {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  hasTouch?: boolean;
  /** Style of a test may enter the page. */
  bypassCSP?: boolean;
  /** The page asks for a token first. */
  isTokenWanted?: boolean;
}

/** Longest wait for something in the page, wall milliseconds; only what never comes meets it. */
const LONGEST_WAIT_MS = 20_000;

/** A console in Chromium, with what it complained of and whom it called. */
export interface OpenedConsole {
  page: Page;
  /** Errors of the page, and lines of its console. */
  complaints: string[];
  /** Addresses outside of the simulator that it asked. */
  elsewhere: string[];
  /** Goes to a place behind `#`. */
  go(place: string): Promise<void>;
  /** Resolves once the view stands and has not changed for a moment. */
  settled(): Promise<void>;
  /** Findings of axe-core, one line each; by all its rules, or by those about colors alone. */
  violations(rules?: AxeRules): Promise<string[]>;
  /** Pixels by which the page is wider than its window. */
  overflow(): Promise<number>;
}

/** Findings of axe-core in a page, one line each. */
export const axeFindings = async (page: Page, rules: AxeRules): Promise<string[]> => {
  if (rules === "none") return [];
  // The page's own policy forbids scripts from elsewhere: axe runs in its world by devtools.
  const session = await page.context().newCDPSession(page);
  const run = async (expression: string) => {
    const { result } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  };
  if ((await run("typeof axe")) === "undefined") await run(AXE);
  const options = {
    resultTypes: ["violations"],
    ...(rules === "colors" && { runOnly: COLOR_RULES }),
    ...(rules === "structure" && { rules: WITHOUT_COLORS }),
  };
  const call = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = (await run(call)) as Violation[];
  await session.detach();
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
  );
};

/** Runs in the page, a bounded time: until nothing has changed for 60 ms. */
const untilStill = () =>
  new Promise<void>((done) => {
    const stop = () => {
      watcher.disconnect();
      clearTimeout(quiet);
      clearTimeout(longest);
      done();
    };
    const watcher = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = setTimeout(stop, 60);
    });
    let quiet = setTimeout(stop, 60);
    const longest = setTimeout(stop, 2000);
    const of = { subtree: true, childList: true, attributes: true, characterData: true };
    watcher.observe(document.body, of);
  });

/** Chromium for the tests of a file. */
export const consoleBrowser = () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromiumHere();
  });
  return {
    open: async (url: string, look: ConsoleLook = {}): Promise<OpenedConsole> => {
      const { width = 1280, height = 900, isTokenWanted = false, ...rest } = look;
      const context = await browser.newContext({
        viewport: { width, height },
        reducedMotion: "reduce",
        permissions: ["clipboard-read", "clipboard-write"],
        ...rest,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(LONGEST_WAIT_MS);
      const complaints: string[] = [];
      const elsewhere: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (line) => {
        if (["error", "warning"].includes(line.type())) complaints.push(line.text());
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(url)) elsewhere.push(request.url());
      });
      await page.goto(`${url}/_sim/console/`);
      if (!isTokenWanted) await page.locator(".live.done").waitFor();
      return {
        page,
        complaints,
        elsewhere,
        go: async (place) => {
          await page.evaluate((to) => {
            location.hash = to;
          }, place);
        },
        settled: async () => {
          await page.locator("main h1:not(.loading)").first().waitFor({ state: "attached" });
          await page.evaluate(untilStill);
        },
        violations: (rules = "all") => axeFindings(page, rules),
        overflow: () =>
          page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      };
    },
  };
};

/**
 * Ends a journey: the page complained of nothing, and called its own simulator alone. axe-core looks
 * at each view in `views.apart.test.ts`, and at what a journey alone shows where the test asks it to.
 */
export const expectClean = async (opened: OpenedConsole) => {
  expect(opened.complaints).toEqual([]);
  expect(opened.elsewhere).toEqual([]);
  await opened.page.context().close();
};
