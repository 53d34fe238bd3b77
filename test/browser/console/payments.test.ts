import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

const isFocused = (element: Element) => element === document.activeElement;

/** Whether the element with the focus shows it. */
const isFocusSeen = () => {
  const active = document.activeElement;
  if (!active || active === document.body) return false;
  const { outlineStyle, outlineWidth } = getComputedStyle(active);
  return outlineStyle !== "none" && outlineWidth !== "0px";
};

describe.skipIf(!hasChromium())("payments in the console", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let receiver: Receiver;
  let url: string;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    world = await startTestSimulator({ webhookEndpoint: receiver.url });
    ({ url } = await world.sim.listen());
  });

  afterEach(async () => {
    await world.sim.close();
    await receiver.stop();
  });

  test("a newcomer makes a payout, sees why it waits, drags time to its end, and reads its webhook", async () => {
    const opened = await browser.open(url);
    const { page } = opened;
    await page.getByRole("button", { name: "Make a payout" }).click();
    await page.getByRole("heading", { name: /250\.00 USD/ }).waitFor();
    await page.getByText("PROCESSING").first().waitFor();
    await page.getByText(/It waits for .* payment\.settle and becomes COMPLETED/).waitFor();
    await page.getByText(/Test rule 003: completes after about 6 minutes/).waitFor();

    await opened.go("/");
    const head = page.getByRole("slider", { name: "Clock" });
    const flag = page.locator(".flags-flag");
    await flag.waitFor();
    const [from, to] = [await head.boundingBox(), await flag.boundingBox()];
    if (!from || !to) throw new Error("Expected the clock and its flag in sight");
    await page.mouse.move(from.x + 1, from.y + 6);
    await page.mouse.down();
    await page.mouse.move(to.x + 30, to.y + 8, { steps: 4 });
    // A flag without room at its right stands left of its place.
    const isBack = await flag.evaluate((one) => one.classList.contains("flags-back"));
    await page.mouse.move(isBack ? to.x + to.width : to.x + 1, to.y + 8, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("heading", { name: "Advance to 09:06:00, 6m from now" }).waitFor();
    await page.getByText("1 pending timer fires").waitFor();
    expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:00:00.000Z");
    await page.keyboard.press("Enter");
    await page.getByText(/1 timer fired, 1 webhook accepted, 0 open/).waitFor();

    await page
      .getByRole("link", { name: /^Payments/ })
      .first()
      .click();
    await page.locator(".row-cells-leads", { hasText: "COMPLETED" }).click();
    await page.getByText("6m", { exact: false }).first().waitFor();
    await page.locator(".story-sums", { hasText: "EUR 0" }).waitFor();
    expect(await page.locator(".story-sums").textContent()).toContain("USD 0");
    await page.getByRole("link", { name: "OUTGOING_PAYMENT.COMPLETED" }).click();
    await page.locator(".done", { hasText: "verifies" }).first().waitFor();
    await page.getByRole("button", { name: "Change one byte" }).click();
    await page.getByText("does not verify").waitFor();
    await expectClean(opened);
  });

  const expiredQuote = async () => {
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "003");
    await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.sim.advance("5m");
  };

  test("by the keyboard alone: time moves, lists open, and escape goes one level back", async () => {
    await expiredQuote();
    await slowPayout(world);
    const opened = await browser.open(url);
    const { page } = opened;
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: /Advance to 09:11:00/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".sheets-sheet").count()).toBe(0);
    expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:05:00.000Z");
    await page.keyboard.press("n");
    await page.getByText("1 timer fired at 09:11:00").waitFor();
    await page.keyboard.press("Shift+F");
    await page.getByRole("heading", { name: "Faults" }).waitFor();
    await page.keyboard.press("o");
    await page.getByRole("heading", { name: "Worlds" }).waitFor();
    await page.keyboard.press("Shift+E");
    await expect.poll(() => page.getByLabel("Endpoint").evaluate(isFocused)).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await page.getByRole("heading", { name: "Payments" }).waitFor();
    for (let tabs = 0; tabs < 60; tabs += 1) {
      if (await page.evaluate(() => document.activeElement?.matches(".row-cells-leads"))) break;
      await page.keyboard.press("Tab");
      // Each stop shows that it has the focus: an outline, or the cursor of a list.
      expect(await page.evaluate(isFocusSeen)).toBe(true);
    }
    await page.keyboard.press("Enter");
    await page.locator(".pane-state", { hasText: "COMPLETED" }).waitFor();
    await page.keyboard.press("]");
    await page.locator(".pane-state", { hasText: "EXPIRED" }).waitFor();
    await page.keyboard.press("[");
    await page.locator(".pane-state", { hasText: "COMPLETED" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Payments" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.getByLabel("single letters act").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    expect(await page.getByRole("heading", { name: "Payments" }).count()).toBe(1);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("approv");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Approvals" }).waitFor();
    await expectClean(opened);
  });
});
