import { afterEach, beforeEach, expect, test } from "vitest";
import { RECORD_KINDS } from "../../src/contract/control/record-kinds.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const list = async (query: string) => (await world.control("GET", `/records?${query}`)).body;

// spec/console.md#records
test("records are listed newest first, by kind, by a part of a name or an id, and page by page", async () => {
  const names = ["Ada Byron", "Max Born", "Ada Lovelace"];
  const ids: string[] = [];
  for (const fullName of names) {
    const { body } = await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName,
    });
    ids.push(body.id);
  }
  const named = ({ name }: { name: string }) => name;
  const all = await list("kind=Customer");
  expect(all.data.map(named)).toEqual(["Ada Lovelace", "Max Born", "Ada Byron"]);
  expect(all).toMatchObject({ hasMore: false, counts: { Customer: 3 } });
  expect((await list("kind=Customer&q=ADA")).data.map(named)).toEqual([
    "Ada Lovelace",
    "Ada Byron",
  ]);
  expect((await list(`kind=Customer&q=${ids[1]?.slice(-6)}`)).data.map(named)).toEqual([
    "Max Born",
  ]);
  const first = await list("kind=Customer&limit=2");
  expect(first).toMatchObject({ hasMore: true, nextCursor: ids[1] });
  const rest = await list(`kind=Customer&limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
  expect(rest.data.map(named)).toEqual(["Ada Byron"]);
  const wrong = await world.control("GET", "/records?kind=Customer&cursor=x");
  expect(wrong.status).toBe(400);
});

test("each kind is shown as the platform shows it, with what belongs to it", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${quote.id}/execute`);
  const shown = async (id: string) => (await world.control("GET", `/records/${id}`)).body;
  const same = [
    [payer.customerId, `/customers/${payer.customerId}`],
    [quote.id, `/quotes/${quote.id}`],
    [quote.transactionId, `/transactions/${quote.transactionId}`],
  ] as const;
  for (const [id, path] of same)
    expect((await shown(id)).record).toEqual((await world.call("GET", path)).body);
  const customer = await shown(payer.customerId.slice(-6));
  const kinds = customer.related.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["InternalAccount", "ExternalAccount"]));
  expect(await shown(quote.id)).toMatchObject({
    kind: "Quote",
    status: "PROCESSING",
    related: [{ kind: "Transaction", id: quote.transactionId }],
  });
  expect(await shown(quote.transactionId)).toMatchObject({ owner: quote.id });
  expect((await world.control("GET", "/records/Customer:nothing")).status).toBe(404);
});

test("without a kind all kinds come, each in its place", async () => {
  await createPayer(world);
  const { data, counts } = await list("limit=100");
  const order = data.map(({ kind }: { kind: (typeof RECORD_KINDS)[number] }) =>
    RECORD_KINDS.indexOf(kind),
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(Object.keys(counts)).toEqual([...RECORD_KINDS]);
});
