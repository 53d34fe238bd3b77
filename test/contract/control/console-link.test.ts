import { expect, test } from "vitest";
import { consoleLink, placeOfAny } from "../../../src/contract/control/console-link.ts";

// spec/console.md#page
test.each([
  { id: "Quote:01a213d2-b73b-7000-8001-99f3fe00557c", place: "/why/00557c" },
  { id: "req-1-31", place: "/why/req-1-31" },
  { id: "Ledger:clearing", place: "/why/Ledger%3Aclearing" },
])("$id stands at $place", ({ id, place }) => {
  expect(placeOfAny(id)).toBe(place);
});

test("a link names its world, and none for the default one", () => {
  const origin = "http://127.0.0.1:4747";
  expect(consoleLink(origin, "/inbox")).toBe("http://127.0.0.1:4747/_sim/console/#/inbox");
  expect(consoleLink(origin, "/inbox", "a b")).toBe(
    "http://127.0.0.1:4747/_sim/console/?world=a%20b#/inbox",
  );
});
