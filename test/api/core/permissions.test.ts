import { readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reopen } from "../../runtime/setup/reopen.ts";
import { StateDirectory } from "../../runtime/setup/state-directory.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { fingerprintOf, OPERATIONS, type Operation } from "../setup/every-operation.ts";
import { callOperation, type KnownIds, populate, VALID_BODIES } from "../setup/populated.ts";
import { expectRefused } from "../setup/refused.ts";

let directory: StateDirectory;
let world: TestSimulator;
let ids: KnownIds;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(async () => {
  await world.sim.close();
  directory.remove();
});

const GRANTED = '"permissions":["VIEW","TRANSACT","MANAGE"]';

/** A journal line with another text in it, its checksum and length corrected. */
const rewritten = (line: string, permissions: readonly string[]) => {
  const json = line
    .slice(line.indexOf("{"))
    .replace(GRANTED, `"permissions":${JSON.stringify(permissions)}`);
  return `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}`;
};

/** A populated world whose only token has fewer permissions than at its creation. */
const openWith = async (permissions: readonly string[]) => {
  world = await startTestSimulator({ storage: directory.url });
  ids = await populate(world);
  await world.sim.close();
  const [segment = ""] = directory.segments();
  const lines = readFileSync(directory.segment(segment), "utf8").trimEnd().split("\n");
  expect(lines.filter((line) => line.includes(GRANTED))).toHaveLength(1);
  const text = lines.map((line) => `${rewritten(line, permissions)}\n`).join("");
  writeFileSync(directory.segment(segment), text);
  world = await reopen(directory);
};

const callOf = (one: Operation) =>
  callOperation(world, one, { ids, body: VALID_BODIES[one.operationId]?.(ids) });

const idsNeeding = (permission: string) =>
  OPERATIONS.filter((one) => one.permission === permission).map(({ operationId }) => operationId);

/** Operations that move money (spec/tokens.md#permissions). */
test("TRANSACT is needed for quotes, transfers and sandbox money", async () => {
  await openWith(["VIEW"]);
  expect(idsNeeding("TRANSACT")).toEqual(
    expect.arrayContaining([
      "createQuote",
      "executeQuote",
      "transferIn",
      "transferOut",
      "sandboxSend",
      "fundInternalAccount",
      "approveAgentAction",
      "rejectAgentAction",
      "simulateCardAuthorization",
      "simulateCardClearing",
      "simulateCardReturn",
    ]),
  );
  const reads = OPERATIONS.filter(
    ({ method, calledBy }) => method === "GET" && calledBy !== "agent",
  );
  expect(reads.filter(({ permission }) => permission !== "VIEW")).toEqual([]);
});

describe.each([
  { permissions: ["VIEW"], lacks: ["TRANSACT", "MANAGE"] },
  { permissions: ["TRANSACT"], lacks: ["MANAGE"] },
  { permissions: ["MANAGE"], lacks: ["TRANSACT"] },
])("a token with $permissions alone", ({ permissions, lacks }) => {
  test(`is refused what needs ${lacks.join(" or ")}, and nothing happens`, async () => {
    await openWith(permissions);
    const before = await fingerprintOf(world);
    const refused = OPERATIONS.filter((one) => lacks.includes(one.permission));
    expect(refused.length).toBeGreaterThan(4);
    for (const one of refused) {
      const answer = await callOf(one);
      expectRefused(answer, { status: 403, code: "FORBIDDEN" });
      expect(answer.body.details).toEqual({ requiredPermission: one.permission, permissions });
    }
    expect(await fingerprintOf(world)).toEqual(before);
  });

  test("is let through to everything else", async () => {
    await openWith(permissions);
    const allowed = OPERATIONS.filter((one) => !lacks.includes(one.permission));
    expect(allowed.length).toBeGreaterThan(8);
    for (const one of allowed) expect((await callOf(one)).status).not.toBe(403);
  });
});

test.each([[["VIEW"]], [["MANAGE"]]])(
  "a token with %s alone is refused before its body is looked at, and its key keeps nothing",
  async (permissions) => {
    await openWith(permissions);
    const before = await fingerprintOf(world);
    for (const path of ["/transfer-in", "/transfer-out", "/sandbox/send"])
      for (const body of ["{", "null", '{"amount":0}'])
        expectRefused(
          await world.raw("POST", path, {
            headers: { "idempotency-key": "k1", "content-type": "application/json" },
            body,
          }),
          { status: 403, code: "FORBIDDEN" },
        );
    expect(await fingerprintOf(world)).toEqual(before);
  },
);
