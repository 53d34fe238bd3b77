import { expect, test, vi } from "vitest";
import { fakedTimers, nodeFaked } from "../../src/machine/faked-timers.ts";

const JEST = Symbol.for("jest-native-now");

/** A process that has these globals. */
const having =
  (...names: (string | symbol)[]) =>
  (name: string | symbol) =>
    names.includes(name);

const bySinon = Object.assign(() => 0, { clock: {} });

test.each([
  { runner: [], by: "@sinonjs/fake-timers", undo: "clock.uninstall()" },
  { runner: ["__vitest_worker__"], by: "vitest", undo: "vi.useRealTimers()" },
  { runner: [JEST], by: "jest", undo: "jest.useRealTimers()" },
])("sinon's marks are those of $by where it runs", ({ runner, by, undo }) => {
  const found = { Date: [Date], setTimeout: [bySinon, setTimeout] };
  expect(fakedTimers(found, having(...runner))).toEqual({ by, undo, names: ["setTimeout"] });
});

test("the marks of node:test count under every runner", () => {
  const found = { Date: [{ isMock: true }], setTimeout: [setTimeout.bind(null)] };
  expect(fakedTimers(found, having(JEST))?.by).toBe("node:test");
});

test.each([
  { what: "the process as it is", found: undefined },
  {
    what: "functions that an environment wraps",
    found: { setTimeout: [(run: () => void) => run] },
  },
  {
    what: "bound functions, as jsdom has them",
    found: { setTimeout: [setTimeout.bind(globalThis)] },
  },
  { what: "a function that is spied on", found: { setTimeout: [vi.fn(setTimeout)] } },
  { what: "a Date of a subclass", found: { Date: [class Day extends Date {}] } },
  { what: "a function that is missing", found: { setImmediate: [undefined] } },
])("$what is no cause for alarm", ({ found }) => {
  expect(fakedTimers(found, having("__vitest_worker__"))).toBeUndefined();
});

test("jest fakes copies of what Node.js needs, others fake its own", () => {
  const faked = { names: ["nextTick"], undo: "undo()" };
  expect(nodeFaked("nextTick", { ...faked, by: "jest" })).toBeUndefined();
  expect(nodeFaked("nextTick", { ...faked, by: "vitest" })?.by).toBe("vitest");
  expect(nodeFaked("queueMicrotask", { ...faked, by: "vitest" })).toBeUndefined();
});
