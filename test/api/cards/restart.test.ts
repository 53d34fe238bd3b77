import { afterEach, beforeEach, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { balanceOf, ledgerOwn } from "../setup/told.ts";
import {
  activeCard,
  authorize,
  clear,
  getCard,
  giveBack,
  issueCard,
  patchCard,
  retryPatch,
} from "./setup/card-world.ts";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

test("cards, holds, pending pulls, late clearings and challenges survive a restart", async () => {
  const before = await startTestSimulator({ storage: directory.url });
  const { cardId, accountId, holder } = await activeCard(before, { on: "usd", minor: 10_000 });
  const cardholderId = holder.customerId;
  const other = await issueCard(before, { cardholderId, fundingSources: [accountId] });
  const late = await issueCard(before, {
    cardholderId,
    fundingSources: [accountId],
    platformCardId: "late-005",
  });
  const open = await authorize(before, cardId, { amount: 2_000, descriptor: "SHOP 005" });
  await clear(before, open, 700);
  const expired = await authorize(before, other.id, { amount: 3_000 });
  await patchCard(before, other.id, { state: "CLOSED" });
  const body = { state: "FROZEN" };
  const { requestId } = (await before.call("PATCH", `/cards/${cardId}`, body)).body;
  const cards = (await before.call("GET", "/cards")).body;
  const { body: ledger } = await before.control("GET", "/ledger");
  await before.sim.close();

  const after = await reopen(directory);
  expect((await after.call("GET", "/cards")).body).toEqual(cards);
  expect((await after.control("GET", "/ledger")).body).toEqual(ledger);
  const { body: advanced } = await after.control("POST", "/clock/advance", { by: "30s" });
  expect(advanced.fired.map(({ timer }: { timer: string }) => timer).sort()).toEqual([
    "card.activate",
    "card.confirm",
  ]);
  expect((await getCard(after, late.id)).state).toBe("ACTIVE");

  const frozen = await retryPatch(after, cardId, { body, requestId });
  expect([frozen.status, frozen.body.state]).toEqual([200, "FROZEN"]);
  expect((await authorize(after, cardId, { amount: 1 })).declineCode).toBe("CARD_PAUSED");
  const settled = await clear(after, open, 1_300);
  expect([settled.status, settled.pullSummary]).toEqual([
    "SETTLED",
    { count: 1, totalAmount: 2_000, pendingCount: 0 },
  ]);
  expect((await clear(after, expired, 2_500)).status).toBe("SETTLED");
  expect((await giveBack(after, open, 500)).refundSummary.totalAmount).toBe(500);
  expect(await balanceOf(after, accountId)).toBe(6_000);
  expect(await ledgerOwn(after)).toEqual({
    "Ledger:funding USD": -10_000,
    "Ledger:cardSettlements USD": 4_000,
  });
  expect(after.alarms).toEqual([]);
  await after.sim.close();
});

test("the spelling of events may be switched at a restart, else it stays", async () => {
  const spellings: string[] = [];
  const receiver = await new Receiver().start();
  const first = await startTestSimulator({ storage: directory.url, cardEvents: "upper" });
  await first.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const { cardId } = await activeCard(first, { on: "usd", minor: 100 });
  await first.sim.close();
  for (const [cardEvents, state] of [
    [undefined, "FROZEN"],
    ["lower", "ACTIVE"],
    [undefined, "CLOSED"],
  ] as const) {
    const again = await reopen(directory, cardEvents ? { cardEvents } : {});
    await patchCard(again, cardId, { state });
    await again.control("POST", "/clock/advance", { by: "1s" });
    spellings.push(receiver.types().at(-1) ?? "");
    await again.sim.close();
  }
  await receiver.stop();
  expect(spellings).toEqual(["CARD.STATE_CHANGE", "card.state_change", "card.state_change"]);
});
