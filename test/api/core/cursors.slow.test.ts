import { beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const CURSOR_REFUSED = { status: 400, code: "INVALID_INPUT", field: "cursor" };

/** Lists with a cursor, and a way to add a record to each (spec/lists.md#cursor). */
const LISTS = [
  { path: "/customers", add: () => createPayer(world(), 0) },
  {
    path: "/customers/external-accounts",
    add: async (number: number) => {
      const { customerId } = await createPayer(world(), 0);
      return createPayee(world(), customerId, `99${number}`);
    },
  },
  {
    path: "/customers/internal-accounts?currency=USD",
    add: () => createPayer(world(), 0),
  },
  {
    path: "/platform/external-accounts",
    add: (number: number) =>
      world().call("POST", "/platform/external-accounts", {
        currency: "USDC",
        accountInfo: { accountType: "BASE_WALLET", address: `0x${String(number).repeat(40)}` },
      }),
  },
  {
    path: "/transactions",
    add: async (number: number) => {
      const { customerId, accountId } = await createPayer(world(), 0);
      const payee = await createPayee(world(), customerId, `99${number}`);
      return world().call("POST", "/quotes", quoteInput(accountId, payee));
    },
  },
];

interface Page {
  data: { id: string }[];
  hasMore: boolean;
  nextCursor?: string;
  totalCount: number;
}

const get = async (path: string, query: Record<string, string | number>): Promise<Page> => {
  const url = new URL(path, "http://localhost");
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const answer = await world().call("GET", url.pathname + url.search);
  expect(answer.status).toBe(200);
  return answer.body;
};

const idsOf = ({ data }: Page) => data.map(({ id }) => id);

describe.each(LISTS)("the list $path", ({ path, add }) => {
  beforeEach(async () => {
    for (let number = 1; number <= 5; number += 1) await add(number);
  });

  // spec/lists.md#order
  test("comes in pages, newest first, each record once", async () => {
    const whole = await get(path, {});
    expect(whole).toMatchObject({ hasMore: false, totalCount: 5 });
    expect(whole).not.toHaveProperty("nextCursor");
    expect(idsOf(whole)).toEqual(idsOf(whole).sort().reverse());
    const first = await get(path, { limit: 2 });
    const second = await get(path, { limit: 2, cursor: first.nextCursor ?? "" });
    const third = await get(path, { limit: 2, cursor: second.nextCursor ?? "" });
    expect([first, second, third].map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    expect([first, second, third].map(({ totalCount }) => totalCount)).toEqual([5, 5, 5]);
    expect(third).not.toHaveProperty("nextCursor");
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(idsOf(whole));
  });

  test("continues where it was while new records arrive, and with another limit", async () => {
    const whole = idsOf(await get(path, {}));
    const first = await get(path, { limit: 2 });
    await add(6);
    await add(7);
    const rest = await get(path, { limit: 100, cursor: first.nextCursor ?? "" });
    expect(idsOf(rest)).toEqual(whole.slice(2));
    expect(rest).toMatchObject({ hasMore: false, totalCount: 7 });
  });

  test("ends exactly at its last record", async () => {
    const first = await get(path, { limit: 4 });
    expect(first.hasMore).toBe(true);
    expect(idsOf(await get(path, { limit: 1, cursor: first.nextCursor ?? "" }))).toHaveLength(1);
    const all = await get(path, { limit: 5 });
    expect(all.hasMore).toBe(false);
    expect(all).not.toHaveProperty("nextCursor");
  });

  test.each(["0", "101", "-1", "1.5", "1e1", "ten", "", " 5", "٥", "99999999999999999999"])(
    "refuses the limit %j",
    async (limit) => {
      const separator = path.includes("?") ? "&" : "?";
      const query = `limit=${encodeURIComponent(limit)}`;
      const answer = await world().call("GET", path + separator + query);
      expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "limit" });
    },
  );

  test("refuses any cursor but its own", async () => {
    const { nextCursor = "" } = await get(path, { limit: 2 });
    const position = JSON.parse(Buffer.from(nextCursor, "base64url").toString());
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const wrong = [
      "",
      "x",
      "not a cursor",
      nextCursor.slice(0, -4),
      `${nextCursor.slice(0, 8)}AAAA${nextCursor.slice(12)}`,
      forged(null),
      forged([]),
      forged("text"),
      forged({}),
      forged({ id: 5 }),
      forged({ ...position, id: 5 }),
      forged({ id: position.id }),
      forged({ ...position, f: "0" }),
      Buffer.from([0xff, 0xfe, 0x00]).toString("base64url"),
    ];
    for (const cursor of wrong) {
      const separator = path.includes("?") ? "&" : "?";
      const query = `cursor=${encodeURIComponent(cursor)}`;
      expectRefused(await world().call("GET", path + separator + query), CURSOR_REFUSED);
    }
  });

  test("refuses the cursor of every other list", async () => {
    for (const other of LISTS.filter((one) => one.path !== path)) {
      await other.add(8);
      await other.add(9);
      const { nextCursor = "" } = await get(other.path, { limit: 1 });
      const separator = path.includes("?") ? "&" : "?";
      const query = `cursor=${encodeURIComponent(nextCursor)}`;
      expectRefused(await world().call("GET", path + separator + query), CURSOR_REFUSED);
    }
  });
});

