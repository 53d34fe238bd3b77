import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../storage/setup/postgres-server.ts";
import { asTestSimulator, customersOf, ownerOf, SharedProcess } from "./setup/shared-processes.ts";

sayIfSkipped("processes that stop beside others");

// spec/store.md#several-processes
describe.skipIf(!hasPostgres())("when one of several processes stops cleanly", () => {
  let server: PostgresServer;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await PostgresServer.start();
    receiver = await new Receiver().start();
  });
  afterAll(async () => {
    await receiver?.stop();
    await server?.delete();
  });

  const newStorage = async () => server.url(await server.database());

  test("the others take its worlds at once, and no request id comes twice", async () => {
    const storage = await newStorage();
    // The test would end before this lease does.
    const patient = { leaseMs: 60_000 };
    const first = await SharedProcess.open(storage, patient);
    const others = [
      await SharedProcess.open(storage, patient),
      await SharedProcess.open(storage, patient),
    ] as const;
    const ids: (string | null)[] = [];
    const make = async (process: SharedProcess, world: string) => {
      const body = { customerType: "INDIVIDUAL" };
      const { status, headers } = await process.call(world, "/customers", { method: "POST", body });
      expect(status).toBe(201);
      ids.push(headers.get("x-sim-request-id"));
    };
    for (const process of [first, ...others]) await make(process, "blue");
    await first.sim.close();
    await Promise.all(others.map((process) => make(process, "blue")));
    for (const process of others) {
      await make(process, "blue");
      expect((await process.call("blue", "/customers")).body.data).toHaveLength(ids.length);
      expect(await customersOf(process, undefined)).toEqual([]);
    }
    expect(new Set(ids).size).toBe(7);
    await Promise.all(others.map(({ sim }) => sim.close()));
    expect([first, ...others].map(({ alarms }) => alarms)).toEqual([[], [], []]);
  });

  test("a timer of its world is fired by another, and a manual clock stays where it is", async () => {
    const storage = await newStorage();
    const first = await SharedProcess.open(storage, { webhookEndpoint: receiver.url });
    const pay = async (world: string) => {
      const sim = asTestSimulator(first, world);
      const payer = await createPayer(sim);
      const payee = await createPayee(sim, payer.customerId, "003");
      const { body } = await sim.call("POST", "/quotes", quoteInput(payer.accountId, payee));
      const executed = await sim.call("POST", `/quotes/${body.id}/execute`);
      expect(executed.status).toBe(200);
      return body.transactionId;
    };
    const [runs, stands] = [await pay("runs"), await pay("stands")];
    const other = await SharedProcess.open(storage);
    const set = await first.control("runs", "/clock", {
      method: "PUT",
      body: { mode: "real", speed: 200 },
    });
    expect(set.status).toBe(200);
    await first.sim.close();
    // Nobody asks for it: the process that is left looks for worlds that are due.
    const completed = () =>
      receiver.received
        .filter(({ type }) => type === "OUTGOING_PAYMENT.COMPLETED")
        .map(({ data }) => data.id);
    await expect.poll(completed).toEqual([runs]);
    expect([
      await ownerOf(server, storage, "runs"),
      await ownerOf(server, storage, "stands"),
    ]).toEqual([await other.id(), null]);
    expect((await other.call("stands", `/transactions/${stands}`)).body.status).toBe("PROCESSING");
    await other.sim.close();
    expect([first.alarms, other.alarms, completed()]).toEqual([[], [], [runs]]);
  });
});
