import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { basic, calledWith, createToken } from "../../setup/tokens.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const START = "2026-01-05T09:00:00.000Z";
const UNAUTHORIZED = { status: 401, code: "UNAUTHORIZED" };
const NOT_FOUND = { status: 404, code: "TOKEN_NOT_FOUND" };

const world = worldPerTest();

const create = (body: unknown) => world().call("POST", "/tokens", body);
const list = async (query = "") => (await world().call("GET", `/tokens${query}`)).body;
const startTokenId = async (): Promise<string> => (await list("?name=start")).data[0].id;

describe("a new token", () => {
  test("shows its secret in the first reply only", async () => {
    const { status, body } = await create({ name: "ci reader", permissions: ["VIEW"] });
    expect(status).toBe(201);
    const { clientSecret, ...shown } = body;
    expect(clientSecret).toMatch(/^[0-9a-f]{36}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^Token:[0-9a-f-]{36}$/),
      name: "ci reader",
      permissions: ["VIEW"],
      clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: START,
      updatedAt: START,
    });
    const { body: read } = await world().call("GET", `/tokens/${body.id}`);
    expect(read).toEqual(shown);
    expect((await list()).data[0]).toEqual(shown);
    expect(JSON.stringify(await world().control("GET", "/requests"))).not.toContain(clientSecret);
    expect(JSON.stringify(await list())).not.toContain("ecret");
  });

  test("comes from the seed: the same calls make the same tokens, each a different one", async () => {
    const { body: first } = await create({ name: "a", permissions: ["VIEW"] });
    const { body: second } = await create({ name: "a", permissions: ["VIEW"] });
    expect(second.clientId).not.toBe(first.clientId);
    expect(second.clientSecret).not.toBe(first.clientSecret);
    expect(first.clientSecret).not.toContain(first.clientId);
    const again = await startTestSimulator();
    const other = await startTestSimulator({ seed: "another" });
    try {
      const made = { name: "a", permissions: ["VIEW"] };
      expect((await again.call("POST", "/tokens", made)).body).toEqual(first);
      const { body } = await other.call("POST", "/tokens", made);
      expect(body.clientSecret).not.toBe(first.clientSecret);
    } finally {
      await again.sim.close();
      await other.sim.close();
    }
  });

  test("works with its client id or its id", async () => {
    const { id, clientId, clientSecret } = await createToken(world(), ["VIEW"]);
    for (const user of [clientId, id]) {
      const call = calledWith(world(), basic(user, clientSecret));
      expect((await call("GET", "/config")).status).toBe(200);
    }
  });

  test("works with nothing similar", async () => {
    const { id, clientId, clientSecret } = await createToken(world(), ["VIEW"]);
    const { clientSecret: other } = await createToken(world(), ["VIEW"]);
    const wrong = [
      [clientId, other],
      [clientId, ""],
      [clientId, clientSecret.slice(0, -1)],
      [clientId, `${clientSecret}0`],
      [clientId, clientSecret.toUpperCase()],
      [clientId, hash("sha256", clientSecret, "hex")],
      [clientId.toUpperCase(), clientSecret],
      [clientSecret, clientId],
      [id.slice("Token:".length), clientSecret],
      ["ci", clientSecret],
    ] as const;
    for (const [user, secret] of wrong)
      expectRefused(await calledWith(world(), basic(user, secret))("GET", "/config"), UNAUTHORIZED);
  });

  test("has each permission once, in their order", async () => {
    const permissions = ["MANAGE", "VIEW", "MANAGE", "TRANSACT", "VIEW"];
    const { body } = await create({ name: "all", permissions });
    expect(body.permissions).toEqual(["VIEW", "TRANSACT", "MANAGE"]);
  });

  test("may share its name with another one", async () => {
    await createToken(world(), ["VIEW"], "ci");
    await createToken(world(), ["MANAGE"], "ci");
    expect((await list("?name=ci")).totalCount).toBe(2);
  });
});

test.each([
  { says: "nothing", body: {}, field: "name" },
  { says: "no name", body: { permissions: ["VIEW"] }, field: "name" },
  { says: "an empty name", body: { name: "", permissions: ["VIEW"] }, field: "name" },
  { says: "a long name", body: { name: "x".repeat(256), permissions: ["VIEW"] }, field: "name" },
  { says: "no permissions", body: { name: "ci" }, field: "permissions" },
  { says: "an empty list", body: { name: "ci", permissions: [] }, field: "permissions" },
  { says: "a text", body: { name: "ci", permissions: "VIEW" }, field: "permissions" },
  { says: "an unknown one", body: { name: "ci", permissions: ["READ"] }, field: "permissions.0" },
  {
    says: "one in small letters",
    body: { name: "ci", permissions: ["VIEW", "manage"] },
    field: "permissions.1",
  },
  { says: "null", body: { name: "ci", permissions: null }, field: "permissions" },
])("a token is not made from $says", async ({ body, field }) => {
  await expectNothing(world(), () => create(body), invalid(field));
});

