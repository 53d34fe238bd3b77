import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("records and calls in the console", () => {
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
    const opened = await start("agent-demo");
    const { page } = opened;
    const { data } = (await world.control("GET", "/approvals")).body;
    expect(data.length).toBeGreaterThan(0);
    await page.keyboard.press("Shift+A");
    await page.locator(".toast", { hasText: /→|APPROVED|COMPLETED/ }).waitFor();
    await expect
      .poll(async () => (await world.control("GET", "/approvals")).body.totalCount)
      .toBe(data.length - 1);
    await expectClean(opened);
  });

  test("the code of a wallet sign-in stands in the inbox", async () => {
    const opened = await start("wallet-demo");
    const { page } = opened;
    await opened.go("/inbox");
    const { data } = (await world.control("GET", "/inbox")).body;
    const [mail] = data;
    if (mail) await page.getByText(mail.code, { exact: true }).first().waitFor();
    else await page.getByText("No email yet", { exact: false }).waitFor();
    await expectClean(opened);
  });

  test("a card's purchase is authorized, and the card leads to it", async () => {
    const opened = await start("cards-demo");
    const { page } = opened;
    await opened.go("/cards");
    await page.locator("a.row", { hasText: "ACTIVE" }).first().click();
    const purchase = page.locator("form", { hasText: "Purchase" });
    await purchase.getByLabel("amount").fill("1.25");
    await purchase.getByRole("button", { name: "Authorize" }).click();
    await page.locator(".toast").waitFor();
    await page.getByText("CardTransaction:", { exact: false }).first().waitFor();
    await expectClean(opened);
  });

  test("a fault strikes twice and is used up; the requests show it, and it is lifted", async () => {
    const opened = await start("default");
    const { page } = opened;
    await opened.go("/faults");
    await page.getByLabel("call").selectOption("listCustomers");
    await page.getByLabel("times").fill("2");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("0 of 2 used").waitFor();
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await world.call("GET", "/customers")).status);
    expect(statuses).toEqual([503, 503, 200]);
    await page.getByText("2 of 2 used").waitFor();
    await page.getByRole("button", { name: "Lift" }).click();
    await page.getByText("None is on", { exact: false }).waitFor();
    await opened.go("/requests?q=code:503");
    await expect.poll(() => page.locator(".row.leads").count()).toBe(2);
    await expectClean(opened);
  });

  test("from the search of the docs to a sent call, its record, and its curl", async () => {
    const opened = await start("payouts-demo");
    const { page } = opened;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("create q");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Lock the amounts of a payment" }).waitFor();
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByText("201", { exact: true }).first().waitFor();
    expect(await page.getByLabel("As curl").textContent()).toContain(
      '"$SERVICE_SIM_API_URL/quotes"',
    );
    await page.locator("p", { hasText: "See" }).getByRole("link").click();
    await page.getByRole("heading", { name: /250\.00 USD/ }).waitFor();
    await expectClean(opened);
  });
});
