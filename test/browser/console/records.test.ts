import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("actions and faults in the console", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;

  const start = async (fixture: string) => {
    world = await startTestSimulator({ fixture });
    ({ url } = await world.sim.listen());
    return browser.open(url);
  };

  beforeEach(() => {
    url = "";
  });

  afterEach(() => world.sim.close());

  test("an action is approved, another rejected with a reason, and the balance follows", async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "999");
    const policy = { ...GENEROUS, defaultExecutionMode: "APPROVAL_REQUIRED" };
    const agent = await connectAgent(world, payer.customerId, policy);
    for (const amount of [30_000, 12_000]) {
      const input = quoteInput(payer.accountId, payee, amount);
      const { body: quote } = await agent.call("POST", "/agents/me/quotes", input);
      await agent.call("POST", `/agents/me/quotes/${quote.id}/execute`);
    }
    const balance = async () =>
      (await world.control("GET", `/records/${payer.accountId}`)).body.balance.amount;
    const before = await balance();
    const opened = await browser.open(url);
    const { page } = opened;
    await page.getByText("2 waiting").waitFor();
    await page.keyboard.press("Shift+A");
    await page.getByText("1 waiting").waitFor();
    expect(await balance()).toBe(before - 30_000);
    await opened.go("/approvals");
    await page.getByRole("button", { name: /^Reject…/ }).click();
    await page.getByLabel(/reason/i).fill("over budget");
    await page.getByRole("button", { name: /^Reject$|^Reject enter/ }).click();
    await page.locator(".state, .st", { hasText: "REJECTED" }).first().waitFor();
    await page.getByText("over budget").first().waitFor();
    expect(await balance()).toBe(before - 30_000);
    await expectClean(opened);
  });

  test("a fault strikes twice and is used up; the requests show it, and it is lifted", async () => {
    const opened = await start("default");
    const { page } = opened;
    await opened.go("/faults");
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "999");
    await page.getByLabel("call").selectOption("createQuote");
    await page.getByLabel("times").fill("2");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("0 of 2 used").waitFor();
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push(
        (await world.call("POST", "/quotes", quoteInput(payer.accountId, payee))).status,
      );
    expect(statuses).toEqual([503, 503, 201]);
    await page.getByText("2 of 2 used").waitFor();
    await page.getByRole("button", { name: "Lift" }).click();
    await page.getByText("None is on", { exact: false }).waitFor();
    await opened.go("/requests?q=code:503");
    await expect.poll(() => page.locator(".row.leads").count()).toBe(2);
    await expectClean(opened);
  });
});
