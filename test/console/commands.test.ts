import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-sections.ts";
import { commandOf } from "../../src/console/frame/use-page-keys.ts";
import { VIEWS } from "../../src/console/frame/views.ts";

const here = { origin: "http://127.0.0.1:4747", world: undefined };

test.each(VIEWS.map(({ path }) => path))("the command of %s is one of the program", (path) => {
  const [program, name = ""] = commandOf(path, here).split(" ");
  if (program === "curl") return expect(path).toBe("/ledger");
  expect(program).toBe("service-sim");
  expect(Object.keys(COMMANDS)).toContain(name);
});

test.each([
  { path: "/payments/Quote%3A1", command: "service-sim why Quote:1" },
  { path: "/webhooks/Webhook%3A1", command: "service-sim webhooks show Webhook:1" },
  { path: "/webhooks/doctor", command: "service-sim webhooks doctor" },
  { path: "/webhooks/send", command: "service-sim webhooks trigger" },
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
