import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Receiver } from "../setup/receiver.ts";
import { basic } from "../setup/tokens.ts";
import { formOf, PASSPORT, pdfOf } from "../setup/uploads.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../storage/setup/postgres-server.ts";
import {
  type Asked,
  customersIn,
  customersOf,
  type Got,
  makeCustomer,
  SharedProcess,
} from "./setup/shared-processes.ts";

sayIfSkipped("worlds that several processes share");

const post = (body: object = {}): Asked => ({ method: "POST", body });

describe.skipIf(!hasPostgres())("three processes of one database", () => {
  let server: PostgresServer;
  let storage: string;
  let receiver: Receiver;
  /** `first` serves the default world, `second` the world `blue`, `third` the world `green`. */
  let first: SharedProcess;
  let second: SharedProcess;
  let third: SharedProcess;
  let all: SharedProcess[];
  const made: Record<string, string> = {};

  const ownerOf = async (world: string) => {
    const [row] = await server.run(
      `select owner from service_sim.world where name = '${world}'`,
      storage.split("/").at(-1),
    );
    return row?.owner;
  };

  /** Worlds that exist before the three, so that each of these can take its own. */
  const makeWorlds = async () => {
    const maker = await SharedProcess.open(storage, { webhookEndpoint: receiver.url, seed: "s" });
    for (const name of ["blue", "green"]) {
      expect((await maker.control(undefined, "/worlds", post({ name }))).status).toBe(201);
      made[name] = await makeCustomer(maker, name, `customer-of-${name}`);
    }
    const own = { name: "own", clientId: "acme", clientSecret: "acme-secret" };
    expect((await maker.control(undefined, "/worlds", post(own))).status).toBe(201);
    await makeCustomer(maker, undefined, "customer-of-sandbox");
    await maker.sim.close();
    expect(maker.alarms).toEqual([]);
  };

  beforeAll(async () => {
    server = await PostgresServer.start();
    storage = server.url(await server.database());
    receiver = await new Receiver().start();
    await makeWorlds();
    first = await SharedProcess.open(storage);
    second = await SharedProcess.open(storage);
    third = await SharedProcess.open(storage);
    all = [first, second, third];
    await second.call("blue", "/customers");
    await third.call("green", "/customers");
    await third.send(`${third.base}/customers`, {
      headers: { authorization: basic("acme", "acme-secret") },
    });
  });
  afterAll(async () => {
    await Promise.all((all ?? []).map(({ sim }) => sim.close()));
    await receiver?.stop();
    await server?.delete();
    for (const { alarms } of all ?? []) expect(alarms).toEqual([]);
  });

  test("each serves a world of its own", async () => {
    const ids = await Promise.all(all.map((process) => process.id()));
    expect(new Set(ids).size).toBe(3);
    const owners = await Promise.all(["sandbox", "blue", "green", "own"].map(ownerOf));
    expect(owners).toEqual([ids[0], ids[1], ids[2], ids[2]]);
  });

  /** The ways to mean `blue` on the platform, each answered with its customers. */
  const WAYS: Record<string, () => Promise<Got>> = {
    "header": () => third.call(undefined, "/customers", { headers: { "x-sim-world": "blue" } }),
    "user name": () => third.call("blue", "/customers"),
    "API token of the world": async () => {
      const body = { name: "ci", permissions: ["VIEW"] };
      const { body: token } = await first.call("blue", "/tokens", post(body));
      const authorization = basic(token.clientId, token.clientSecret);
      return third.send(`${third.base}/customers`, { headers: { authorization } });
    },
    "query on the control surface": async () => {
      const got = await first.control("blue", "/records?kind=Customer");
      return { ...got, body: { data: got.body.data.map((one: { record: object }) => one.record ?? one) } };
    },
  };

  test.each(Object.keys(WAYS))("a world elsewhere is meant by %s", async (way) => {
    const got = await (WAYS[way] as () => Promise<Got>)();
    expect(got.status).toBe(200);
    console.log(way, JSON.stringify(got.body).slice(0,300));
    expect(customersIn(got)).toEqual(["customer-of-blue"]);
  });

  test("the default world is meant by what names no other", async () => {
    for (const process of all)
      expect(await customersOf(process, undefined)).toEqual(["customer-of-sandbox"]);
  });

  test("a world's own client id and secret mean it", async () => {
    const headers = { authorization: basic("acme", "acme-secret") };
    for (const process of all)
      expect(customersIn(await process.send(`${process.base}/customers`, { headers }))).toEqual([]);
  });

  test("an agent's token and a device code mean the world that made them", async () => {
    const policy = { permissions: ["VIEW_TRANSACTIONS"], defaultExecutionMode: "AUTO", spendingLimits: { currency: "USD", perTransactionLimit: 40_000 } };
    const input = { name: "bot", customerId: made.blue, policy };
    const { status, body } = await first.call("blue", "/agents", post(input));
    expect(status).toBe(201);
    const path = `/agents/device-codes/${body.deviceCode.code}/redeem`;
    const redeemed = await third.send(third.base + path, post());
    expect(redeemed.status).toBe(200);
    const headers = { authorization: `Bearer ${redeemed.body.accessToken}` };
    for (const process of all) {
      const me = await process.send(`${process.base}/agents/me`, { headers });
      expect([me.status, me.body.id]).toEqual([200, body.agent.id]);
    }
  });

  test("a document of 200 KiB goes to its world, and is there through each", async () => {
    const bytes = pdfOf(200 * 1024);
    const form = formOf({ documentHolder: made.blue as string, ...PASSPORT }, { bytes });
    const put = await first.call("blue", "/documents", { method: "POST", body: form });
    expect(put.status).toBe(201);
    for (const process of all) {
      const got = await process.call("blue", `/documents/${put.body.id}`);
      expect([got.status, got.body.id]).toEqual([200, put.body.id]);
    }
  });

  const REFUSED: [what: string, ask: () => Promise<Got>, status: number, code: string][] = [
    ["a wrong secret", () => third.send(`${third.base}/customers`, { headers: { authorization: basic(`${first.sim.clientId}+blue`, "wrong") } }), 401, "UNAUTHORIZED"],
    ["no credentials", () => third.send(`${third.base}/customers`), 401, "UNAUTHORIZED"],
    ["an unknown path", () => third.call("blue", "/nothing"), 404, "REFERENCE_NOT_FOUND"],
    ["an unknown path of the control surface", () => third.control("blue", "/nothing"), 404, "REFERENCE_NOT_FOUND"],
    ["an unknown world on the control surface", () => third.control("bleu", "/clock"), 404, "WORLD_NOT_FOUND"],
    ["an unknown record", () => third.call("blue", "/customers/Customer:none"), 404, "USER_NOT_FOUND"],
    ["a body that is no JSON", () => third.call("blue", "/customers", { method: "POST", headers: {"content-type": "application/json"} }), 400, "INVALID_INPUT"],
  ];
  test.each(REFUSED)("%s is refused as in one process", async (_what, ask, status, code) => {
    const got = await ask();
    expect([got.status, got.body.code ?? got.body.error?.code]).toEqual([status, code]);
    console.log(_what, JSON.stringify(got.body).slice(0,500));
  });

  test("HEAD has the head of GET and no body", async () => {
    const head = await third.call("blue", "/customers", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
    console.log([...head.headers]);
  });

  test("a feed of a world elsewhere tells what a third process changes", async () => {
    const response = await fetch(`${first.url}/_sim/events?world=blue`);
    expect(response.status).toBe(200);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let read = "";
    const until = async (text: string) => {
      while (!read.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the feed ended: ${read}`);
        read += Buffer.from(value).toString();
      }
    };
    await until("event: hello");
    const id = await makeCustomer(third, "blue", "fed");
    await until(id);
    await reader.cancel();
    await second.call("blue", `/customers/${id}`, { method: "DELETE" });
  });

  test("a wait at one process ends by a call at another", async () => {
    const waited = first.control("blue", "/webhooks/wait?type=TEST&count=1&timeout=20s");
    const sent = await third.control("blue", "/webhooks/trigger", post({ type: "TEST" }));
    console.log(sent.status, JSON.stringify(sent.body).slice(0, 400));
    const got = await waited;
    console.log(got.status, JSON.stringify(got.body).slice(0, 400));
    expect(got.status).toBe(200);
    console.log(receiver.types());
  });

  test("the clock of a world elsewhere advances, and no other's", async () => {
    const nows = async () => Promise.all([undefined, "blue", "green"].map(async (world) => (await second.control(world, "/clock")).body.now));
    const [a, b, c] = await nows();
    const moved = await third.control("blue", "/clock/advance", post({ by: "1h" }));
    expect(moved.status).toBe(200);
    const [a2, b2, c2] = await nows();
    expect([a2, c2]).toEqual([a, c]);
    expect(Date.parse(b2) - Date.parse(b)).toBe(3_600_000);
  });

  test("sim.advance moves the default world, also where another process serves it", async () => {
    const before = (await first.control(undefined, "/clock")).body.now;
    await third.sim.advance("1h");
    const after = (await first.control(undefined, "/clock")).body.now;
    expect(Date.parse(after) - Date.parse(before)).toBe(3_600_000);
  });

  test("a world elsewhere is saved, restored and wound back", async () => {
    expect((await first.control("blue", "/snapshots/one", { method: "PUT" })).status).toBe(201);
    await makeCustomer(third, "blue", "after-one");
    expect((await third.control("blue", "/snapshots/one/restore", post())).status).toBe(200);
    expect(await customersOf(first, "blue")).toEqual(["customer-of-blue"]);
    await first.control("blue", "/clock/advance", post({ by: "1h" }));
    await makeCustomer(third, "blue", "an-hour-later");
    expect((await third.control("blue", "/clock/rewind", post({ by: "30m" }))).status).toBe(200);
    expect(await customersOf(first, "blue")).toEqual(["customer-of-blue"]);
  });

  test("the list of worlds is the same through each process", async () => {
    const lists = await Promise.all(all.map((process) => process.control(undefined, "/worlds")));
    const [{ body } = {} as Got] = lists;
    for (const one of lists) expect(one.body).toEqual(body);
    console.log(JSON.stringify(body));
  });

  test("a world is made from one elsewhere, in place of another", async () => {
    const made1 = await first.control(undefined, "/worlds", post({ name: "copy", from: "world:green" }));
    expect(made1.status).toBe(201);
    expect(await customersOf(second, "copy")).toEqual(["customer-of-green"]);
    const made2 = await second.control(undefined, "/worlds", post({ name: "copy-2", from: "world:blue", inPlaceOf: "copy" }));
    expect(made2.status).toBe(201);
    for (const process of all) {
      expect((await process.control("copy", "/clock")).status).toBe(404);
      expect(await customersOf(process, "copy-2")).toEqual(["customer-of-blue"]);
    }
    expect((await third.send("/_sim/worlds/copy-2", { method: "DELETE" })).status).toBe(204);
    for (const process of all) {
      expect((await process.control("copy-2", "/clock")).status).toBe(404);
      expect((await process.send("/_sim/worlds/copy-2", { method: "DELETE" })).status).toBe(404);
      const late = await process.call("copy-2", "/customers");
      expect([late.status, late.body.details?.reason]).toEqual([401, "WORLD_REMOVED"]);
    }
  });

  test("a first call with a new name through all at once makes one world", async () => {
    const ids = await Promise.all(all.map((process, at) => makeCustomer(process, "fresh", `fresh-${at}`)));
    expect(new Set(ids).size).toBe(3);
    for (const process of all)
      expect((await customersOf(process, "fresh")).toSorted()).toEqual(["customer-of-sandbox", "fresh-0", "fresh-1", "fresh-2"]);
  });

  test("forks without a name, made through all at once, have names of their own", async () => {
    const names = (await Promise.all([...all, ...all].map((process) => process.control(undefined, "/worlds", post())))).map(({ status, body }) => [status, body.name]);
    expect(names.toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((count) => [201, `fork-${count}`]));
  });

  test("console page", async () => {
    for (const process of all) {
      const page = await process.send("/_sim/console?world=blue");
      console.log(page.status, page.body.slice?.(0, 100));
    }
  });

  test("capsule", async () => {
    for (const process of all) {
      const rec = await process.send("/_sim/worlds/blue/recording");
      console.log(rec.status, JSON.stringify(rec.body).slice(0, 200));
    }
  });

  test("coverage", async () => {
    for (const of of ["world", "all"]) for (const process of all) {
      const got = await process.send(`/_sim/coverage?of=${of}`);
      console.log(of, got.status, JSON.stringify(got.body).slice(0, 300));
    }
  });

  test("the control token is the same in all", () => {
    expect(new Set(all.map(({ sim }) => sim.controlToken)).size).toBe(1);
  });

  test("request ids", async () => {
    const ids: string[] = [];
    for (const world of [undefined, "blue", "green"]) for (const process of all)
      ids.push((await process.call(world, "/customers")).headers.get("x-sim-request-id") as string);
    console.log(ids);
  });

  test("origins", async () => {
    for (const process of all) {
      console.log(process.url);
      const got = await process.control(undefined, "/worlds", post({ name: "o" + new URL(process.url).port }));
      console.log(got.body.apiUrl);
      const st = await process.control("blue", "/status");
      console.log(JSON.stringify(st.body).slice(0, 600));
      const oidc = await process.control("blue", "/oidc/.well-known/openid-configuration");
      console.log(JSON.stringify(oidc.body));
    }
  });
});
