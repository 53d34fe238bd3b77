import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeAll(async () => {
  world = await startTestSimulator({ fixture: "payouts-demo" });
});

afterAll(() => world.sim.close());

const page = async (query: string) => (await world.control("GET", `/rows?${query}`)).body;

interface Row {
  id: string;
  kind: string;
  createdAt: string;
}

// spec/console.md#older-rows
test("payments come page by page, each once, the newest first, as the feed tells them", async () => {
  const whole = await page("list=payments&limit=100");
  expect(whole.hasMore).toBe(false);
  expect(whole.data).toHaveLength(whole.totalCount);
  const times = whole.data.map(({ createdAt }: Row) => createdAt);
  expect(times).toEqual([...times].sort().reverse());
  const found: Row[] = [];
  let cursor = "";
  for (let pages = 0; pages < 20; pages += 1) {
    const { data, hasMore, nextCursor } = await page(`list=payments&limit=3${cursor}`);
    found.push(...data);
    if (!hasMore) break;
    cursor = `&cursor=${nextCursor}`;
  }
  expect(found).toEqual(whole.data);
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["QUOTE"]));
});

test("customers and cards have their pages too", async () => {
  expect((await page("list=customers&limit=1")).data[0]).toMatchObject({
    type: expect.any(String),
  });
  expect(await page("list=cards")).toEqual({ data: [], hasMore: false, totalCount: 0 });
});

test.each(["list=nothing", "", "list=cards&cursor=x", "list=payments&limit=0"])(
  "%s is refused",
  async (query) => {
    expect((await world.control("GET", `/rows?${query}`)).status).toBe(400);
  },
);
