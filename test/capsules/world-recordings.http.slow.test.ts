import { describe, expect, test } from "vitest";
import type { WorldRecording } from "../../src/contract/control/recordings.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../src/simulator.ts";
import { Receiver } from "../setup/receiver.ts";
import { replayed } from "./setup/live-run.ts";

const person = { customerType: "INDIVIDUAL" } as const;
const MXN = {
  accountType: "MXN_ACCOUNT",
  clabeNumber: "646180110400000003",
  beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
} as const;

/** Pays once, six minutes later; the id of the quote. */
const pay = async ({ call }: Simulator) => {
  const { id: customerId } = await call.createCustomer({ body: person });
  const accounts = await call.listCustomerInternalAccounts({
    query: { customerId, currency: "USD" },
  } as never);
  const accountId = (accounts as { data: { id: string }[] }).data[0]?.id as string;
  await call.fundInternalAccount({ params: { accountId }, body: { amount: 100_000 } });
  const payee = await call.createCustomerExternalAccount({
    body: { customerId, currency: "MXN", accountInfo: MXN },
  } as never);
  const { id: quoteId } = (await call.createQuote({
    body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: payee.id },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    },
  } as never)) as { id: string };
  await call.executeQuote({ params: { quoteId } } as never);
  return quoteId as string;
};

const recordingOf = async (sim: Simulator, world: string): Promise<WorldRecording> => {
  const response = await sim.fetch(new Request(`${sim.controlUrl}/worlds/${world}/recording`));
  expect(response.status).toBe(200);
  return response.json();
};

const opened = async <Done>(
  options: SimulatorOptions,
  work: (sim: Simulator) => Promise<Done>,
): Promise<Done> => {
  const sim = await createSimulator({ seed: "7", clock: "manual", ...options });
  await sim.listen({ port: 0 });
  try {
    return await work(sim);
  } finally {
    await sim.close();
  }
};

// spec/capsules.md#recordings-of-worlds
describe("the recording of a world is a capsule that repeats it", () => {
  test.each(["manual", "real", "auto"] as const)("with the clock %s", async (clock) => {
    const { capsule = "", calls } = await opened({ clock }, async (sim) => {
      await sim.call.createCustomer({ body: person });
      const other = await sim.fork("other");
      const fork = await sim.fork("mine");
      await pay(other);
      const quoteId = await pay(fork);
      await expect(fork.call.executeQuote({ params: { quoteId } })).rejects.toThrow();
      if (clock === "manual") await fork.advance("6m");
      await pay(other);
      return recordingOf(sim, "mine");
    });
    const advances = clock === "manual" ? 1 : 0;
    expect(calls).toBe(7 + advances);
    expect(await replayed(capsule)).toEqual({ requests: 7 + advances });
  });

  test("of the default world, with what was done before it listened", async () => {
    const { capsule = "" } = await opened({ fixture: "payouts-demo" }, async (sim) => {
      await pay(sim);
      await sim.advance("6m");
      return recordingOf(sim, "sandbox");
    });
    expect(await replayed(capsule)).toEqual({ requests: 6 });
  });

  test("with a receiver that answers", async () => {
    const receiver = await new Receiver().start();
    const { capsule = "", webhooks } = await opened({}, async (sim) => {
      const fork = await sim.fork("mine");
      await fork.call.patchConfig({ body: { webhookEndpoint: receiver.url } } as never);
      await pay(fork);
      await fork.advance("6m");
      return recordingOf(sim, "mine");
    });
    await receiver.stop();
    expect(webhooks.at(-1)).toMatchObject({
      type: "OUTGOING_PAYMENT.COMPLETED",
      state: "ACCEPTED",
      answer: "200",
    });
    expect(await replayed(capsule)).toEqual({ requests: 8 });
  });

  test("with the worlds that it was forked into, which are gone", async () => {
    const { capsule = "" } = await opened({}, async (sim) => {
      const mine = await sim.fork("mine");
      await pay(mine);
      const deeper = await mine.fork("deeper");
      await pay(deeper);
      await deeper.close();
      await pay(mine);
      return recordingOf(sim, "mine");
    });
    expect(await replayed(capsule)).toEqual({ requests: 20 });
  });

  test("of a fork of a fork, from its own birth", async () => {
    const { capsule = "" } = await opened({}, async (sim) => {
      const mine = await sim.fork("mine");
      await pay(mine);
      const deeper = await mine.fork("deeper");
      await pay(deeper);
      return recordingOf(sim, "deeper");
    });
    expect(await replayed(capsule)).toEqual({ requests: 6 });
  });

  test("after a reset, a snapshot and a rewind", async () => {
    const { capsule = "" } = await opened({}, async (sim) => {
      const mine = await sim.fork("mine");
      await pay(mine);
      await mine.reset();
      await mine.snapshot("early");
      await pay(mine);
      await mine.restore("early");
      await mine.advance("1h");
      await pay(mine);
      await mine.rewind({ by: "30m" });
      await pay(mine);
      return recordingOf(sim, "mine");
    });
    expect((await replayed(capsule)).divergence).toBeUndefined();
  });

  test("also once it is removed, and again under its name", async () => {
    await opened({}, async (sim) => {
      const mine = await sim.fork("mine");
      await pay(mine);
      await mine.close();
      const { capsule = "", calls, webhooks } = await recordingOf(sim, "mine");
      expect({ calls, webhooks: webhooks.length }).toEqual({ calls: 6, webhooks: 4 });
      expect(await replayed(capsule)).toEqual({ requests: 6 });
      const again = await sim.fork("mine");
      await again.call.createCustomer({ body: person });
      expect(await recordingOf(sim, "mine")).toMatchObject({ calls: 1 });
    });
  });

  test("while another capsule is written", async () => {
    const sim = await createSimulator({ seed: "7", clock: "manual" });
    const body = JSON.stringify({ name: "run.capsule" });
    const headers = { "content-type": "application/json" };
    const asked = new Request(`${sim.controlUrl}/capsule`, { method: "POST", body, headers });
    const whole = (await sim.fetch(asked)).text();
    const mine = await sim.fork("mine");
    await pay(mine);
    const { capsule = "" } = await recordingOf(sim, "mine");
    await sim.fetch(new Request(`${sim.controlUrl}/capsule`, { method: "DELETE" }));
    expect(await replayed(capsule)).toEqual({ requests: 6 });
    expect(await replayed(await whole)).toEqual({ requests: 7 });
    await sim.close();
  });
});

