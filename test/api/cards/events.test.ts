import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { goTo, timeOf } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  type Cardholder,
  createCardholder,
  issueCard,
  openAccount,
  patchCard,
} from "./setup/card-world.ts";

const NAMES = {
  lower: { state: "card.state_change", sources: "card.funding_source_change" },
  upper: { state: "CARD.STATE_CHANGE", sources: "CARD.FUNDING_SOURCE_CHANGE" },
} as const;

// spec/events.md#card-event-spelling, spec/cards.md#events
describe.each(["lower", "upper", undefined] as const)("--card-events %s", (cardEvents) => {
  const world = worldPerTest(cardEvents ? { cardEvents } : {});
  const { state, sources } = NAMES[cardEvents ?? "lower"];
  let receiver: Receiver;
  let holder: Cardholder;
  let second: string;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    holder = await createCardholder(world());
    second = await openAccount(world(), { customerId: holder.customerId, currency: "USD" });
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterEach(() => receiver.stop());

  const issue = (platformCardId: string) =>
    issueCard(world(), {
      cardholderId: holder.customerId,
      fundingSources: [holder.usdId],
      platformCardId,
    });

  /** The card events: time, name, and the state and sources they show. */
  const told = async (time: string) => {
    await goTo(world(), time);
    return receiver.received
      .filter(({ data }) => data.id?.startsWith("Card:"))
      .map((event) => [
        timeOf(event),
        event.type,
        event.data.state,
        event.data.fundingSources.map((id: string) => (id === second ? 2 : 1)),
      ]);
  };

  test("sends each change of the state once, with the whole card", async () => {
    const { id } = await issue("plum");
    await patchCard(world(), id, { state: "FROZEN" });
    await patchCard(world(), id, { state: "ACTIVE" });
    const closed = await patchCard(world(), id, { state: "CLOSED" });
    expect(await told("09:01:00.000")).toEqual([
      ["09:00:00.000", state, "ACTIVE", [1]],
      ["09:00:00.000", state, "FROZEN", [1]],
      ["09:00:00.000", state, "ACTIVE", [1]],
      ["09:00:00.000", state, "CLOSED", []],
    ]);
    expect(receiver.received.at(-1)?.data).toEqual(closed.body);
  });

  test("sends the issuer's answers at their time", async () => {
    await issue("late-005");
    await issue("bad-002");
    await issue("never-001");
    expect(await told("09:01:00.000")).toEqual([
      ["09:00:00.000", state, "CLOSED", [1]],
      ["09:00:30.000", state, "ACTIVE", [1]],
    ]);
    expect(receiver.received.find(({ data }) => data.state === "CLOSED")?.data.stateReason).toBe(
      "ISSUER_REJECTED",
    );
  });

  test("sends every update of the sources, even one that changes nothing", async () => {
    const { id } = await issue("plum");
    await patchCard(world(), id, { fundingSources: [second, holder.usdId] });
    await patchCard(world(), id, { fundingSources: [second, holder.usdId] });
    expect((await told("09:01:00.000")).slice(1)).toEqual([
      ["09:00:00.000", sources, "ACTIVE", [2, 1]],
      ["09:00:00.000", sources, "ACTIVE", [2, 1]],
    ]);
  });

  test("sends the state before the sources if both change, with the new card in both", async () => {
    const { id } = await issue("plum");
    const both = { state: "FROZEN", fundingSources: [second] };
    const { body } = await patchCard(world(), id, both);
    expect((await told("09:01:00.000")).slice(1)).toEqual([
      ["09:00:00.000", state, "FROZEN", [2]],
      ["09:00:00.000", sources, "FROZEN", [2]],
    ]);
    for (const { data } of receiver.received.slice(-2)) expect(data).toEqual(body);
  });

  test("sends nothing for a first call, a refusal, or the lost sources of a closed card", async () => {
    const { id } = await issue("plum");
    await world().call("PATCH", `/cards/${id}`, { state: "FROZEN" });
    await world().call("PATCH", `/cards/${id}`, { state: "ACTIVE" });
    await world().control("POST", `/cards/${id}/close`);
    expect((await told("09:01:00.000")).slice(1)).toEqual([["09:00:00.000", state, "CLOSED", []]]);
  });
});
