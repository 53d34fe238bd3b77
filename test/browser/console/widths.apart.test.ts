import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser } from "../setup/console-page.ts";
import { layoutFaults } from "../setup/layout.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { placesOf } from "../setup/views.ts";

sayIfSkipped();

const WIDTHS = [320, 390, 721, 768, 900, 1024, 1100, 1280, 1920, 2560];

/** A name as long as the platform takes, without a place to break it. */
const LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff".repeat(3).slice(0, 100);

/** A world with long names, big amounts, failures and a name of its own that is long. */
const crowded = async (world: TestSimulator) => {
  const payer = await createPayer(world);
  const { body: customer } = await world.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: LONG_NAME,
  });
  const payee = await createPayee(world, payer.customerId, "003");
  for (const amount of [12_345, 987_654]) {
    const { body } = await world.call(
      "POST",
      "/quotes",
      quoteInput(payer.accountId, payee, amount),
    );
    await world.call("POST", `/quotes/${body.id}/execute`);
  }
  await world.control("POST", "/snapshots", { name: "s".repeat(60) });
  await world.control("POST", "/faults", { match: {}, fault: { status: 503 } });
  for (let count = 0; count < 3; count += 1)
    await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.control("POST", "/worlds", { name: "w".repeat(40) });
  return customer.id as string;
};

describe.skipIf(!hasChromium())("every view at every width", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;
  let places: string[];

  beforeAll(async () => {
    world = await startTestSimulator({ fixture: "agent-demo" });
    ({ url } = await world.sim.listen());
    const customer = await crowded(world);
    places = [...(await placesOf(world)), `/customers/${customer}`];
  });

  afterAll(() => world?.sim.close());

  // Each view is opened once and made narrower: what it shows stays.
  test("nothing is too wide, cut without a sign, outside of the window or covered", async () => {
    const opened = await browser.open(url, { height: 900, width: 2560 });
    const found: string[] = [];
    for (const place of places) {
      await opened.go(place);
      await opened.settled();
      for (const width of WIDTHS.toReversed()) {
        await opened.page.setViewportSize({ width, height: 900 });
        for (const fault of await layoutFaults(opened.page))
          found.push(`${width} ${place}: ${fault}`);
      }
    }
    await opened.page.context().close();
    expect(found).toEqual([]);
  });
});
