import { beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

interface Shown {
  id: string;
  description: string;
}

const pay = async (description: string, parties: { payer: Payer; payee: string }) => {
  const { payer, payee } = parties;
  const { body } = await world().call("POST", "/quotes", {
    ...quoteInput(payer.accountId, payee),
    description,
  });
  await world().call("POST", `/quotes/${body.id}/execute`);
  return body.transactionId as string;
};

const list = async (query: string) => (await world().call("GET", `/transactions${query}`)).body;
const names = (data: Shown[]) => data.map(({ description }) => description);

// spec/transactions.md#list-filters
describe("the list of transactions", () => {
  let ana: Payer;
  let ben: Payer;
  let payees: Record<"ana" | "ben" | "failing", string>;
  let ids: Record<string, string>;

  /** Ana pays twice, Ben once at the same instant, and Ana's last payment fails. */
  const madePayer = preparedOnce((one) => createPayer(one));

  beforeEach(async () => {
    ana = await madePayer(world());
    ben = await createPayer(world());
    payees = {
      ana: await createPayee(world(), ana.customerId, "999"),
      ben: await createPayee(world(), ben.customerId, "998"),
      failing: await createPayee(world(), ana.customerId, "004"),
    };
    const first = await pay("first", { payer: ana, payee: payees.ana });
    await goTo(world(), "09:00:10.000");
    const second = await pay("second", { payer: ben, payee: payees.ben });
    const third = await pay("third", { payer: ana, payee: payees.ana });
    await goTo(world(), "09:00:20.000");
    const fourth = await pay("fourth", { payer: ana, payee: payees.failing });
    await goTo(world(), "09:00:30.000");
    ids = { first, second, third, fourth };
  });

  const place = (query: string) =>
    query
      .replace("{ana}", ana.customerId)
      .replace("{ana.account}", ana.accountId)
      .replace("{ben.account}", ben.accountId)
      .replace("{ana.payee}", payees.ana)
      .replace("{ben.payee}", payees.ben);

  // spec/lists.md#combined-filters, spec/lists.md#unknown-values
  test.each([
    { query: "", found: ["fourth", "third", "second", "first"] },
    { query: "?sortOrder=desc", found: ["fourth", "third", "second", "first"] },
    { query: "?sortOrder=asc", found: ["first", "second", "third", "fourth"] },
    { query: "?customerId={ana}", found: ["fourth", "third", "first"] },
    { query: "?customerId={ana}&sortOrder=asc", found: ["first", "third", "fourth"] },
    { query: "?customerId=nobody", found: [] },
    { query: "?platformCustomerId=nobody", found: [] },
    { query: "?status=COMPLETED", found: ["third", "second", "first"] },
    { query: "?status=FAILED", found: ["fourth"] },
    { query: "?status=FAILED&customerId={ana}&type=OUTGOING", found: ["fourth"] },
    { query: "?status=REJECTED", found: [] },
    { query: "?status=REFUNDED", found: [] },
    { query: "?type=OUTGOING", found: ["fourth", "third", "second", "first"] },
    { query: "?type=INCOMING", found: [] },
    { query: "?accountIdentifier={ana.payee}", found: ["third", "first"] },
    { query: "?accountIdentifier={ben.account}", found: ["second"] },
    { query: "?senderAccountIdentifier={ana.account}", found: ["fourth", "third", "first"] },
    { query: "?senderAccountIdentifier={ana.payee}", found: [] },
    { query: "?receiverAccountIdentifier={ben.payee}", found: ["second"] },
    { query: "?receiverAccountIdentifier={ben.account}", found: [] },
    { query: "?reference=REF-UNKNOWN", found: [] },
    { query: "?startDate=2026-01-05T09:00:10.000Z", found: ["fourth", "third", "second"] },
    { query: "?startDate=2026-01-05T09:00:10.001Z", found: ["fourth"] },
    { query: "?endDate=2026-01-05T09:00:10.000Z", found: ["third", "second", "first"] },
    { query: "?endDate=2026-01-05T09:00:09.999Z", found: ["first"] },
    {
      query: "?startDate=2026-01-05T10:00:10%2B01:00&endDate=2026-01-05T04:00:10-05:00",
      found: ["third", "second"],
    },
    { query: "?startDate=2026-01-06T00:00:00Z&endDate=2026-01-01T00:00:00Z", found: [] },
    { query: "?startDate=1969-01-01T00:00:00Z&limit=1", found: ["fourth"] },
    { query: "?unheardOf=1", found: ["fourth", "third", "second", "first"] },
  ])("for '$query' is $found", async ({ query, found }) => {
    const { data, totalCount } = await list(place(query));
    expect(names(data)).toEqual(found);
    if (!query.includes("limit")) expect(totalCount).toBe(found.length);
  });

  test("finds a payment by its reference and by that of its refund", async () => {
    const { body } = await world().call("GET", `/transactions/${ids.fourth}`);
    const references = [body.reconciliationInstructions.reference, body.refund.reference];
    for (const reference of references)
      expect(names((await list(`?reference=${reference}`)).data)).toEqual(["fourth"]);
  });

  test("finds a payment by the platform's id of its customer", async () => {
    const { body } = await world().call("GET", `/customers/${ben.customerId}`);
    const { data } = await list(`?platformCustomerId=${body.platformCustomerId}`);
    expect(names(data)).toEqual(["second"]);
  });

  test("shows each as a single read does", async () => {
    for (const shown of (await list("")).data as Shown[])
      expect((await world().call("GET", `/transactions/${shown.id}`)).body).toEqual(shown);
  });
});

// spec/transactions.md#platform-transactions
test("payments of the platform are listed by the platform's id", async () => {
  const { body: config } = await world().call("GET", "/config");
  const { body } = await world().call("GET", "/platform/internal-accounts?currency=USD");
  const { accountId, customerId } = await createPayer(world(), 0);
  await pay("ours", { payer: { accountId: body.data[0].id, customerId: "" }, payee: accountId });
  expect(names((await list(`?customerId=${config.id}`)).data)).toEqual(["ours"]);
  expect((await list(`?customerId=${customerId}`)).totalCount).toBe(0);
});

describe("a malformed filter is refused", () => {
  test.each([
    { query: "status=DONE", field: "status" },
    { query: "status=", field: "status" },
    { query: "status=completed", field: "status" },
    { query: "type=SIDEWAYS", field: "type" },
    { query: "sortOrder=up", field: "sortOrder" },
    { query: "sortOrder=", field: "sortOrder" },
    { query: "startDate=2026-01-05", field: "startDate" },
    { query: "startDate=2026-01-05T09:00:00", field: "startDate" },
    { query: "startDate=2026-13-05T09:00:00Z", field: "startDate" },
    { query: "startDate=yesterday", field: "startDate" },
    { query: "endDate=1767603600000", field: "endDate" },
    { query: "endDate=", field: "endDate" },
    { query: "status=FAILED&status=COMPLETED", field: "status" },
    { query: "customerId=a&customerId=a", field: "customerId" },
  ])("?$query", async ({ query, field }) => {
    const answer = await world().call("GET", `/transactions?${query}`);
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field });
  });
});
