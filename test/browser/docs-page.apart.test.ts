import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPayer } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { axeFindings } from "./setup/console-page.ts";
import {
  chromiumHere,
  hasChromium,
  LONGEST_ACT_MS,
  sayIfSkipped,
} from "./setup/passkey-browser.ts";

sayIfSkipped();

/** Widths of a phone and a laptop. */
const WIDTHS = [390, 1440];

describe.skipIf(!hasChromium())("the docs page in a browser", () => {
  let world: TestSimulator;
  let browser: Browser;
  let page: Page;
  let url: string;
  const elsewhere: string[] = [];

  beforeAll(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
    browser = await chromiumHere();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(LONGEST_ACT_MS);
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) elsewhere.push(request.url());
    });
    await page.goto(`${url}/_sim/docs`);
  });

  afterAll(async () => {
    await page?.close();
    await world?.sim.close();
  });

  test("asks nobody else for anything", () => {
    expect(elsewhere).toEqual([]);
  });

  // decisions/docs-page.md
  test.each(["/_sim/docs", "/_sim/docs/spec/quotes", "/_sim/docs/files/page.js"])(
    "%s comes with the policy of the console",
    async (path) => {
      const { headers } = await fetch(url + path);
      const console = await fetch(`${url}/_sim/console/`);
      for (const name of ["content-security-policy", "x-content-type-options", "referrer-policy"])
        expect(headers.get(name)).toBe(console.headers.get(name));
      expect(headers.get("content-security-policy")).toContain("script-src 'self'; ");
      expect(headers.get("content-security-policy")).not.toContain("unsafe-inline");
    },
  );

  test.each(["/_sim/docs", "/_sim/docs/spec/quotes"])(
    "%s holds no script and no style",
    async (path) => {
      const html = await (await fetch(url + path)).text();
      expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=/);
    },
  );

  test("has its style, and what is put into it does not run", async () => {
    const other = await browser.newPage();
    const refused: string[] = [];
    other.on("console", (message) => refused.push(message.text()));
    await other.goto(`${url}/_sim/docs/spec/quotes`);
    const margin = "getComputedStyle(document.body).marginTop";
    expect(await other.evaluate(margin)).toBe("0px");
    expect(refused).toEqual([]);
    await other.evaluate(`{
      const script = document.createElement("script");
      try { script.textContent = "document.title = 'RUN'"; } catch (error) { console.log(String(error)); }
      document.head.append(script);
      const button = document.createElement("button");
      button.setAttribute("style", "color: red");
      document.body.append(button);
    }`);
    expect(await other.title()).not.toBe("RUN");
    expect(refused.length).toBeGreaterThan(0);
    await other.close();
  });

  test("calls this simulator, with the credentials that were typed in", async () => {
    await page.locator("#client-id").fill(world.sim.clientId);
    await page.locator("#client-secret").fill(world.sim.clientSecret);
    await page.locator("#createCustomer > summary").click();
    const form = page.locator("#createCustomer form");
    await form.locator("textarea").fill('{"customerType":"INDIVIDUAL","fullName":"Ada Byron"}');
    await form.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => form.locator("output").textContent()).toMatch(/^201\n/);
    const { body } = await world.call("GET", "/customers");
    expect(body.data).toMatchObject([{ fullName: "Ada Byron" }]);
  });

  test("fills in what a path names, and shows an error as one", async () => {
    await page.locator("#getQuote > summary").click();
    const form = page.locator("#getQuote form");
    await form.locator("input").fill("Quote:none");
    await form.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => form.locator("output").textContent()).toMatch(/QUOTE_NOT_FOUND/);
    expect(await form.locator("output").getAttribute("class")).toBe("bad");
  });

  test("uploads a file", async () => {
    const input = { customerType: "INDIVIDUAL", fullName: "Ada Byron" };
    const { id } = (await world.call("POST", "/customers", input)).body;
    await page.locator("#createDocument > summary").click();
    const form = page.locator("#createDocument form");
    const bytes = Buffer.from("%PDF-1.4\n%%EOF\n");
    await form
      .getByLabel("file")
      .setInputFiles({ name: "pass.pdf", mimeType: "application/pdf", buffer: bytes });
    await form.getByLabel("documentHolder").fill(id);
    await form.getByLabel("documentType").fill("PASSPORT");
    await form.getByLabel("country").fill("GB");
    await form.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => form.locator("output").textContent()).toMatch(/^201\n/);
  });

  test("opens what a link names", async () => {
    const link = page.locator('a[href="#webhook-OUTGOING_PAYMENT.COMPLETED"]').first();
    await link.click();
    const entry = page.locator('[id="webhook-OUTGOING_PAYMENT.COMPLETED"]');
    await expect.poll(() => entry.getAttribute("open")).toBe("");
    expect(await entry.locator("pre").textContent()).toContain('"status": "COMPLETED"');
  });

  test("shows the world beside it, as it changes", async () => {
    await createPayer(world, 1000);
    await expect
      .poll(() => page.locator("#requests").textContent(), { timeout: 10_000 })
      .toContain("/sandbox/internal-accounts/");
  });

  test("calls and shows the world that is chosen, also by its address", async () => {
    await world.control("POST", "/worlds", { name: "checkout-7" });
    const other = await browser.newPage();
    await other.goto(`${url}/_sim/docs`);
    const choice = other.locator("#world");
    await expect
      .poll(() => choice.locator("option").allTextContents())
      .toEqual(["sandbox", "checkout-7"]);
    await choice.selectOption("checkout-7");
    expect(new URL(other.url()).search).toBe("?world=checkout-7");
    await expect
      .poll(() => other.locator("#requests").textContent(), { timeout: 10_000 })
      .toBe("nothing");
    await other.locator("#client-id").fill(world.sim.clientId);
    await other.locator("#client-secret").fill(world.sim.clientSecret);
    await other.locator("#createCustomer > summary").click();
    const form = other.locator("#createCustomer form");
    await form.locator("textarea").fill('{"customerType":"INDIVIDUAL","fullName":"Only Here"}');
    await form.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => form.locator("output").textContent()).toMatch(/^201\n/);
    await expect
      .poll(() => other.locator("#requests").textContent(), { timeout: 10_000 })
      .toContain("POST /customers");
    expect(JSON.stringify((await world.call("GET", "/customers")).body)).not.toContain("Only Here");
    // A link into the page, which is loaded for it, opens what it names, in the world that it names.
    await other.goto("about:blank");
    await other.goto(`${url}/_sim/docs?world=checkout-7#createQuote`);
    expect(await other.locator("#createQuote form").isVisible()).toBe(true);
    await expect
      .poll(() => other.locator("#requests").textContent(), { timeout: 10_000 })
      .toContain("POST /customers");
    expect(await choice.inputValue()).toBe("checkout-7");
    await world.control("DELETE", "/worlds/checkout-7");
    await expect
      .poll(() => other.locator("#clock").textContent(), { timeout: 10_000 })
      .toContain("no world checkout-7");
    await other.close();
  });

  test("finds operations by their words", async () => {
    await page.locator("#find").fill("transfer-out POST");
    await expect.poll(() => page.locator("details.operation:visible").count()).toBeLessThan(4);
    expect(await page.locator("#transferOut").isVisible()).toBe(true);
    expect(await page.locator("#getConfig").isVisible()).toBe(false);
    await page.locator("#find").fill("");
  });

  test("has nothing that axe-core finds wrong, also of its colors, in the dark too", async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${url}/_sim/docs`);
    await page.locator("#createQuote > summary").click();
    // Every hundredth operation stands for the others, which look alike.
    const others = "[...document.querySelectorAll('details.operation:not([open])')]";
    await page.evaluate(`${others}.forEach((one, at) => at % 100 === 0 || one.remove())`);
    expect(await page.locator("details.operation").count()).toBeGreaterThan(2);
    expect(await axeFindings(page, "all")).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeFindings(page, "colors")).toEqual([]);
    await page.close();
  });

  test("never has to be scrolled sideways, at any width", async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/_sim/docs`);
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(over, `at ${width}`).toBeLessThanOrEqual(0);
    }
    await page.close();
  });
});
