import { afterAll, beforeAll, describe, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { expectRightViews, placesOf } from "../setup/views.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("each view of the console", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;

  beforeAll(async () => {
    world = await startTestSimulator({ fixture: "agent-demo" });
  });

  afterAll(() => world?.sim.close());

  // axe-core looks at the other views, in every look, in `views.apart.test.ts`.
  test("stands, and is no wider than a phone", async () => {
    const { url } = await world.sim.listen();
    const opened = await browser.open(url, { width: 390, colorScheme: "light" });
    const places = await placesOf(world);
    await expectRightViews(opened, {
      places,
      rulesOf: (place) => (place === "/" ? "all" : "none"),
    });
  });
});
