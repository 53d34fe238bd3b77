import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { axeFindings } from "./setup/console-page.ts";
import { chromiumHere, hasChromium, sayIfSkipped } from "./setup/passkey-browser.ts";

sayIfSkipped();

/** Widths of a phone and a laptop. */
const WIDTHS = [390, 1440];

describe.skipIf(!hasChromium())("the docs page of all operations", () => {
  let world: TestSimulator;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
    browser = await chromiumHere();
  });

  afterAll(() => world?.sim.close());

  test("has nothing that axe-core finds wrong, also of its colors, in the dark too", async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${url}/_sim/docs`);
    await page.locator("#createQuote > summary").click();
    // Every hundredth operation stands for the others, which look alike.
    const others = "[...document.querySelectorAll('details.operation:not([open])')]";
    await page.evaluate(`${others}.forEach((one, at) => at % 100 === 0 || one.remove())`);
    expect(await page.locator("details.operation").count()).toBeGreaterThan(2);
    expect(await axeFindings(page, "all")).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeFindings(page, "colors")).toEqual([]);
    await page.close();
  });

  test("never has to be scrolled sideways, at any width", async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/_sim/docs`);
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(over, `at ${width}`).toBeLessThanOrEqual(0);
    }
    await page.close();
  });
});
