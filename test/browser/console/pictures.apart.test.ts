import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { type ConsoleLook, consoleBrowser } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { differenceFrom, useStillText } from "../setup/pictures.ts";

sayIfSkipped();

const LOOKS = [
  { width: 1280, height: 900, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
] as const;

describe.skipIf(!hasChromium())("the console looks as it did", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;
  let views: Record<string, { place: string; has: string }>;

  beforeAll(async () => {
    world = await startTestSimulator({ fixture: "payouts-demo" });
    ({ url } = await world.sim.listen());
    await world.control("POST", "/seed", { name: "agent-demo" });
    // The payment to Joana Ribeiro is returned by her bank after five seconds.
    await world.sim.advance("10s");
    const { data: payments } = (await world.control("GET", "/records?kind=Quote&limit=20")).body;
    const paid = payments.find(({ name }: { name: string }) => name === "Lucie Moreau");
    const { source, destination } = (await world.control("GET", `/records/${paid.id}`)).body.record;
    const { body: quote } = await world.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId: source.accountId },
      destination: { destinationType: "ACCOUNT", accountId: destination.accountId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 50_000,
    });
    await world.call("POST", `/quotes/${quote.id}/execute`);
    const { data: webhooks } = (await world.control("GET", "/webhooks?limit=1")).body;
    const paymentTo = (payee: string) =>
      payments.find(({ name }: { name: string }) => name === payee)?.id;
    views = {
      home: { place: "/", has: ".flags-flag, .time-line-plane" },
      payment: { place: `/payments/${quote.id}`, has: ".otherwise-otherwise" },
      "bank-return": {
        place: `/payments/${paymentTo("Joana Ribeiro")}`,
        has: ".otherwise-otherwise",
      },
      webhook: { place: `/webhooks/${webhooks[0].id}`, has: "main pre" },
      approvals: { place: "/approvals", has: ".approvals-meter" },
      reference: { place: "/reference/createQuote", has: "main form select" },
    };
  });

  afterAll(() => world?.sim.close());

  /** The banner tells real seconds, so it is left out of the picture. */
  const lostIn = async (look: ConsoleLook, name: string) => {
    const gone = await startTestSimulator({ fixture: "payouts-demo" });
    const opened = await browser.open((await gone.sim.listen()).url, look);
    const { page } = opened;
    await useStillText(page);
    await opened.settled();
    await gone.sim.close();
    const banner = page.locator(".states-lost");
    await banner.waitFor();
    const difference = await differenceFrom(page, name, { hidden: [banner] });
    await page.context().close();
    return difference;
  };

  // Side by side: most of it is waiting until a view stands.
  test.concurrent.each(LOOKS)("%j", async (look) => {
    const opened = await browser.open(url, { ...look, bypassCSP: true });
    const { page } = opened;
    await useStillText(page);
    const name = (view: string) => `${view}-${look.width}-${look.colorScheme}`;
    const found: (string | undefined)[] = [];
    for (const [view, { place, has }] of Object.entries(views)) {
      await opened.go(place);
      await page.locator(has).first().waitFor();
      await opened.settled();
      found.push(await differenceFrom(page, name(view), { hidden: [] }));
    }
    await opened.go("/");
    await opened.settled();
    await page.keyboard.press("a");
    await page.locator(".sheets-sheet h2").waitFor();
    found.push(await differenceFrom(page, name("advance"), { hidden: [] }));
    await page.context().close();
    found.push(await lostIn({ ...look, bypassCSP: true }, name("lost")));
    expect(found.filter((one) => one !== undefined)).toEqual([]);
  });
});
