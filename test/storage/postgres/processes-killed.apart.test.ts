import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placePerTest } from "../../cli/setup/place-per-test.ts";
import { type Ready, type RunningCli, type Started, waitUntil } from "../../setup/cli.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { Parsed, TestSimulator } from "../../setup/test-simulator.ts";
import { basic } from "../../setup/tokens.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../setup/postgres-server.ts";

sayIfSkipped("processes of one database that are killed");

/** Longest wait of a call for the worlds of a process that is gone, and what it takes itself. */
const PATIENCE_MS = 7_000;

/**
 * Longest wait of a client for an answer: it calls again then. A connection that is handed to a
 * worker as that one is killed stays open without an answer.
 */
const CLIENT_MS = 10_000;

interface Got {
  status: number;
  headers: Headers;
  body: Parsed;
}

interface Asked {
  method?: string;
  body?: object;
  key?: string;
  world?: string;
}

/** Calls the platform; a connection that breaks off is the client's to see. */
const ask = async (
  { apiUrl, clientId, clientSecret }: Ready,
  path: string,
  { method = "GET", body, key, world }: Asked = {},
): Promise<Got> => {
  const user = world === undefined ? clientId : `${clientId}+${world}`;
  const response = await fetch(apiUrl + path, {
    method,
    signal: AbortSignal.timeout(CLIENT_MS),
    headers: {
      connection: "close",
      authorization: basic(user, clientSecret),
      ...(body && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
};

const CUSTOMER = { customerType: "INDIVIDUAL" };

/** Makes a customer: an operation without keys. */
const make = (ready: Ready) => ask(ready, "/customers", { method: "POST", body: CUSTOMER });

/** A platform's data for quotes in a world. */
interface Payment {
  ready: Ready;
  world: string | undefined;
  /** Body of `POST /quotes`, an operation that takes keys. */
  body: object;
}

/** Makes an account with money and one to pay to. */
const preparePayment = async (ready: Ready, world?: string): Promise<Payment> => {
  const call = async (method: string, path: string, body?: object) =>
    ask(ready, path, { method, ...(body && { body }), ...(world !== undefined && { world }) });
  const sim = { call } as unknown as TestSimulator;
  const payer = await createPayer(sim);
  const payee = await createPayee(sim, payer.customerId, "010");
  return { ready, world, body: quoteInput(payer.accountId, payee) };
};

const makeQuote = ({ ready, world, body }: Payment, key: string) =>
  ask(ready, "/quotes", { method: "POST", body, key, ...(world !== undefined && { world }) });

/** Makes a quote as clients do: the same call again, with its key, until it is answered. */
const quoteSurely = async (payment: Payment, key: string): Promise<string> => {
  let id = "";
  await waitUntil(`an answer to ${key}`, async () => {
    const got = await makeQuote(payment, key).catch(() => undefined);
    if (got && got.status !== 201 && got.status !== 503)
      throw new Error(`Expected 201 or 503 but found ${got.status} ${JSON.stringify(got.body)}`);
    if (got?.status === 201) id = got.body.id;
    return id !== "";
  });
  return id;
};

/** Ids of all quotes of a world. */
const quotesOf = async ({ ready: { controlUrl }, world = "sandbox" }: Payment) => {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const cursor = after === undefined ? "" : `&cursor=${encodeURIComponent(after)}`;
    const query = `kind=Quote&limit=100&world=${world}${cursor}`;
    const response = await fetch(`${controlUrl}/records?${query}`);
    const page: Parsed = await response.json();
    for (const { id } of page.data) ids.push(id);
    after = page.nextCursor;
    if (!page.hasMore) return ids;
  }
};

const countOf = async (ready: Ready): Promise<number> =>
  (await ask(ready, "/customers?limit=1")).body.totalCount;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

const place = placePerTest();

describe.skipIf(!hasPostgres() || process.platform !== "linux")("real processes", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.delete());

  /** Two processes; the first one serves the default world. */
  const two = async (): Promise<[RunningCli<Started>, RunningCli<Started>]> => {
    const storage = server.url(await server.database());
    const words = `--storage ${storage} --peer 127.0.0.1:0 --lease 1s --drain 0s --clock manual`;
    const first = await place().startProcess(words, { folder: "one" });
    return [first, await place().startProcess(words, { folder: "two" })];
  };

  // spec/store.md#hops
  test("a killed one is followed by the other, with all that was acknowledged", async () => {
    const [first, second] = await two();
    const { body: before } = await make(second.ready);
    await first.stop("SIGKILL");
    const sinceMs = performance.now();
    const read = await ask(second.ready, `/customers/${before.id}`);
    expect([read.status, read.body]).toEqual([200, before]);
    expect(performance.now() - sinceMs).toBeLessThan(PATIENCE_MS);
    expect((await make(second.ready)).status).toBe(201);
    expect(await countOf(second.ready)).toBe(2);
    expect((await second.stop()).code).toBe(0);
  });

  test("calls with a key are done once, although their process is killed meanwhile", async () => {
    const [first, second] = await two();
    const payment = await preparePayment(second.ready);
    const ids: string[] = [];
    const client = async (name: string) => {
      for (let count = 0; count < 25; count++)
        ids.push(await quoteSurely(payment, `${name}-${count}`));
    };
    const clients = Promise.all(["a", "b", "c", "d"].map(client));
    await waitUntil("some answers", () => ids.length >= 25);
    await first.stop("SIGKILL");
    await clients;
    expect(new Set(ids).size).toBe(100);
    expect((await quotesOf(payment)).toSorted()).toEqual(ids.toSorted());
    expect((await second.stop()).code).toBe(0);
  });

  // spec/store.md#hops
  test("a paused one loses its worlds, and what it does then counts for nothing", async () => {
    const [first, second] = await two();
    const payment = await preparePayment(second.ready);
    process.kill(first.started.pid, "SIGSTOP");
    const [read, keyed, unkeyed] = await Promise.all([
      ask(second.ready, "/customers?limit=1"),
      makeQuote(payment, "once"),
      make(second.ready),
    ]);
    expect([read.status, keyed.status, unkeyed.status]).toEqual([200, 201, 503]);
    expect(unkeyed.body.code).toBe("UNAVAILABLE");
    expect(unkeyed.body.message).toMatch(
      /^The simulator sim-[0-9a-f]+, which served this world, is gone: it may have been done/,
    );
    expect(Number(unkeyed.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await countOf(second.ready)).toBe(1);
    const { body: last } = await make(second.ready);
    // It reads the calls that it was sent before: they come too late.
    process.kill(first.started.pid, "SIGCONT");
    const found: Parsed[] = [];
    await waitUntil("an answer of the first", async () => {
      const got = await ask(first.ready, `/customers/${last.id}`);
      found.push([got.status, got.body.id]);
      return got.status !== 503;
    });
    expect(found.at(-1)).toEqual([200, last.id]);
    expect([await countOf(first.ready), await countOf(second.ready)]).toEqual([2, 2]);
    expect((await makeQuote({ ...payment, ready: first.ready }, "once")).body).toEqual(keyed.body);
    expect(await quotesOf(payment)).toEqual([keyed.body.id]);
    expect((await first.stop()).code).toBe(0);
    expect(await countOf(second.ready)).toBe(2);
    expect((await second.stop()).code).toBe(0);
  });

  test("three on one port lose nothing while each is killed in turn", async () => {
    const storage = server.url(await server.database());
    const sim = await place().startProcess(
      `--storage ${storage} --processes 3 --lease 1s --drain 0s --clock manual`,
    );
    const worlds = ["one", "two", "three"];
    for (const name of worlds) {
      const made = await sim.control("POST", "/worlds", { name });
      expect(made.status).toBe(201);
    }
    const payments = await Promise.all(worlds.map((name) => preparePayment(sim.ready, name)));
    const ids = payments.map((): string[] => []);
    let isOver = false;
    const client = async (payment: Payment, at: number) => {
      for (let count = 0; !isOver; count++)
        ids[at]?.push(await quoteSurely(payment, `${payment.world}-${count}`));
    };
    const clients = Promise.all(payments.map(client));
    const workers = childrenOf(sim.ready.pid);
    expect(workers).toHaveLength(3);
    for (const [at, worker] of workers.entries()) {
      const sizes = ids.map(({ length }) => length);
      process.kill(worker, "SIGKILL");
      await waitUntil(
        "another worker",
        () => sim.started.errors.split("serves instead").length === at + 2,
      );
      await waitUntil("further answers of each world", () =>
        ids.every(({ length }, of) => length > (sizes[of] as number) + 5),
      );
    }
    isOver = true;
    await clients;
    for (const [at, payment] of payments.entries()) {
      expect((await quotesOf(payment)).toSorted()).toEqual(ids[at]?.toSorted());
      expect(new Set(ids[at]).size).toBe(ids[at]?.length);
    }
    expect((await sim.stop()).code).toBe(0);
  });
});
