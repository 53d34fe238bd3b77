import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("signing in to a wallet in the console", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;

  beforeEach(async () => {
    // Magic values are refused: what counts here was really sealed and signed.
    world = await startTestSimulator({ crypto: "strict" });
    ({ url } = await world.sim.listen());
  });

  afterEach(async () => {
    await world.sim.close();
  });

  const openWallet = async () => {
    const { body: customer } = await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
    });
    const query = `customerId=${customer.id}&type=EMBEDDED_WALLET`;
    const { body } = await world.call("GET", `/customers/internal-accounts?${query}`);
    return body.data[0].id as string;
  };

  const STEPS = [
    "Make the client's key pair",
    "Read the code in the inbox",
    "Prove the credential",
    "Open the session's key",
    "Ask for a challenge",
    "Sign it, and send the call again",
  ];

  test("seals its code in the later revision, where the client holds the session's key", async () => {
    await world.sim.close();
    world = await startTestSimulator({ crypto: "strict", revision: "2026-08" });
    ({ url } = await world.sim.listen());
    const wallet = await openWallet();
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/accounts/${encodeURIComponent(wallet)}`);
    await page.getByLabel("email, for a new credential").fill("nadia@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Signed in, and one call signed").waitFor();
    expect(await page.locator(".wallet-sign-in-steps b").allInnerTexts()).toEqual([
      "Create an email credential, which mails a code",
      "Make the client's key pair",
      "Read the code in the inbox",
      "Seal the code to the bundle's key",
      "Send the sealed code",
      "Sign it with the client's key, and send it again",
      "Ask for a challenge",
      "Sign it, and send the call again",
    ]);
    await page.getByText("200, the signature verifies").waitFor();
  });

  test("shows each step with its call, and the credential's id; a second time uses the same one", async () => {
    const wallet = await openWallet();
    const opened = await browser.open(url);
    const { page } = opened;
    await opened.go(`/accounts/${encodeURIComponent(wallet)}`);
    await page.getByLabel("email, for a new credential").fill("nadia@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Signed in, and one call signed").waitFor();
    const heads = page.locator(".wallet-sign-in-steps b");
    const created = "Create an email credential, which mails a code";
    expect(await heads.allInnerTexts()).toEqual([created, ...STEPS]);
    const { data } = (await world.call("GET", `/auth/credentials?accountId=${wallet}`)).body;
    expect(data.map(({ nickname }: { nickname: string }) => nickname)).toEqual([
      "nadia@example.com",
    ]);
    await page.locator("code", { hasText: data[0].id }).waitFor();
    const sessions = `/auth/sessions?accountId=${wallet}`;
    expect((await world.call("GET", sessions)).body.data.length).toBe(1);
    await page.getByText("200, the signature verifies").waitFor();

    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => heads.allInnerTexts()).toEqual(["Have a code mailed", ...STEPS]);
    expect((await world.call("GET", sessions)).body.data.length).toBe(2);
    expect(await opened.violations()).toEqual([]);
    await expectClean(opened);
  });
});