/** Permissions that a token may grant: its own and VIEW (spec/tokens.md#granting). */
const GRANTS = [
  { has: ["MANAGE"], gives: ["VIEW"], lacks: undefined },
  { has: ["MANAGE"], gives: ["MANAGE"], lacks: undefined },
  { has: ["MANAGE"], gives: ["VIEW", "MANAGE"], lacks: undefined },
  { has: ["MANAGE"], gives: ["TRANSACT"], lacks: "TRANSACT" },
  { has: ["MANAGE"], gives: ["MANAGE", "TRANSACT"], lacks: "TRANSACT" },
  { has: ["VIEW", "MANAGE"], gives: ["TRANSACT"], lacks: "TRANSACT" },
  { has: ["TRANSACT", "MANAGE"], gives: ["VIEW", "TRANSACT", "MANAGE"], lacks: undefined },
  { has: ["VIEW", "TRANSACT"], gives: ["VIEW"], lacks: "MANAGE" },
  { has: ["VIEW"], gives: ["VIEW"], lacks: "MANAGE" },
];

test.each(GRANTS)("$has grants $gives: lacks $lacks", async ({ has, gives, lacks }) => {
  const token = await createToken(world(), has);
  const before = (await list()).totalCount;
  const answer = await token.call("POST", "/tokens", { name: "given", permissions: gives });
  if (lacks === undefined) expect(answer.status).toBe(201);
  else {
    expectRefused(answer, { status: 403, code: "FORBIDDEN" });
    expect(answer.body.details).toEqual({ requiredPermission: lacks, permissions: has });
  }
  expect((await list()).totalCount).toBe(before + (lacks === undefined ? 1 : 0));
});

describe("the list of tokens", () => {
  /** Three tokens, one second apart from 09:00:01 on. */
  const three = async () => {
    const ids: string[] = [];
    for (const second of [1, 2, 3]) {
      await goTo(world(), `09:00:0${second}.000`);
      ids.push((await createToken(world(), ["VIEW"], `t${second % 2}`)).id);
    }
    return ids;
  };
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

  test("is newest first, the start token last, in pages", async () => {
    const [one, two, threeId] = await three();
    const start = await startTokenId();
    expect(idsOf(await list())).toEqual([threeId, two, one, start]);
    const first = await list("?limit=3");
    expect({ ...first, data: idsOf(first) }).toEqual({
      data: [threeId, two, one],
      hasMore: true,
      nextCursor: expect.any(String),
      totalCount: 4,
    });
    const rest = await list(`?limit=3&cursor=${first.nextCursor}`);
    expect({ ...rest, data: idsOf(rest) }).toEqual({
      data: [start],
      hasMore: false,
      totalCount: 4,
    });
  });

  test.each([
    { query: "?name=t1", finds: [3, 1] },
    { query: "?name=t", finds: [] },
    { query: "?name=T1", finds: [] },
    { query: "?name=", finds: [] },
    { query: "?createdAfter=2026-01-05T09:00:02Z", finds: [3, 2] },
    { query: "?createdAfter=2026-01-05T09:00:02.001Z", finds: [3] },
    { query: "?createdBefore=2026-01-05T09:00:01Z", finds: [1, 0] },
    { query: "?createdBefore=2026-01-05T09:00:00.999Z", finds: [0] },
    { query: "?updatedAfter=2026-01-05T09:00:03Z", finds: [3] },
    { query: "?updatedAfter=2026-01-05T09:00:03.001Z", finds: [] },
    { query: "?updatedBefore=2026-01-05T09:00:00Z", finds: [0] },
    { query: "?updatedBefore=2026-01-05T08:59:59.999Z", finds: [] },
    { query: "?name=t1&createdAfter=2026-01-05T10:00:02%2B01:00", finds: [3] },
  ])("$query finds $finds", async ({ query, finds }) => {
    const ids = [await startTokenId(), ...(await three())];
    const found = await list(query);
    expect(idsOf(found)).toEqual(finds.map((at) => ids[at]));
    expect(found.totalCount).toBe(finds.length);
  });

  test.each([
    { query: "?limit=0", field: "limit" },
    { query: "?limit=101", field: "limit" },
    { query: "?cursor=x", field: "cursor" },
    { query: "?createdAfter=yesterday", field: "createdAfter" },
    { query: "?updatedBefore=2026-01-05T09:00:00", field: "updatedBefore" },
  ])("refuses $query", async ({ query, field }) => {
    expectRefused(await world().call("GET", `/tokens${query}`), invalid(field));
  });
});

