import { expect, test } from "vitest";
import type { Change } from "../../../src/runtime/change.ts";
import { WorldState } from "../../../src/runtime/world-state.ts";
import {
  callerChanges,
  callerKeysByRecord,
  isIndexed,
  namedFiles,
} from "../../../src/storage/engine/caller-index.ts";
import { changeOf } from "./setup/flushed-worlds.ts";

type Put = NonNullable<Change["put"]>[number];

const token = (id: string, secretHash: string, clientId = `${id}-client`) =>
  ["ApiToken", { id, clientId, secretHash }] as Put;
const agent = (id: string, tokenHash?: string) =>
  ["Agent", { id, customerId: "Customer:1", ...(tokenHash && { tokenHash }) }] as Put;
const code = (id: string, text: string) => ["DeviceCode", { id, agentId: "g", code: text }] as Put;
const document = (id: string, sha256: string) => ["Document", { id, file: { sha256 } }] as Put;

const opens = { world: "w", seed: "s", branch: 0 } as const;

/** Keys of a world before the changes. */
const BEFORE = new Map([
  ["ApiToken t", ["user t h", "user t-client h"]],
  ["Agent g", ["agent a"]],
  ["DeviceCode c", ["code ABC"]],
]);

const TABLE: readonly {
  what: string;
  changes: Partial<Change>[];
  made?: string[];
  dropped?: string[];
  records?: Record<string, string[]>;
}[] = [
  { what: "a record of another kind", changes: [{ put: [document("d", "f00d")] }] },
  {
    what: "a new token",
    changes: [{ put: [token("u", "i")] }],
    made: ["user u i", "user u-client i"],
    records: { "ApiToken u": ["user u i", "user u-client i"] },
  },
  {
    what: "a token that stays as it was",
    changes: [{ put: [token("t", "h")] }],
    records: { "ApiToken t": ["user t h", "user t-client h"] },
  },
  {
    what: "a token with another secret",
    changes: [{ put: [token("t", "i")] }],
    made: ["user t i", "user t-client i"],
    dropped: ["user t h", "user t-client h"],
    records: { "ApiToken t": ["user t i", "user t-client i"] },
  },
  {
    what: "a token that is deleted",
    changes: [{ del: [["ApiToken", "t"]] }],
    dropped: ["user t h", "user t-client h"],
    records: { "ApiToken t": [] },
  },
  {
    what: "a token that comes and goes",
    changes: [{ put: [token("u", "i")] }, { del: [["ApiToken", "u"]] }],
    records: { "ApiToken u": [] },
  },
  {
    what: "a key that another record has too",
    changes: [{ put: [token("u", "h", "t-client")] }, { del: [["ApiToken", "t"]] }],
    made: ["user u h"],
    dropped: ["user t h"],
    records: { "ApiToken u": ["user u h", "user t-client h"], "ApiToken t": [] },
  },
  {
    what: "an agent without an access token yet",
    changes: [{ put: [agent("k")] }],
  },
  {
    what: "an agent that gets its access token for its code",
    changes: [{ put: [agent("k", "b")], del: [["DeviceCode", "c"]] }],
    made: ["agent b"],
    dropped: ["code ABC"],
    records: { "Agent k": ["agent b"], "DeviceCode c": [] },
  },
  {
    what: "an agent that loses its access token",
    changes: [{ put: [agent("g")] }],
    dropped: ["agent a"],
    records: { "Agent g": [] },
  },
  {
    what: "a code in small letters",
    changes: [{ put: [code("e", "xyz")] }],
    made: ["code XYZ"],
    records: { "DeviceCode e": ["code XYZ"] },
  },
  {
    what: "a record of which the index knows nothing is deleted",
    changes: [{ del: [["Agent", "unknown"]] }],
  },
  {
    what: "a world that is opened anew, and gets one token again",
    changes: [{ put: [code("e", "xyz")] }, { opens, put: [token("t", "h")] }],
    dropped: ["agent a", "code ABC"],
    records: {
      "ApiToken t": ["user t h", "user t-client h"],
      "Agent g": [],
      "DeviceCode c": [],
      "DeviceCode e": [],
    },
  },
];

test.each(TABLE)("caller keys of $what", ({ changes, made = [], dropped = [], records = {} }) => {
  const done = callerChanges(
    BEFORE,
    changes.map((members, at) => changeOf(at + 1, members)),
  );
  expect(done.made).toEqual(made);
  expect(done.dropped).toEqual(dropped);
  expect(Object.fromEntries(done.records)).toEqual(records);
});

test("a key stays while a record that is not touched has it", () => {
  const before = new Map([...BEFORE, ["ApiToken u", ["user u h", "user t-client h"]]]);
  const { dropped } = callerChanges(before, [changeOf(1, { del: [["ApiToken", "t"]] })]);
  expect(dropped).toEqual(["user t h"]);
});

test("the keys of a state are those of its records", () => {
  const state = new WorldState();
  state.apply(
    changeOf(1, { put: [token("t", "h"), agent("g", "a"), agent("k"), code("c", "abc")] }),
  );
  expect(Object.fromEntries(callerKeysByRecord(state))).toEqual({
    "ApiToken t": ["user t h", "user t-client h"],
    "Agent g": ["agent a"],
    "Agent k": [],
    "DeviceCode c": ["code ABC"],
  });
});

test("files that changes name are told once each", () => {
  const changes = [
    changeOf(1, { put: [document("d", "f00d"), document("e", "f00d")] }),
    changeOf(2, { put: [document("f", "beef"), agent("g", "a")], del: [["Document", "d"]] }),
  ];
  expect(namedFiles(changes)).toEqual(["f00d", "beef"]);
});

test.each([
  { what: "nothing", members: {}, is: false },
  { what: "a timer", members: { put: [["Timer", { id: "t" }]] }, is: false },
  { what: "an opening", members: { opens }, is: true },
  { what: "a token", members: { put: [token("t", "h")] }, is: true },
  { what: "a document", members: { put: [document("d", "f00d")] }, is: true },
  { what: "a deleted code", members: { del: [["DeviceCode", "c"]] }, is: true },
  { what: "a deleted timer", members: { del: [["Timer", "t"]] }, is: false },
])("a change with $what is indexed: $is", ({ members, is }) => {
  expect(isIndexed(changeOf(1, members as Partial<Change>))).toBe(is);
});
