import { expect, test } from "vitest";
import { searchesOf } from "../../src/console/parts/quick-searches.ts";
import { moneyFirst } from "../../src/console/reference/record-options.ts";
import { matches, termsOf } from "../../src/rows/filter.ts";

const row = (status: string, isOpen: boolean) => ({ id: "x", status, type: "", code: "", isOpen });

test.each([
  { list: "payments", says: "open", finds: ["PENDING"] },
  { list: "payments", says: "completed", finds: ["COMPLETED"] },
  { list: "payments", says: "failed", finds: ["FAILED"] },
  { list: "deliveries", says: "all", finds: ["PENDING", "COMPLETED", "FAILED", "GIVEN_UP"] },
  { list: "deliveries", says: "given up", finds: ["GIVEN_UP"] },
  { list: "requests", says: "errors", finds: ["FAILED"] },
] as const)("$says among $list finds $finds", ({ list, says, finds }) => {
  const [query = ""] = searchesOf(list).quick.find(([, name]) => name === says) ?? [];
  const rows = [
    row("PENDING", true),
    row("COMPLETED", false),
    row("FAILED", false),
    row("GIVEN_UP", false),
  ];
  const found = rows.filter((one) => matches(termsOf(query), one)).map(({ status }) => status);
  expect(found).toEqual(finds);
});

test("a list without searches of its own has the usual hint", () => {
  expect(searchesOf("timers")).toEqual({
    hint: "name, amount, end of an id, status:failed, is:open",
    quick: [],
  });
});

test("accounts with money are offered first, the others in their order", () => {
  const account = (id: string, amount?: number) => ({
    kind: "InternalAccount",
    id,
    ...(amount !== undefined && { balance: { amount, currency: "USD" } }),
  });
  const rows = [account("a", 0), account("b"), account("c", 250), account("d", 5)];
  expect(moneyFirst(rows as never).map(({ id }) => id)).toEqual(["c", "d", "a", "b"]);
});