describe("a token that is deleted", () => {
  test("no longer works from the next call on, and is not found", async () => {
    const token = await createToken(world(), ["VIEW", "TRANSACT", "MANAGE"]);
    expect((await token.call("GET", "/config")).status).toBe(200);
    const answer = await world().call("DELETE", `/tokens/${token.id}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: "" });
    expect(answer.headers.get("content-type")).toBeNull();
    expectRefused(await token.call("GET", "/config"), UNAUTHORIZED);
    expectRefused(await token.call("POST", "/quotes", {}), UNAUTHORIZED);
    expectRefused(await world().call("GET", `/tokens/${token.id}`), NOT_FOUND);
    expectRefused(await world().call("DELETE", `/tokens/${token.id}`), NOT_FOUND);
    expect((await list()).totalCount).toBe(1);
  });

  test("may be the start token", async () => {
    const other = await createToken(world(), ["MANAGE"]);
    const id = await startTokenId();
    expect((await other.call("DELETE", `/tokens/${id}`)).status).toBe(204);
    expectRefused(await world().call("GET", "/config"), UNAUTHORIZED);
    expect((await other.call("GET", "/config")).status).toBe(200);
  });

  test("may be neither the calling one nor the last with MANAGE", async () => {
    const start = await startTokenId();
    const own = (reason: string) => ({ status: 400, code: "INVALID_INPUT", reason });
    const lone = await world().call("DELETE", `/tokens/${start}`);
    expectRefused(lone, own("LAST_MANAGE_TOKEN"));
    expect(lone.body.details).toEqual({ id: start, reason: "LAST_MANAGE_TOKEN" });
    await createToken(world(), ["VIEW", "TRANSACT"]);
    expectRefused(await world().call("DELETE", `/tokens/${start}`), own("LAST_MANAGE_TOKEN"));
    const manager = await createToken(world(), ["MANAGE"]);
    expectRefused(await world().call("DELETE", `/tokens/${start}`), own("OWN_TOKEN"));
    expectRefused(await manager.call("DELETE", `/tokens/${manager.id}`), own("OWN_TOKEN"));
    expect((await manager.call("DELETE", `/tokens/${start}`)).status).toBe(204);
    expectRefused(await manager.call("DELETE", `/tokens/${manager.id}`), own("LAST_MANAGE_TOKEN"));
  });

  test("may be any without MANAGE", async () => {
    for (const permissions of [["VIEW"], ["TRANSACT"]]) {
      const { id } = await createToken(world(), permissions);
      expect((await world().call("DELETE", `/tokens/${id}`)).status).toBe(204);
    }
  });
});

test("all API tokens share their idempotency keys", async () => {
  const { call } = world();
  const { body: customer } = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customer.id}&currency=USD`;
  const { body: accounts } = await call("GET", `/customers/internal-accounts?${query}`);
  const body = JSON.stringify({ source: { accountId: accounts.data[0].id } });
  const token = await createToken(world(), ["TRANSACT"]);
  const send = (authorization?: string) =>
    world().raw("POST", "/transfer-out", {
      headers: {
        "idempotency-key": "k1",
        "content-type": "application/json",
        ...(authorization !== undefined && { authorization }),
      },
      body: authorization === undefined ? body : "{}",
    });
  const first = await send();
  expect(first.body.details.field).toBe("destination");
  const second = await send(basic(token.clientId, token.clientSecret));
  expect(second.body).toEqual(first.body);
});

describe("a world that is opened again", () => {
  let directory: StateDirectory;
  let opened: TestSimulator;

  beforeEach(async () => {
    directory = new StateDirectory();
    opened = await startTestSimulator({ storage: directory.url });
  });

  afterEach(async () => {
    await opened.sim.close();
    directory.remove();
  });

  const again = async (options: object = {}) => {
    await opened.sim.close();
    opened = await reopen(directory, options);
  };

  test("knows its tokens, and stores only hashes of their secrets", async () => {
    const { clientId, clientSecret } = await createToken(opened, ["VIEW"]);
    await again();
    const call = calledWith(opened, basic(clientId, clientSecret));
    expect((await call("GET", "/config")).status).toBe(200);
    const kept = directory
      .segments()
      .map((name) => readFileSync(directory.segment(name), "latin1"))
      .join("");
    expect(kept).toContain(hash("sha256", clientSecret, "hex"));
    expect(kept).not.toContain(clientSecret);
  });

  test("gives the start's credentials to the start token, whatever others are named", async () => {
    const namesake = await createToken(opened, ["VIEW"], "start");
    await again({ clientId: "renamed", clientSecret: "changed" });
    expect((await opened.call("GET", "/config")).status).toBe(200);
    const { body } = await opened.call("GET", "/tokens?name=start");
    const clients = body.data.map(({ clientId }: { clientId: string }) => clientId);
    expect(clients).toEqual([namesake.clientId, "renamed"]);
  });

  test("does not bring back a deleted start token", async () => {
    await opened.control("POST", "/clock/advance", { by: "1s" });
    const manager = await createToken(opened, ["MANAGE"], "start");
    const { body } = await opened.call("GET", "/tokens?name=start");
    expect((await manager.call("DELETE", `/tokens/${body.data[1].id}`)).status).toBe(204);
    await again({ clientId: "renamed", clientSecret: "changed" });
    expectRefused(await opened.call("GET", "/config"), UNAUTHORIZED);
    const call = calledWith(opened, basic(manager.clientId, manager.clientSecret));
    expect((await call("GET", "/tokens")).body.data).toHaveLength(1);
  });
});
