import { expect, test } from "vitest";
import { idsIn, withId } from "../../src/console/reference/id-pickers.tsx";

const ACCOUNT = "InternalAccount:01a213d2-b73b-7000-8001-99f3fe00557c";
const OTHER = "InternalAccount:01a213d2-b73b-7000-8001-000000000001";
const BODY = JSON.stringify({ source: { accountId: ACCOUNT }, cards: ["x", ACCOUNT], amount: 5 });

test("ids are found with their places, other texts are not", () => {
  expect(idsIn(BODY)).toEqual([
    { at: ["source", "accountId"], kind: "InternalAccount", id: ACCOUNT },
    { at: ["cards", 1], kind: "InternalAccount", id: ACCOUNT },
  ]);
  expect(idsIn('{"a": "Account:1"}')).toEqual([]);
  expect(idsIn("{ not JSON")).toEqual([]);
});

test("another id at one place leaves all others as they were", () => {
  expect(JSON.parse(withId(BODY, ["cards", 1], OTHER))).toEqual({
    source: { accountId: ACCOUNT },
    cards: ["x", OTHER],
    amount: 5,
  });
  expect(JSON.parse(withId(BODY, ["source", "accountId"], OTHER)).source.accountId).toBe(OTHER);
});
