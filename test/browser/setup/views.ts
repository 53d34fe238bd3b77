import { expect } from "vitest";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import type { AxeRules, OpenedConsole } from "./console-page.ts";

/** Places of every view of the console, in a world of the fixture `agent-demo`. */
export const placesOf = async (world: TestSimulator): Promise<string[]> => {
  const idsOf = async (list: string): Promise<string[]> =>
    (await world.control("GET", `${list}limit=1`)).body.data.map(({ id }: { id: string }) => id);
  const [webhook] = await idsOf("/webhooks?");
  const [request] = await idsOf("/requests?");
  const kinds = ["Customer", "InternalAccount", "Agent", "AgentAction", "Transaction"];
  const records = await Promise.all(kinds.map((kind) => idsOf(`/records?kind=${kind}&`)));
  return [
    ...["/", "/payments", "/approvals", "/webhooks", "/webhooks/doctor", "/webhooks/send"],
    ...["/requests", "/inbox", "/customers", "/accounts", "/cards", "/agents", "/ledger"],
    ...["/timers", "/worlds", "/snapshots", "/faults", "/outcomes", "/coverage", "/guides"],
    ...["/spec/webhooks?at=signature", "/reference/createDocument"],
    ...["/lifecycles", "/reference", "/reference/verifyCredential"],
    ...["/reference/errors/INVALID_OTP_CODE", "/ledger/Ledger:clearing"],
    ...["/reference/createQuote", "/reference/webhooks/TEST", "/reference/sim/advance"],
    ...["/diff?from=now&to=now", "/no/such/view", "/payments/Quote:none"],
    ...[`/webhooks/${webhook}`, `/requests/${request}`],
    ...records.flat().map((id) => `/why/${id}`),
  ];
};

/** Goes to each place, and finds none that failed, is too wide or breaks a rule of axe-core. */
export const expectRightViews = async (
  opened: OpenedConsole,
  { places, rulesOf }: { places: readonly string[]; rulesOf(place: string): AxeRules },
) => {
  const found: string[] = [];
  for (const place of places) {
    await opened.go(place);
    await opened.settled();
    for (const violation of await opened.violations(rulesOf(place)))
      found.push(`${place}: ${violation}`);
    if (await opened.page.getByText("This view failed").count()) found.push(`${place}: failed`);
    if ((await opened.overflow()) > 0) found.push(`${place}: wider than the window`);
  }
  expect(found).toEqual([]);
  expect(opened.elsewhere).toEqual([]);
  // A record that is not there is a refusal, which the browser notes by itself.
  expect(opened.complaints.filter((one) => !one.includes("404"))).toEqual([]);
  await opened.page.context().close();
};
