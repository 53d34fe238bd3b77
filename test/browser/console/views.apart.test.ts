import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCampaign } from "../../setup/campaign.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { expectRightViews, placesOf } from "../setup/views.ts";

sayIfSkipped();

/** Looks, and the rules that one may break where the others before it keep them. */
const LOOKS = [
  { width: 1280, colorScheme: "light", rules: "all" },
  { width: 390, colorScheme: "light", rules: isCampaign ? "all" : "none" },
  { width: 1280, colorScheme: "dark", rules: "colors" },
  ...(isCampaign
    ? ([
        { width: 390, colorScheme: "dark", rules: "colors" },
        { width: 2560, colorScheme: "light", rules: "none" },
      ] as const)
    : []),
] as const;

describe.skipIf(!hasChromium())("each view of the console", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;
  let url: string;

  beforeAll(async () => {
    world = await startTestSimulator({ fixture: "agent-demo" });
    ({ url } = await world.sim.listen());
  });

  afterAll(() => world?.sim.close());

  test.concurrent.each(LOOKS)(
    "is right for axe-core, and no wider than the window: %j",
    async ({ rules, ...look }) => {
      const places = await placesOf(world);
      expect(places.length).toBeGreaterThan(35);
      await expectRightViews(await browser.open(url, look), { places, rulesOf: () => rules });
    },
  );
});
