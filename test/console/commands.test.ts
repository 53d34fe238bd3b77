import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-sections.ts";
import { commandOf } from "../../src/console/frame/use-page-keys.ts";
import { ALL_VIEWS, VIEWS, viewAt } from "../../src/console/views/views.tsx";

const here = { origin: "http://127.0.0.1:4747", world: undefined };

const placeIn = (path: string) => path.replace(":id", "Quote%3A1");

test.each(ALL_VIEWS)("the view at $path opens, and has a name", async (row) => {
  const { path, says } = row;
  expect(viewAt(placeIn(path))).toEqual({ view: row, id: path.endsWith("/:id") ? "Quote:1" : "" });
  expect("view" in row ? row.view : await row.load()).toBeTypeOf("function");
  expect(says).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
});

test("no two views have one place, nor two of the sidebar one name", () => {
  const paths = ALL_VIEWS.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  const names = VIEWS.map(({ says }) => says);
  expect(new Set(names).size).toBe(names.length);
});

test.each(["/no/such/view", "/payments/", "/worlds/b", "x"])("%s is no view", (place) => {
  expect(viewAt(place)).toBeUndefined();
});

test.each(ALL_VIEWS)("the command of $path is one of the program", ({ path }) => {
  const [program, name = ""] = commandOf(placeIn(path), here).split(" ");
  if (program === "curl") return expect(path).toBe("/ledger");
  expect(program).toBe("service-sim");
  expect(Object.keys(COMMANDS)).toContain(name);
});

test.each([
  { path: "/payments/Quote%3A1", command: "service-sim why Quote:1" },
  { path: "/webhooks/Webhook%3A1", command: "service-sim webhooks show Webhook:1" },
  { path: "/webhooks/doctor", command: "service-sim webhooks doctor" },
  { path: "/webhooks/send", command: "service-sim webhooks trigger" },
  { path: "/customers", command: "service-sim api listCustomers" },
  { path: "/requests/req-1", command: "service-sim requests req-1" },
  { path: "/diff", command: "service-sim diff" },
  { path: "/no/such/view", command: "service-sim tui" },
  { path: "/ledger", command: "curl -s http://127.0.0.1:4747/_sim/ledger" },
  { path: "/ledger/Ledger%3Afees", command: "service-sim why Ledger:fees" },
  { path: "/reference/createQuote", command: "service-sim docs createQuote" },
  { path: "/reference/errors/CONFLICT", command: "service-sim docs" },
])("$path is shown by $command", ({ path, command }) => {
  expect(commandOf(path, here)).toBe(command);
});

test("a world is named where a command means one", () => {
  const there = { ...here, world: "b" };
  expect(commandOf("/requests", there)).toBe("service-sim requests --world b");
  expect(commandOf("/outcomes", there)).toBe("service-sim outcomes");
  expect(commandOf("/ledger", there)).toBe("curl -s http://127.0.0.1:4747/_sim/ledger?world=b");
});
