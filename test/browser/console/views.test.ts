import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCampaign } from "../../setup/campaign.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

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
  let places: readonly string[];

  beforeAll(async () => {
    world = await startTestSimulator({ fixture: "agent-demo" });
    ({ url } = await world.sim.listen());
    const ids = async (kind: string) =>
      (await world.control("GET", `/records?kind=${kind}&limit=1`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    const webhook = (await world.control("GET", "/webhooks?limit=1")).body.data[0].id;
    const request = (await world.control("GET", "/requests?limit=1")).body.data[0].id;
    const records = ["Customer", "InternalAccount", "Agent", "AgentAction", "Transaction"];
    const found = await Promise.all(records.map(ids));
    places = [
      ...["/", "/payments", "/approvals", "/webhooks", "/webhooks/doctor", "/webhooks/send"],
      ...["/requests", "/inbox", "/customers", "/accounts", "/cards", "/agents", "/ledger"],
      ...["/timers", "/worlds", "/snapshots", "/faults", "/outcomes", "/coverage", "/guides"],
      ...["/lifecycles", "/reference", "/reference/verifyCredential"],
      ...["/reference/errors/INVALID_OTP_CODE", "/ledger/Ledger:clearing"],
      ...["/reference/createQuote", "/reference/webhooks/TEST", "/reference/sim/advance"],
      ...["/diff?from=now&to=now", "/no/such/view", "/payments/Quote:none"],
      ...[`/webhooks/${webhook}`, `/requests/${request}`],
      ...found.flat().map((id) => `/why/${id}`),
    ];
  });

  afterAll(() => world?.sim.close());

  test.concurrent.each(LOOKS)(
    "is right for axe-core, and no wider than the window: %j",
    async ({ rules, ...look }) => {
      const opened = await browser.open(url, look);
      const found: string[] = [];
      for (const place of places) {
        await opened.go(place);
        await opened.settled();
        for (const violation of await opened.violations(rules))
          found.push(`${place}: ${violation}`);
        if (await opened.page.getByText("This view failed").count()) found.push(`${place}: failed`);
        if ((await opened.overflow()) > 0) found.push(`${place}: wider than the window`);
      }
      expect(found).toEqual([]);
      expect(opened.elsewhere).toEqual([]);
      // A record that is not there is a refusal, which the browser notes by itself.
      expect(opened.complaints.filter((one) => !one.includes("404"))).toEqual([]);
      await opened.page.context().close();
    },
  );
});
