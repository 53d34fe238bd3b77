import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clientKeys } from "../../api/wallets/setup/wallet-client.ts";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

const run = promisify(execFile);

/** The wallet that a credential belongs to. */
const walletOf = async (world: TestSimulator, credentialId: string): Promise<string> => {
  const { data } = (
    await world.control("GET", "/records?kind=InternalAccount&type=EMBEDDED_WALLET")
  ).body;
  for (const { id } of data) {
    const { body } = await world.call("GET", `/auth/credentials?accountId=${id}`);
    if (body.data.some((one: { id: string }) => one.id === credentialId)) return id;
  }
  throw new Error(`Expected a wallet with ${credentialId}`);
};

describe.skipIf(!hasChromium())("records, actions and faults in the console", () => {
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

  test("by the keyboard alone an action is rejected with a reason", async () => {
    const opened = await start("agent-demo");
    const { page } = opened;
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Approvals" }).waitFor();
    await page.keyboard.press("Shift+X");
    await page.keyboard.type("not this month");
    await page.keyboard.press("Enter");
    await page.getByText("“not this month”").waitFor();
    await page.keyboard.press("0");
    await page.getByText("Actions that need you wait here", { exact: false }).waitFor();
    await expectClean(opened);
  });

  test("go to leads to an action, whose field or button has the focus", async () => {
    const opened = await start("agent-demo");
    const { page } = opened;
    const [account] = (await world.control("GET", "/records?kind=InternalAccount")).body.data;
    const [approval] = (await world.control("GET", "/rows?list=approvals")).body.data;
    const goTo = async (typed: string) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(typed);
      // At once, while the rows of an earlier text are still listed.
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await goTo(`fund ${account.id.slice(-6)}`);
    await expect.poll(focused).toBe("INPUT");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("7.25");
    await page.keyboard.press("Enter");
    await page.getByText("Funded with 7.25").waitFor();
    await page.locator("main h1").focus();
    await goTo(`fund ${account.id.slice(-6)}`);
    await expect.poll(focused).toBe("INPUT");
    await goTo(`reject ${approval.id.slice(-6)}`);
    await expect.poll(focused).toBe("INPUT");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await goTo(`approve ${approval.id.slice(-6)}`);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/^Approve/);
    await page.keyboard.press("Enter");
    await page
      .locator(".text-status", { hasText: /APPROVED|EXECUTED|COMPLETED/ })
      .first()
      .waitFor();
    await expectClean(opened);
  });

  test("a wallet's owner signs in with the code from the inbox, and the session is listed", async () => {
    const opened = await start("wallet-demo");
    const { page } = opened;
    const { data } = (await world.control("GET", "/inbox")).body;
    const { code, to, credentialId } = data[0];
    const wallet = await walletOf(world, credentialId);
    await opened.go(`/wallets/${wallet}`);
    await page.getByRole("button", { name: "Send a new code" }).click();
    await page.getByText("A fresh code is in the inbox").waitFor();
    await opened.go("/inbox");
    const mail = page.locator(".inbox-mails li", { hasText: to }).first();
    await expect.poll(() => mail.locator(".inbox-code").textContent()).not.toBe(code);
    await mail.getByRole("button", { name: "Copy code" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(await mail.locator(".inbox-code").textContent()).toBe(copied);

    await opened.go("/reference/verifyCredential");
    await page.getByLabel("id", { exact: true }).fill(credentialId);
    const { publicKey } = clientKeys();
    const proof = { type: "EMAIL_OTP", otp: copied, clientPublicKey: publicKey };
    await page.getByLabel("body").fill(JSON.stringify(proof));
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.locator(".text-status.done", { hasText: "200" }).waitFor();
    await opened.go("/reference/listSessions");
    await page.getByRole("combobox", { name: /^accountId/ }).selectOption(wallet);
    await page.getByRole("button", { name: /^Send/ }).click();
    await expect
      .poll(() => page.getByRole("region", { name: "Answer", exact: true }).textContent())
      .toContain("Session:");
    await expectClean(opened);
  });

  test("a purchase is authorized and cleared, another declined, and the statement adds up", async () => {
    const opened = await start("cards-demo");
    const { page } = opened;
    await opened.go("/cards");
    await page.locator(".row-cells-leads", { hasText: "ACTIVE" }).first().click();
    const purchase = page.locator("form", { hasText: "Purchase" });
    await purchase.getByLabel("amount").fill("1.25");
    await purchase.getByRole("button", { name: "Authorize" }).click();
    await page.locator(".toasts-toast", { hasText: "AUTHORIZED" }).waitFor();
    await purchase.getByLabel("merchant").fill("Corner Coffee 003");
    await purchase.getByRole("button", { name: "Authorize" }).click();
    await page.locator(".toasts-toast", { hasText: "DECLINED, CARD_PAUSED" }).waitFor();

    await page.locator("tr", { hasText: "AUTHORIZED" }).getByRole("link").first().click();
    const clearing = page.locator("form", { hasText: "Clear" });
    await clearing.getByLabel("amount").fill("1.25");
    await clearing.getByRole("button", { name: "Clear" }).click();
    await page.locator(".toasts-toast", { hasText: "Cleared 1.25" }).waitFor();
    await page.locator(".story-sums", { hasText: "USD 0" }).waitFor();
    await opened.go("/cards");
    await page.locator(".row-cells-leads", { hasText: "ACTIVE" }).first().click();
    await page.locator("tr", { hasText: "InternalAccount" }).getByRole("link").first().click();
    const rows = page.getByRole("region", { name: "Statement" }).locator("tbody tr");
    await rows.first().waitFor();
    const [newest = "", before = ""] = await rows.allTextContents();
    const minorIn = (text: string) =>
      [...text.matchAll(/([+-]?[\d,]+\.\d+) USD/g)].map(([, amount = ""]) =>
        Math.round(Number(amount.replaceAll(",", "")) * 100),
      );
    const [[amount = 0, after = 0], [, earlier = 0]] = [minorIn(newest), minorIn(before)];
    expect(amount).toBe(-125);
    expect(after).toBe(earlier + amount);
    expect(await opened.violations("structure")).toEqual([]);
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
    await page.locator(".text-status.done", { hasText: "201" }).waitFor();
    const curl = await page.getByLabel("As curl").textContent();
    const { apiUrl, clientId, clientSecret } = world.sim;
    const { stdout } = await run("sh", ["-c", `${curl} -s -o /dev/null -w '%{http_code}'`], {
      env: {
        ...process.env,
        SERVICE_SIM_API_URL: `${url}${new URL(apiUrl).pathname}`,
        SERVICE_SIM_CLIENT_ID: clientId,
        SERVICE_SIM_CLIENT_SECRET: clientSecret,
      },
    });
    expect(stdout).toBe("201");
    expect(await opened.violations("structure")).toEqual([]);
    await page.locator("p", { hasText: "See" }).getByRole("link").click();
    await page.getByRole("heading", { name: /250\.00 USD/ }).waitFor();
    await expectClean(opened);
  });

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
    await page.locator(".pane-state, .text-status", { hasText: "REJECTED" }).first().waitFor();
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
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No faults active").waitFor();
    await opened.go("/requests?q=code:503");
    await expect.poll(() => page.locator(".row-cells-leads").count()).toBe(2);
    await expectClean(opened);
  });
});
