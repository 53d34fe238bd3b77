import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

/** Hides the tab, or brings it back, as far as the page can see. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

describe.skipIf(!hasChromium())("what happened to the world meanwhile", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let isClosed = false;

  const start = async () => {
    isClosed = false;
    world = await startTestSimulator();
    const { id } = await slowPayout(world);
    const opened = await browser.open((await world.sim.listen()).url);
    return { ...opened, id };
  };

  afterEach(async () => {
    if (!isClosed) await world.sim.close();
  });

  // spec/console.md#states
  test("a reset by somebody else is told on a detail page, whose record is gone", async () => {
    const { page, go, id } = await start();
    for (const place of [`/payments/${id}`, "/timers"]) {
      await go(place);
      await page.locator("main h1:not(.loading)").waitFor();
    }
    await go(`/payments/${id}`);
    await page.getByRole("heading", { name: /USD/ }).waitFor();
    await world.control("POST", "/reset", {});
    await page.getByText("was reset, rewound or restored by another client").waitFor();
    await page.getByRole("heading", { name: `${id} was not found` }).waitFor();
    await page.context().close();
  });

  test("a lost simulator is told on a detail page, and nothing there counts on", async () => {
    const { page, go, id } = await start();
    await go(`/payments/${id}`);
    await page.getByRole("heading", { name: /USD/ }).waitFor();
    await world.sim.close();
    isClosed = true;
    await page.getByText("No answer from", { exact: false }).waitFor();
    await page.locator(".live", { hasText: "no answer" }).waitFor();
    await page.getByRole("button", { name: /^Next, \?:\?\?/ }).waitFor();
    await page.locator(".stale-note-stale", { hasText: "as of 09:00:00" }).waitFor();
    await page.context().close();
  });

  test("a hidden tab that comes back is live only once it has read what it missed", async () => {
    const { page, go, id } = await start();
    await page.clock.install();
    await go(`/payments/${id}`);
    await page.getByRole("heading", { name: /USD/ }).waitFor();
    await setHidden(page, true);
    await page.clock.fastForward(31_000);
    await page.locator(".live", { hasText: "connecting" }).waitFor();
    expect(await page.locator(".live.done").count()).toBe(0);
    await world.control("POST", "/reset", {});
    await world.sim.advance("90s");
    await setHidden(page, false);
    await page.locator(".live.done").waitFor();
    await page.locator(".clock-bar-now time", { hasText: "09:01:30" }).waitFor();
    await page.clock.runFor(2_000);
    await page.getByRole("heading", { name: `${id} was not found` }).waitFor();
    await page.getByText("was reset, rewound or restored by another client").waitFor();
    await page.context().close();
  });

  test("a message stays in sight for its time, of which a hidden tab takes none", async () => {
    const { page, go } = await start();
    await page.clock.install();
    await go("/snapshots");
    await page.getByLabel("name").fill("kept");
    await page.keyboard.press("Enter");
    const message = page.getByRole("status").filter({ hasText: "kept" });
    await message.waitFor();
    await setHidden(page, true);
    await page.clock.fastForward(20_000);
    await setHidden(page, false);
    await page.clock.fastForward(7_000);
    expect(await message.count()).toBe(1);
    await page.clock.fastForward(1_000);
    await message.waitFor({ state: "detached" });
    await page.context().close();
  });
});
