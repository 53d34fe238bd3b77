import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayee, createPayer, quoteInput, umaQuoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("the page of a payment", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;

  beforeEach(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
  });

  afterEach(async () => {
    await world.sim.close();
  });

  const pageOf = async (id: string) => {
    const opened = await browser.open(url);
    await opened.go(`/payments/${id}`);
    await opened.settled();
    return opened;
  };

  test("explains each cent: rate, parts of the fee, roundings", async () => {
    const opened = await pageOf((await slowPayout(world)).id);
    const { page } = opened;
    const rows = page.locator(".amounts-amounts tr");
    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      "sends\tas requested\t250.00 USD",
      "fixed fee\t\t-0.10 USD",
      "variable fee\t0.3 % of 250.00 USD\t-0.75 USD",
      "counterparty fee\t0.10 MXN ÷ 17.2500 (0.005797… USD, rounded up)\t-0.01 USD",
      "converted\t249.14 USD × 17.2500 = 4,297.66 MXN (4,297.665 MXN, rounded down)\t4,297.66 MXN",
      "receives\t\t4,297.66 MXN",
    ]);
    await page.locator(".pane-facts", { hasText: "249.14 USD × 17.2500 = 4,297.66 MXN" }).waitFor();
    await expectClean(opened);
  });

  test("delays the timer that it waits for, by the keyboard", async () => {
    const opened = await pageOf((await slowPayout(world)).id);
    const { page } = opened;
    await page.locator(".payment-pending", { hasText: "at 09:06:00" }).waitFor();
    await page.getByRole("button", { name: "Delay…" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("4m");
    await page.keyboard.press("Enter");
    await page.getByText("Delayed by 4m").waitFor();
    await page.locator(".payment-pending", { hasText: "at 09:10:00" }).waitFor();
    await expectClean(opened);
  });

  test("copies the whole identifier of another outcome, and pays again with it", async () => {
    const opened = await pageOf((await slowPayout(world)).id);
    const { page } = opened;
    await page.getByRole("button", { name: "Copy 646180110400000005" }).click();
    await page.getByText("Copied 646180110400000005").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("646180110400000005");
    await page.getByRole("button", { name: "Pay again with 646180110400000005" }).click();
    await page.getByText("Made again with clabeNumber 646180110400000005").waitFor();
    await page.getByText(/Test rule 005: receiving bank returned the payment/).waitFor();
    await page.getByText("(this payment)").waitFor();
    const { data } = (await world.call("GET", "/transactions")).body;
    expect(data.length).toBe(2);
    await page.getByRole("button", { name: "Pay again with 646180110400000999" }).click();
    await page.getByText(/No test rule: successful payment/).waitFor();
    // An account with this number exists by now.
    await page.getByRole("button", { name: "Pay again with 646180110400000005" }).click();
    await page.getByText(/Test rule 005: receiving bank returned the payment/).waitFor();
    await expectClean(opened);
  });

  /** The ids of payments that were there before, and of those made by a click on a row. */
  const paysAgain = async (id: string, { value, rule }: { value: string; rule: RegExp }) => {
    const opened = await pageOf(id);
    await opened.page.getByRole("button", { name: `Pay again with ${value}` }).click();
    await opened.page.getByText(`Made again with`).waitFor();
    await opened.page.getByText(rule).first().waitFor();
    await expectClean(opened);
  };

  test("makes a transfer out again", async () => {
    const payer = await createPayer(world);
    const bank = await createBank(world, payer.customerId, "003");
    const input = transferInput(payer.accountId, bank, 25_000);
    const { body } = await world.call("POST", "/transfer-out", input);
    await paysAgain(body.id, { value: "000123004", rule: /Test rule 004: rejected by the bank/ });
  });

  test("makes a payment to a UMA address again", async () => {
    const payer = await createPayer(world);
    const input = await umaQuoteInput(world, payer.accountId, "$success.mxn@sandbox.uma.test");
    const { body } = await world.call("POST", "/quotes", input);
    await world.call("POST", `/quotes/${body.id}/execute`);
    await paysAgain(body.id, {
      value: "$fail.compliance.usd@sandbox.uma.test",
      rule: /Test rule \$fail\.compliance\.usd: compliance failure/,
    });
  });

  test("makes a payment again that is funded just in time", async () => {
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "003");
    const { body } = await world.call("POST", "/quotes", {
      ...quoteInput(payer.accountId, payee),
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    });
    await world.call("POST", "/sandbox/send", {
      quoteId: body.id,
      currencyCode: "USD",
      currencyAmount: body.totalSendingAmount,
    });
    await paysAgain(body.id, {
      value: "646180110400000004",
      rule: /Test rule 004: counterparty delivery failed/,
    });
  });
});
