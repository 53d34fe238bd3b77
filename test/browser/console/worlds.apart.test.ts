import { afterEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("worlds, phones and lost simulators in the console", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;

  const start = async (options: Parameters<typeof startTestSimulator>[0] = {}) => {
    world = await startTestSimulator(options);
    return (await world.sim.listen()).url;
  };

  afterEach(() => world.sim.close());

  test("a fork pays on its own, and the diff tells what it did", async () => {
    const opened = await browser.open(await start());
    const { page } = opened;
    await opened.go("/worlds");
    await page.getByLabel("Name (optional)").fill("b");
    await page.getByRole("button", { name: "Fork sandbox" }).click();
    await page.getByRole("button", { name: "Switch to b" }).click();
    await expect.poll(() => page.url()).toContain("?world=b#/worlds");
    await page.locator(".live.done").waitFor();
    await opened.go("/");
    await page.getByRole("button", { name: "Make a payout" }).click();
    await page.getByRole("heading", { name: /250\.00 USD/ }).waitFor();
    await opened.go("/diff?from=world:sandbox&to=world:b");
    await page.getByText(/Different: .*1 Quote/).waitFor();
    await page.getByRole("heading", { name: "Transaction" }).waitFor();
    await page.getByRole("heading", { name: "Balances" }).waitFor();
    expect((await world.control("GET", "/records?kind=Quote")).body.data).toEqual([]);
    await expectClean(opened);
  });

  test("on a phone the first timer is touched", async () => {
    const url = await start();
    await slowPayout(world);
    const opened = await browser.open(url, { width: 390, height: 844, hasTouch: true });
    const { page } = opened;
    await page.locator(".time-line-next button").first().tap();
    await page
      .getByRole("button", { name: /^Advance/ })
      .last()
      .waitFor();
    await page
      .locator(".sheets-sheet")
      .getByRole("button", { name: /^Advance/ })
      .tap();
    await page.getByText(/1 timer fired/).waitFor();
    await expectClean(opened);
  });

  test("beyond loopback it asks for the token, and takes it from the address too", async () => {
    world = await startTestSimulator({ host: "0.0.0.0" });
    const { port } = await world.sim.listen({ host: "0.0.0.0" });
    const url = `http://127.0.0.1:${port}`;
    const opened = await browser.open(url, { isTokenWanted: true });
    const { page } = opened;
    await page.getByRole("heading", { name: /wants its control token/ }).waitFor();
    await page.getByLabel("Control token").fill(world.sim.controlToken);
    await page.getByRole("button", { name: "Open the console" }).click();
    await page.locator(".live.done").waitFor();
    await page.context().close();
  });
});
