import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import {
  chromiumHere,
  hasChromium,
  LONGEST_ACT_MS,
  sayIfSkipped,
} from "./setup/passkey-browser.ts";

sayIfSkipped();

/** Widths of a phone and a laptop. */
const WIDTHS = [390, 1440];

describe.skipIf(!hasChromium())("a browser at the origin", () => {
  let world: TestSimulator;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
    browser = await chromiumHere();
  });

  afterAll(() => world?.sim.close());

  /** Opens a path; resolves with the page and everything that went wrong on it. */
  const opened = async (path: string) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(LONGEST_ACT_MS);
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfailed", (request) => problems.push(`${request.url()} failed`));
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`${response.url()} ${response.status()}`);
    });
    await page.goto(url + path);
    return { page, problems };
  };

  test.each(["/", "/_sim"])("is led from %s to the console, without an error", async (path) => {
    const { page, problems } = await opened(path);
    expect(page.url()).toBe(`${url}/_sim/console/`);
    await page.locator(".live.done").waitFor();
    const icon = await page.locator("link[rel=icon]").getAttribute("href");
    expect(await page.evaluate(`fetch("${icon}").then(({ status }) => status)`)).toBe(200);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("finds an icon where browsers look for one", async () => {
    const { page, problems } = await opened("/favicon.ico");
    expect(await page.locator("svg").count()).toBe(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  // spec/console.md#documents
  test.each([
    ["/_sim/docs", "#/reference", "Reference"],
    ["/_sim/docs/guide/getting-started", "#/guides/getting-started", "Getting started"],
    ["/_sim/docs/events", "#/spec/events", "Events"],
  ])("is led from %s to %s, which fits at any width", async (path, place, title) => {
    const { page, problems } = await opened(path);
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    expect(page.url()).toBe(`${url}/_sim/console/${place}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(over, `at ${width}`).toBeLessThanOrEqual(0);
    }
    expect(problems).toEqual([]);
    await page.close();
  });
});
