import { beforeEach, describe, expect, test } from "vitest";
import { expectRefused, invalid } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type Cardholder,
  createCardholder,
  issueCard,
  openAccount,
  patchCard,
} from "./setup/card-world.ts";

const world = worldPerTest();

let ada: Cardholder;
let second: string;
let names: Map<string, string>;

/** Five cards of two holders, in every state that a card comes to. */
const madeHolder = preparedOnce((one) => createCardholder(one));

beforeEach(async () => {
  ada = await madeHolder(world());
  const bob = await createCardholder(world());
  second = await openAccount(world(), { customerId: ada.customerId, currency: "USD" });
  const issue = async (holder: Cardholder, platformCardId: string, fundingSources: string[]) => {
    const { customerId: cardholderId } = holder;
    const card = await issueCard(world(), { cardholderId, platformCardId, fundingSources });
    names.set(card.id, platformCardId);
    return card.id as string;
  };
  names = new Map();
  await issue(ada, "first", [ada.usdId, second]);
  await issue(ada, "waits-001", [second]);
  const frozen = await issue(ada, "frozen", [ada.usdId]);
  const closed = await issue(ada, "closed", [ada.usdId]);
  await issue(bob, "bobs", [bob.walletId]);
  await issue(bob, "bad-002", [bob.usdId]);
  await patchCard(world(), frozen, { state: "FROZEN" });
  await patchCard(world(), closed, { state: "CLOSED" });
});

const list = async (query: string) => {
  const { status, body } = await world().call("GET", `/cards?${query}`);
  expect(status).toBe(200);
  return body;
};

const listed = async (query: string): Promise<string[]> =>
  (await list(query)).data.map(({ id }: { id: string }) => names.get(id));

const ALL = ["bad-002", "bobs", "closed", "frozen", "waits-001", "first"];

describe("the list of cards", () => {
  test("has every card, newest first, as GET by id shows it", async () => {
    const { data, hasMore, totalCount, nextCursor } = await list("");
    expect(data.map(({ id }: { id: string }) => names.get(id))).toEqual(ALL);
    expect({ hasMore, totalCount, nextCursor }).toEqual({
      hasMore: false,
      totalCount: 6,
      nextCursor: undefined,
    });
    for (const card of data)
      expect((await world().call("GET", `/cards/${card.id}`)).body).toEqual(card);
  });

  test.each([
    {
      query: () => `cardholderId=${ada.customerId}`,
      found: ["closed", "frozen", "waits-001", "first"],
    },
    { query: () => `accountId=${ada.usdId}`, found: ["frozen", "first"] },
    { query: () => `accountId=${second}`, found: ["waits-001", "first"] },
    { query: () => "platformCardId=frozen", found: ["frozen"] },
    { query: () => "state=ACTIVE", found: ["bobs", "first"] },
    { query: () => "state=FROZEN", found: ["frozen"] },
    { query: () => "state=CLOSED", found: ["bad-002", "closed"] },
    { query: () => "state=PENDING_ISSUE", found: ["waits-001"] },
    { query: () => "state=PENDING_KYC", found: [] },
    { query: () => `cardholderId=${ada.customerId}&state=ACTIVE`, found: ["first"] },
    { query: () => `accountId=${ada.usdId}&state=FROZEN&platformCardId=frozen`, found: ["frozen"] },
    { query: () => `accountId=${ada.usdId}&platformCardId=bobs`, found: [] },
    { query: () => "cardholderId=Customer:none", found: [] },
    { query: () => "accountId=InternalAccount:none", found: [] },
    { query: () => "platformCardId=nobody", found: [] },
    { query: () => "platformCardId=FROZEN", found: [] },
    { query: () => "sortOrder=asc&state=ACTIVE", found: ["first", "bobs"] },
  ])("$found by $query", async ({ query, found }) => {
    expect(await listed(query())).toEqual(found);
  });

  test("follows a change of the sources", async () => {
    const [{ id }] = (await list("platformCardId=first")).data;
    await patchCard(world(), id, { fundingSources: [second] });
    expect(await listed(`accountId=${ada.usdId}`)).toEqual(["frozen"]);
    expect(await listed(`accountId=${second}`)).toEqual(["waits-001", "first"]);
  });

  test.each(["asc", "desc"])("comes in pages, %s", async (sortOrder) => {
    const pages: string[][] = [];
    let cursor = "";
    do {
      const { data, hasMore, nextCursor, totalCount } = await list(
        `limit=4&sortOrder=${sortOrder}${cursor && `&cursor=${cursor}`}`,
      );
      expect(totalCount).toBe(6);
      pages.push(data.map(({ id }: { id: string }) => names.get(id)));
      cursor = hasMore ? nextCursor : "";
    } while (cursor);
    const all = sortOrder === "desc" ? ALL : [...ALL].reverse();
    expect(pages).toEqual([all.slice(0, 4), all.slice(4)]);
  });

  test.each([
    { query: "state=active", field: "state" },
    { query: "limit=0", field: "limit" },
    { query: "limit=101", field: "limit" },
    { query: "sortOrder=up", field: "sortOrder" },
    { query: "cursor=nonsense", field: "cursor" },
    { query: "state=ACTIVE&state=FROZEN", field: "state" },
  ])("refuses $query", async ({ query, field }) => {
    expectRefused(await world().call("GET", `/cards?${query}`), invalid(field));
  });

  test("refuses a cursor that came with other filters", async () => {
    const { nextCursor } = await list("limit=1&state=ACTIVE");
    const answer = await world().call("GET", `/cards?limit=1&state=CLOSED&cursor=${nextCursor}`);
    expectRefused(answer, invalid("cursor"));
  });
});

test("an unknown card is 404", async () => {
  const answer = await world().call("GET", "/cards/Card:none");
  expectRefused(answer, { status: 404, code: "REFERENCE_NOT_FOUND" });
});
