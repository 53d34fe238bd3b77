import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean, type OpenedConsole } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

const answerOf = ({ page }: OpenedConsole) => page.getByRole("region", { name: "Answer" });

describe.skipIf(!hasChromium())("the reference", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;

  beforeAll(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
  });

  afterAll(() => world?.sim.close());

  test("calls with an agent's token, which no snippet shows and no storage keeps", async () => {
    const { customerId } = await createPayer(world, 1000);
    const { id, accessToken } = await connectAgent(world, customerId);
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go("/reference/agentGetMe");
    const credentials = page.getByLabel("Credentials");
    expect(await credentials.inputValue()).toBe("agent");
    await page.getByRole("textbox", { name: "Access token" }).fill(accessToken);
    await page.keyboard.press("Enter");
    await answerOf(opened).getByText(id).first().waitFor();
    for (const language of ["curl", "JavaScript", "Python"]) {
      await page.getByRole("button", { name: language }).click();
      const text = (await page.locator("main").textContent()) ?? "";
      expect(text).toContain("AGENT_TOKEN");
      expect(text).not.toContain(accessToken);
    }
    const kept = "JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])";
    expect(await page.evaluate(kept)).not.toContain(accessToken);
    // Another operation takes the same token; other credentials are refused as anywhere.
    await opened.go("/reference/agentListActions");
    await opened.go("/reference/agentGetMe");
    expect(await page.getByRole("textbox", { name: "Access token" }).inputValue()).toBe(
      accessToken,
    );
    await credentials.selectOption("world");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("main .failed", { hasText: "401" }).first().waitFor();
    await expectClean(opened);
  });

  test("uploads a file, with the members of the body beside it", async () => {
    const { customerId } = await createPayer(world, 0);
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go("/reference/createDocument");
    await page
      .getByLabel("File")
      .setInputFiles({ name: "pass.pdf", mimeType: "application/pdf", buffer: PDF });
    const body = { documentHolder: customerId, documentType: "PASSPORT", country: "GB" };
    await page.getByLabel("Body").fill(JSON.stringify(body));
    await page.keyboard.press("Control+Enter");
    await answerOf(opened).getByText("pass.pdf").first().waitFor();
    const { body: list } = await world.call("GET", `/documents?documentHolder=${customerId}`);
    expect(list.data).toHaveLength(1);
    await expectClean(opened);
  });

  test("has the rules of an operation, whose links lead to the page and the heading", async () => {
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go("/reference/executeQuote");
    await page.getByRole("link", { name: "The whole page" }).click();
    await page.getByRole("heading", { level: 1, name: "Quotes" }).waitFor();
    expect(await page.evaluate("location.hash")).toBe("#/spec/quotes?at=execution");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("execution");
    await expectClean(opened);
  });

  test("finds operations by their names, places and errors", async () => {
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go("/reference");
    const search = page.getByLabel("Search the reference");
    const found = page.locator(".reference-index li");
    await search.fill("transfer-out POST");
    await expect.poll(() => found.count()).toBeLessThan(4);
    await found.getByText("POST").first().waitFor();
    await search.fill("QUOTE_NOT_FOUND execute");
    await page.locator('.reference-index a[href="#/reference/executeQuote"]').waitFor();
    await expectClean(opened);
  });

  test("finds guides and specification by their words", async () => {
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go("/guides");
    await page.getByLabel("Search the guides").fill("strictly before expiresAt");
    await page.getByRole("link", { name: "Quotes" }).click();
    await page.getByRole("heading", { level: 1, name: "Quotes" }).waitFor();
    expect(await page.evaluate("location.hash")).toBe("#/spec/quotes?at=expiry");
    await expectClean(opened);
  });
});

const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");