describe("a cursor", () => {
  test("is bound to its filters, in both directions", async () => {
    for (let number = 0; number < 3; number += 1) await createPayer(world(), 0);
    const path = "/customers/internal-accounts";
    const unfiltered = await get(path, { limit: 1 });
    const filtered = await get(path, { limit: 1, currency: "USD" });
    const wrong = [
      `?currency=USD&cursor=${unfiltered.nextCursor}`,
      `?cursor=${filtered.nextCursor}`,
      `?currency=USDC&cursor=${filtered.nextCursor}`,
      `?currency=USD&type=INTERNAL_FIAT&cursor=${filtered.nextCursor}`,
    ];
    for (const query of wrong)
      expectRefused(await world().call("GET", path + query), CURSOR_REFUSED);
  });

  test("is bound to its order, and the default order is desc", async () => {
    const { customerId, accountId } = await createPayer(world(), 0);
    const payee = await createPayee(world(), customerId, "999");
    for (let number = 0; number < 3; number += 1)
      await world().call("POST", "/quotes", quoteInput(accountId, payee));
    const path = "/transactions";
    const whole = idsOf(await get(path, {}));
    const { nextCursor = "" } = await get(path, { limit: 1 });
    const wrong = await world().call("GET", `${path}?sortOrder=asc&cursor=${nextCursor}`);
    expectRefused(wrong, CURSOR_REFUSED);
    const named = await get(path, { sortOrder: "desc", cursor: nextCursor });
    expect(idsOf(named)).toEqual(whole.slice(1));
    const ascending = await get(path, { limit: 2, sortOrder: "asc" });
    const rest = await get(path, { sortOrder: "asc", cursor: ascending.nextCursor ?? "" });
    expect([...idsOf(ascending), ...idsOf(rest)]).toEqual(whole.reverse());
  });

  test("continues although its record is gone", async () => {
    const { customerId } = await createPayer(world(), 0);
    for (const suffix of ["991", "992", "993"]) await createPayee(world(), customerId, suffix);
    const path = "/customers/external-accounts";
    const whole = idsOf(await get(path, {}));
    const { nextCursor = "" } = await get(path, { limit: 2 });
    await world().call("DELETE", `${path}/${whole[1]}`);
    const rest = await get(path, { cursor: nextCursor });
    expect(idsOf(rest)).toEqual(whole.slice(2));
    expect(rest.totalCount).toBe(2);
  });

  test("of an ascending list shows what was added meanwhile", async () => {
    const { customerId, accountId } = await createPayer(world(), 0);
    const payee = await createPayee(world(), customerId, "999");
    const quote = async () => {
      const { body } = await world().call("POST", "/quotes", quoteInput(accountId, payee));
      return body.transactionId as string;
    };
    const ids = [await quote(), await quote()];
    const path = "/transactions";
    const first = await get(path, { limit: 1, sortOrder: "asc" });
    ids.push(await quote());
    const rest = await get(path, { sortOrder: "asc", cursor: first.nextCursor ?? "" });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
  });

  test("is given for twenty records unless another limit is asked for", async () => {
    for (let number = 0; number < 21; number += 1) await createPayer(world(), 0);
    const page = await get("/customers", {});
    expect({ shown: page.data.length, hasMore: page.hasMore }).toEqual({
      shown: 20,
      hasMore: true,
    });
  });
});
