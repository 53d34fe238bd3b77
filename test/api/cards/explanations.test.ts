import { expect, test } from "vitest";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  activeCard,
  authorize,
  createCardholder,
  issueCard,
  patchCard,
} from "./setup/card-world.ts";

const world = worldPerTest();

test.each([
  {
    group: "cardIssue",
    rows: [
      ["001", "PENDING_ISSUE", 0],
      ["002", "CLOSED", 0],
      ["005", "ACTIVE", 30_000],
      ["otherwise", "ACTIVE", 0],
    ],
  },
  {
    group: "fundingSource",
    rows: [
      ["002", "400 FUNDING_SOURCE_INELIGIBLE", 0],
      ["003", "400 FUNDING_SOURCE_INELIGIBLE", 0],
      ["otherwise", "taken", 0],
    ],
  },
  {
    group: "cardAuthorization",
    rows: [
      ["002", "DECLINED", 0],
      ["003", "DECLINED", 0],
      ["005", "AUTHORIZED", 0],
      ["006", "EXCEPTION", 0],
      ["otherwise", "AUTHORIZED", 0],
    ],
  },
])("outcomes lists every row of $group", async ({ group, rows }) => {
  const { body } = await world().control("GET", "/outcomes");
  const found = body.data.find((one: { group: string }) => one.group === group);
  expect(
    found.rows.map((row: { match: string; ends: string; afterMs: number }) => [
      row.match,
      row.ends,
      row.afterMs,
    ]),
  ).toEqual(rows);
});

const why = async (id: string) => {
  const { status, body } = await world().control("GET", `/why/${encodeURIComponent(id)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return JSON.stringify(body);
};

test("why names the row that decided about a card, and its state", async () => {
  const { customerId, usdId } = await createCardholder(world());
  const { id } = await issueCard(world(), {
    cardholderId: customerId,
    fundingSources: [usdId],
    platformCardId: "bad-002",
  });
  const story = await why(id);
  expect(story).toContain('"status":"CLOSED"');
  expect(story).toContain("cardIssue.002");
});

test("why names no row if the card was FROZEN, which decides by itself", async () => {
  const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
  await patchCard(world(), cardId, { state: "FROZEN" });
  const { id } = await authorize(world(), cardId, { amount: 500, descriptor: "SHOP 002" });
  const story = await why(id);
  expect(story).toContain('"status":"DECLINED"');
  expect(story).not.toContain("cardAuthorization.");
});

test("why names the row that decided about an authorization", async () => {
  const { cardId } = await activeCard(world(), { on: "usd", minor: 10_000 });
  const { id } = await authorize(world(), cardId, { amount: 500, descriptor: "SHOP 006" });
  const story = await why(id);
  expect(story).toContain('"status":"EXCEPTION"');
  expect(story).toContain("cardAuthorization.006");
});
