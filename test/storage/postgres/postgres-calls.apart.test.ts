import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSimulator, type LocalSimulator } from "../../../src/simulator.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../setup/postgres-server.ts";

sayIfSkipped("calls while PostgreSQL is in trouble");

/** Outages of a test may be longer than a lease, since other work shares the machine. */
const LONG_LEASES = `
  create function long_lease() returns trigger language plpgsql as $$
  begin new.until := new.until + interval '1 hour'; return new; end $$;
  create trigger long_lease before insert or update on service_sim.process
    for each row execute function long_lease();`;

/** Troubles that pass within a lease: spec/store.md#guarantees, spec/store.md#not-promised. */
interface Outage {
  what: string;
  begin(server: PostgresServer): unknown;
  end(server: PostgresServer): unknown;
  /** Sentence without its outcome. */
  seen: RegExp;
}

const OUTAGES: Outage[] = [
  {
    what: "takes no writes",
    begin: (server) => server.set("default_transaction_read_only", "on"),
    end: (server) => server.reset(),
    seen: /^The store takes no writes \(PostgreSQL, 25006\)$/,
  },
  {
    what: "is stopped by SIGSTOP",
    begin: (server) => server.pause(true),
    end: (server) => server.pause(false),
    seen: /^The store (has not answered for 2 s|did not answer in time \(PostgreSQL\))$/,
  },
];

describe.skipIf(!hasPostgres())("calls", () => {
  let server: PostgresServer;
  let sim: LocalSimulator;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.delete());

  beforeEach(async () => {
    const database = await server.database();
    sim = await createSimulator({ storage: server.url(database), seed: 7 });
    await server.run(LONG_LEASES, database);
  });
  afterEach(() => sim?.close());

  test("a stop while it takes no writes ends by itself, and says what is not written", async () => {
    await server.set("default_transaction_read_only", "on");
    expect(await refusal(call("POST", "/customers", "first"))).toMatchObject({ status: 503 });
    await expect(sim.close()).rejects.toThrow("The store takes no writes (PostgreSQL, 25006)");
    await server.reset();
  });

  const call = async (method: string, path: string, key?: string) => {
    const headers = {
      authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
      ...(key !== undefined && { "content-type": "application/json", "idempotency-key": key }),
    };
    const isLink = path.endsWith("/kyc-link");
    const sent = isLink ? {} : { customerType: "INDIVIDUAL" };
    const body = key === undefined ? undefined : JSON.stringify(sent);
    const request = new Request(sim.apiUrl + path, { method, headers, ...(body && { body }) });
    const reply = await sim.fetch(request);
    return { status: reply.status, headers: reply.headers, body: JSON.parse(await reply.text()) };
  };

  const refusal = async (called: ReturnType<typeof call>) => {
    const { status, headers, body } = await called;
    const { code, message, reason, details } = body;
    const [, seen = "", outcome] = /^(.+\)|.+? s): (.+?)\. Try again after /.exec(message) ?? [];
    const retryAfter = headers.get("retry-after");
    return { status, code, reason: reason ?? details?.reason, seen, outcome, retryAfter };
  };

  test.each(OUTAGES)("while it $what are 503 and done once when repeated", async (outage) => {
    const customer = await call("POST", "/customers", "before");
    const link = `/customers/${customer.body.id}/kyc-link`;
    const changes = () => sim.status().storage.records;
    const before = changes();
    await outage.begin(server);
    const NOT_NOW = {
      status: 503,
      code: "UNAVAILABLE",
      reason: "STORE_UNAVAILABLE",
      seen: expect.stringMatching(outage.seen),
      retryAfter: "1",
    };
    expect(await refusal(call("POST", link, "first"))).toEqual({
      ...NOT_NOW,
      outcome: "it may have been done: repeat it with the same Idempotency-Key",
    });
    const notMade = { ...NOT_NOW, outcome: "this call was not made" };
    expect(await refusal(call("POST", link, "second"))).toEqual(notMade);
    expect(await refusal(call("GET", "/customers"))).toEqual(notMade);
    await outage.end(server);
    const again = async (key: string) => {
      for (;;) {
        const { status, body } = await call("POST", link, key);
        if (status !== 503) return { status, body };
        await new Promise(setImmediate);
      }
    };
    const first = await again("first");
    expect(first.status).toBe(201);
    expect(await again("first")).toEqual(first);
    const second = await again("second");
    expect(second.status).toBe(201);
    expect(second.body).not.toEqual(first.body);
    expect(changes()).toBe(before + 2);
  });
});
