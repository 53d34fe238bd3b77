import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parseStorageUrl, shownStorage } from "../../../src/storage/world/storage-url.ts";

test.each([
  ["postgres://sim:pw@db:5432/sim", "postgres://sim:***@db:5432/sim"],
  ["postgresql://sim:pw@db/sim?sslmode=require", "postgresql://sim:***@db/sim?sslmode=require"],
  ["postgres://sim:p@w@db/sim", "postgres://sim:***@db/sim"],
  ["postgres://sim:p%2Fw@[::1]:5432/sim", "postgres://sim:***@[::1]:5432/sim"],
  ["postgres://:pw@db/sim", "postgres://:***@db/sim"],
  ["postgres://sim:p/w@db/sim", "postgres://sim:***@db/sim"],
  ["postgres://sim:p?w@db/sim", "postgres://sim:***@db/sim"],
  ["postgres://sim:p#w@db/sim", "postgres://sim:***@db/sim"],
  ["postgres:/sim:pw@db/sim", "postgres:/sim:***@db/sim"],
  ["postgres:sim:pw@db/sim", "postgres:***@db/sim"],
  ["//sim:pw@db/sim", "//sim:***@db/sim"],
  ["sim:pw@db/sim", "sim:***@db/sim"],
  [" 'postgres://sim:pw@db/sim'", " 'postgres://sim:***@db/sim'"],
  ["redis://sim:pw@db/0", "redis://sim:***@db/0"],
  ["postgres://db/sim?user=sim&password=pw", "postgres://db/sim?user=sim&password=***"],
  ["postgres://sim@db/sim?x=a@b", "postgres://sim@db/sim?x=a@b"],
  ["postgres://db:5432/sim?x=a@b", "postgres://db:5432/sim?x=a@b"],
  ["file:/data/a:b@c", "file:/data/a:b@c"],
  ["memory:", "memory:"],
])("the storage %j is shown as %j", (storage, shown) => {
  expect(shownStorage(storage)).toBe(shown);
});

test.each([
  ["memory:", { kind: "memory" }],
  ["file:state", { kind: "file", directory: resolve("state") }],
  ["postgres://sim:pw@db/sim", { kind: "postgres", url: "postgres://sim:pw@db/sim" }],
  ["postgresql://db/sim", { kind: "postgres", url: "postgresql://db/sim" }],
  ["postgres://sim:pw@db", undefined],
  ["postgres://sim:pw@db/", undefined],
  ["postgres:///sim", undefined],
  ["postgres:sim", undefined],
  ["redis://db/0", undefined],
])("the storage %j is read as %j", (storage, read) => {
  expect(parseStorageUrl(storage)).toEqual(read);
});
