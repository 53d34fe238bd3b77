import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean, type OpenedConsole } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

const START = "2026-01-05T09:00:00.000Z";

/** The element with the focus: its words, or its tag where it has none. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: active } = document;
    return active?.getAttribute("aria-label") ?? active?.textContent?.trim() ?? active?.tagName;
  });

const isInSheet = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest(".sheets-sheet, dialog") !== null);

describe.skipIf(!hasChromium())("sheets by the keyboard", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let opened: OpenedConsole;
  let page: Page;

  beforeEach(async () => {
    world = await startTestSimulator();
    await slowPayout(world);
    opened = await browser.open((await world.sim.listen()).url);
    ({ page } = opened);
    await page.locator(".flags-flag").first().waitFor();
  });

  afterEach(async () => {
    await world.sim.close();
  });

  const now = async () => (await world.control("GET", "/clock")).body.now;
  const isClosed = () =>
    page.locator(".sheets-sheet, dialog").first().waitFor({ state: "detached" });
  const advanceButton = () => page.getByRole("button", { name: "Advance… a" });

  test("each way to an advance takes the focus in, commits by Enter, and gives the focus back", async () => {
    await advanceButton().focus();
    await page.keyboard.press("Enter");
    await page.locator(".sheets-sheet input").waitFor();
    await page.keyboard.type("1m");
    await page.keyboard.press("Enter");
    await isClosed();
    expect(await now()).toBe("2026-01-05T09:01:00.000Z");
    expect(await focused(page)).toMatch(/^Advance…/);

    const clock = page.getByRole("slider", { name: "Clock" });
    await clock.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: /^Advance to 09:06:00/ }).waitFor();
    await page.keyboard.press("Escape");
    await isClosed();
    expect(await now()).toBe("2026-01-05T09:01:00.000Z");
    expect(await focused(page)).toBe("Clock");
    await page.keyboard.press("ArrowRight");
    await page.locator(".sheets-sheet").waitFor();
    await page.keyboard.press("Enter");
    await isClosed();
    expect(await now()).toBe("2026-01-05T09:06:00.000Z");
  });

  test("the flag of a timer opens a sheet that Enter commits; Cancel acts as itself", async () => {
    await page.locator(".flags-flag").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".sheets-sheet").waitFor();
    expect(await isInSheet(page)).toBe(true);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toMatch(/^Cancel/);
    await page.keyboard.press("Enter");
    await isClosed();
    expect(await now()).toBe(START);
    expect(await focused(page)).toMatch(/^payment\.settle/);
    await page.keyboard.press("Enter");
    await page.locator(".sheets-sheet").waitFor();
    await page.keyboard.press("Enter");
    await isClosed();
    expect(await now()).toBe("2026-01-05T09:06:00.000Z");
  });

  test("a rewind is committed by the key after the one that asks, and undone", async () => {
    await world.sim.advance("6m");
    await page.locator(".flags-flag").first().waitFor({ state: "detached" });
    await page.keyboard.press("b");
    await page.keyboard.press("Escape");
    await isClosed();
    expect(await now()).toBe("2026-01-05T09:06:00.000Z");
    await page.keyboard.press("b");
    await page.keyboard.press("Enter");
    await page.getByText(/previous state saved as before-rewind-1/).waitFor();
    expect(await now()).toBe(START);
  });

  test("a click beside the sheet leaves it open for Enter", async () => {
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: /Advance to 09:06:00/ }).waitFor();
    await page.locator(".sheets-sheet h2").click();
    await page.keyboard.press("Enter");
    await isClosed();
    expect(await now()).toBe("2026-01-05T09:06:00.000Z");
    await expectClean(opened);
  });

  test("a question over the page is answered by Enter, left by Escape, and takes no other keys", async () => {
    await world.control("POST", "/worlds", { name: "spare" });
    await opened.go("/worlds");
    const remove = page
      .locator("tr", { hasText: "spare" })
      .getByRole("button", { name: /^Remove/ });
    await remove.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await isInSheet(page)).toBe(true);
    await page.keyboard.press("1");
    await page.keyboard.press("Escape");
    await isClosed();
    expect(await focused(page)).toMatch(/^Remove/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Enter");
    await isClosed();
    await remove.waitFor({ state: "detached" });
  });
});