// spec/capsules.md#recordings-of-worlds
test("refused calls are told without secrets, the newest five", async () => {
  const { refused, capsule } = await opened(
    { clientSecret: "k7Qp-mine-0042-secret" },
    async (sim) => {
      const mine = await sim.fork("mine");
      for (let count = 0; count < 6; count += 1)
        await mine.call.getQuote({ params: { quoteId: `Quote:${count}` } }).catch(() => {});
      await mine.call
        .redeemDeviceCode({ params: { code: "aQ7x-device-code-3310" } } as never)
        .catch(() => {});
      return recordingOf(sim, "mine");
    },
  );
  expect(refused).toHaveLength(5);
  expect(refused[0]).toMatchObject({
    requestId: "req-1-2",
    method: "GET",
    path: "/2025-10-13/quotes/Quote:1",
    status: 404,
    code: "QUOTE_NOT_FOUND",
  });
  const text = JSON.stringify(refused) + capsule;
  expect(text).not.toContain("aQ7x-device-code-3310");
  expect(text).not.toContain("k7Qp-mine-0042-secret");
});

// spec/capsules.md#recordings-of-worlds
test("a run beyond 4 MiB is let go, and a sentence says what to do instead", async () => {
  await opened({}, async (sim) => {
    const mine = await sim.fork("mine");
    const note = "x".repeat(900_000);
    for (let count = 0; count < 5; count += 1)
      await mine.call.createCustomer({ body: { note } } as never).catch(() => {});
    const { capsule, left } = await recordingOf(sim, "mine");
    expect(capsule).toBeUndefined();
    expect(left).toMatch(/^its run is over 4 MiB/);
    const other = await sim.fork("other");
    await pay(other);
    expect((await recordingOf(sim, "other")).capsule).toBeDefined();
  });
});

test("a name that no world ever had is not found", async () => {
  await opened({}, async (sim) => {
    const response = await sim.fetch(new Request(`${sim.controlUrl}/worlds/none/recording`));
    expect(response.status).toBe(404);
  });
});
