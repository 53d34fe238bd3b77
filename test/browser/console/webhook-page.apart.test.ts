import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { issueCard, tryAuthorize } from "../../api/cards/setup/card-world.ts";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("pages of a webhook, an approval and a record", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let receiver: Receiver;
  let url: string;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
  });

  afterEach(async () => {
    await world.sim.close();
    await receiver.stop();
  });

  test("a webhook that was not sent takes an endpoint in its place, and is resent", async () => {
    await slowPayout(world);
    const [sent] = (await world.control("GET", "/webhooks?limit=1")).body.data;
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/webhooks/${sent.id}`);
    await page.locator(".pane-state", { hasText: "not sent, no endpoint" }).waitFor();
    await page.getByRole("button", { name: "Set endpoint" }).click();
    await page.keyboard.type(receiver.url);
    await page.keyboard.press("Enter");
    await page.getByText(`Webhooks go to ${receiver.url}`).waitFor();
    await page.keyboard.press("R");
    await page.locator(".pane-state", { hasText: "accepted" }).waitFor();
    await expectClean(opened);
  });

  test("the next attempt counts down, and one given up shows in the sidebar", async () => {
    await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    receiver.behaviour = (_event, response) => {
      response.statusCode = 500;
      response.end("db down");
    };
    await slowPayout(world);
    const retried = async () =>
      (await world.control("GET", "/webhooks")).body.data.find(
        ({ state }: { state: string }) => state === "RETRYING",
      );
    await expect.poll(retried).toBeDefined();
    const { id } = await retried();
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/webhooks/${id}`);
    await page.getByText(/next attempt in 0:0[1-9]/).waitFor();
    await world.sim.advance("8d");
    await page.locator(".pane-state", { hasText: "given up" }).waitFor();
    const link = page.getByRole("link", { name: /^Webhooks/ }).first();
    await expect.poll(() => link.innerText()).toMatch(/✗/);
    await expectClean(opened);
  });

  test("an approval shows what came of it, also after a reload and by its id", async () => {
    const payer = await createPayer(world);
    const agent = await connectAgent(world, payer.customerId, {
      ...GENEROUS,
      defaultExecutionMode: "APPROVAL_REQUIRED",
    });
    const payee = await createPayee(world, payer.customerId, "003");
    const quote = await agent.call("POST", "/agents/me/quotes", quoteInput(payer.accountId, payee));
    const asked = await agent.call("POST", `/agents/me/quotes/${quote.body.id}/execute`);
    const { id } = asked.body;
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/approvals/${id}`);
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    await page.keyboard.press("A");
    const outcome = page.locator(".outcome");
    await outcome.waitFor();
    await expect.poll(() => outcome.innerText()).toContain("PROCESSING");
    await page.reload();
    await outcome.getByText("executed").waitFor();
    await outcome.getByRole("link").click();
    await page.getByRole("heading", { name: /250\.00 USD/ }).waitFor();
    await expectClean(opened);
  });

  test("a card's page shows its last four digits, and amounts of its purchases as links", async () => {
    const payer = await createPayer(world);
    const issue = { cardholderId: payer.customerId, fundingSources: [payer.accountId] };
    const card = await issueCard(world, issue);
    await world.sim.advance("1m");
    const purchase = await tryAuthorize(world, card.id, { amount: 1250 });
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/cards/${card.id}`);
    await page.getByRole("heading", { name: `…${card.last4}` }).waitFor();
    const row = page.locator(".record-row", { hasText: "NORTH PIER BOOKS" });
    expect(await row.innerText()).toContain("12.50 USD");
    // The middle of the row, beside the words of its link.
    await row.click();
    await page.getByRole("heading", { name: "NORTH PIER BOOKS" }).waitFor();
    expect(page.url()).toContain(encodeURIComponent(purchase.body.id));
    await opened.go(`/accounts/${payer.accountId}`);
    const plot = page.locator(".step-plot-plot");
    await plot.waitFor();
    expect(await plot.innerText()).toMatch(/10,000\.00 USD\s+0\.00 USD\s+2026-01-05 09:00:00/);
    await expectClean(opened);
  });
});
