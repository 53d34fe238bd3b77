import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("finding and reading a call", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;

  beforeEach(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
  });

  afterEach(() => world.sim.close());

  const newest = async () => (await world.control("GET", "/requests?limit=1")).body.data[0].id;

  test("an error is told by its message; its answer is copied, its operation is a link", async () => {
    await world.call("GET", "/quotes/Quote:01a21d53-5c12-7000-8000-1a2e8abf8b94");
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/requests/${await newest()}`);
    await page
      .getByText(/^QUOTE_NOT_FOUND: No quote Quote:\S+8b94\. POST \/quotes creates one\. It took/)
      .waitFor();
    await page.getByRole("button", { name: "Copy answer" }).click();
    await page.getByText("Copied the answer").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied).code).toBe("QUOTE_NOT_FOUND");
    await page.getByRole("link", { name: "getQuote" }).click();
    await page.getByRole("heading", { name: "Get one quote" }).waitFor();
    await expectClean(opened);
  });

  test("lists have their usual searches at hand, and failed webhooks are resent together", async () => {
    const receiver = await new Receiver().start();
    receiver.behaviour = (_event, response) => {
      response.statusCode = 500;
      response.end("db down");
    };
    await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    await slowPayout(world);
    await world.sim.advance("8d");
    receiver.behaviour = (_event, response) => {
      response.end("ok");
    };
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go("/webhooks");
    await page.getByRole("button", { name: "given up" }).click();
    await page.getByText("6 found").waitFor();
    expect(page.url()).toContain("q=status%3Agiven_up");
    await page.getByRole("button", { name: "Resend failed" }).click();
    await page.getByText("Resent: 6 of 6 webhooks accepted").waitFor();
    await page.getByText("0 found").waitFor();
    await page.getByRole("button", { name: "Resend failed" }).click();
    await page.getByText("No failed webhook to resend").waitFor();
    await receiver.stop();
    await expectClean(opened);
  });

  test("Go to and the keys have buttons; a choice of colors outlives a reload", async () => {
    const opened = await browser.open(url, { colorScheme: "light" });
    const { page } = opened;
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole("button", { name: "Go to…" }).click();
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Keys and colors" }).click();
    await page.getByRole("button", { name: "dark" }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.locator(".live.done").waitFor();
    expect(await paper()).toBe(dark);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "system" }).click();
    expect(await paper()).toBe(light);
    await expectClean(opened);
  });

  test("a member that the operation does not have is named", async () => {
    const { customerId } = await createPayer(world);
    await world.call("PATCH", `/customers/${customerId}`, {
      customerType: "INDIVIDUAL",
      nickname: "A",
    });
    const opened = await browser.open(url);
    await opened.go(`/requests/${await newest()}`);
    await opened.page.locator("dl div", { hasText: "ignored" }).getByText("nickname").waitFor();
    await expectClean(opened);
  });
});
