import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("mended and undone payments in the console", () => {
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

  test("a refused webhook is found, and sent again once the receiver is mended", async () => {
    receiver.behaviour = (_event, response) => {
      response.writeHead(500).end("db down");
    };
    await slowPayout(world);
    await world.sim.advance("1s");
    const opened = await browser.open(url);
    const { page } = opened;
    await page.locator(".side-side .waits").waitFor();
    await page
      .getByRole("link", { name: /^Webhooks/ })
      .first()
      .click();
    await page.getByLabel("Search webhooks").fill("type:processing code:5xx");
    await page.locator(".row-cells-leads").first().click();
    await page.getByText("db down").first().waitFor();
    receiver.behaviour = (_event, response) => {
      response.end();
    };
    await page.keyboard.press("Shift+R");
    await page.getByText("Sent again: 200, ACCEPTED").waitFor();
    await page.locator(".pane-state", { hasText: "ACCEPTED" }).waitFor();
    await world.sim.advance("1h");
    await expect.poll(() => page.locator(".side-side .waits").count()).toBe(0);
    await expectClean(opened);
  });

  test("a rewind says what it undoes, takes it back, and can itself be undone", async () => {
    const quote = await slowPayout(world);
    await world.sim.advance("6m");
    const opened = await browser.open(url);
    const { page } = opened;
    const head = await page.getByRole("slider", { name: "Clock" }).boundingBox();
    if (!head) throw new Error("Expected the clock in sight");
    await page.mouse.move(head.x + 1, head.y + 6);
    await page.mouse.down();
    await page.mouse.move(head.x - 30, head.y + 6, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("heading", { name: /^Rewind to 09:0/ }).waitFor();
    await page.keyboard.press("Escape");
    expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:06:00.000Z");
    await opened.go(`/payments/${quote.id}`);
    await page.getByRole("button", { name: /Rewind to before it/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/Undoes \d+ requests?, \d+ timers?, \d+ webhooks?/).waitFor();
    await page.getByText(/has already received \d+ of these webhooks/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/previous state saved as before-rewind-1/).waitFor();
    // The record is gone with what was undone: its page says so, and the browser notes the refusal.
    await page.getByRole("heading", { name: /was not found/ }).waitFor();
    await opened.go("/payments");
    await page.getByText("No payment yet", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".row-cells-leads", { hasText: "COMPLETED" }).waitFor();
    opened.complaints = opened.complaints.filter((one) => !one.includes("404"));
    await expectClean(opened);
  });
});
