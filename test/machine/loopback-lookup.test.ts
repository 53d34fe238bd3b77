import { expect, test } from "vitest";
import { isLoopbackName } from "../../src/contract/core/loopback.ts";
import { listeningAddress, lookupFor } from "../../src/machine/loopback-lookup.ts";

test.each([
  ["localhost", true],
  ["LOCALHOST.", true],
  ["app.localhost", true],
  ["a.b.localhost", true],
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["[::1]", true],
  ["applocalhost", false],
  [".localhost", false],
  ["a..localhost", false],
  ["localhost.example", false],
  ["app.localhost.example", false],
  ["a/b.localhost", false],
  ["127.0.0.1.example", false],
  ["0.0.0.0", false],
  ["", false],
])("%j means this machine: %s", (name, isLocal) => {
  expect(isLoopbackName(name)).toBe(isLocal);
});

const lookedUp = (name: string, options: object) =>
  new Promise((resolve) =>
    lookupFor(name).lookup?.(name, options, (_error, ...found) => resolve(found)),
  );

test("a name below .localhost is looked up without asking the system", async () => {
  expect(await lookedUp("app.localhost", { all: true })).toEqual([
    [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ],
  ]);
  expect(await lookedUp("app.localhost", {})).toEqual(["127.0.0.1", 4]);
  expect(await lookedUp("app.localhost", { family: 6 })).toEqual(["::1", 6]);
  expect(lookupFor("localhost")).toEqual({});
});

test("to listen on such a name is to listen on loopback", () => {
  expect(listeningAddress("app.localhost")).toBe("127.0.0.1");
  expect(listeningAddress("example.test")).toBe("example.test");
});
