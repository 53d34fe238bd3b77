import { describe, expect, test } from "vitest";
import { encodeLine } from "../../src/capsules/capsule-lines.ts";
import { readCapsule } from "../../src/capsules/read-capsule.ts";
import { type LiveRun, live, replayed } from "./setup/live-run.ts";
import { json, payments } from "./setup/recorded-run.ts";

const person = { customerType: "INDIVIDUAL" };

/** State made before the recording: customers, money, an open quote, a failing receiver, a fork. */
const before = async ({ call, control, receiver, sim }: LiveRun) => {
  await call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const customer = await call("POST", "/customers", person);
  const query = `customerId=${customer.id}&currency=USD`;
  const { data } = await call("GET", `/customers/internal-accounts?${query}`);
  const accountId = data[0].id;
  await call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000 });
  const payee = await call("POST", "/customers/external-accounts", {
    customerId: customer.id,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000999",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  });
  const quote = await call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  await control("POST", "/faults", {
    match: { operation: "listTransactions", nth: 3 },
    fault: { status: 500 },
  });
  await call("GET", "/transactions");
  await control("POST", "/worlds", { name: "beside" });
  await control("PUT", "/snapshots/early");
  return { customer, accountId, payee, quote, user: `${sim.clientId}+beside` };
};

/** Calls of two worlds, clock moves and another fork. */
const traffic = async ({ call, control }: LiveRun, made: Awaited<ReturnType<typeof before>>) => {
  const { quote, user } = made;
  await call("POST", `/quotes/${quote.id}/execute`);
  await call("POST", "/customers", person, user);
  await control("POST", "/clock/advance", { by: "20s" });
  await control("POST", "/clock/advance?world=beside", { by: "1h" });
  await call("GET", "/transactions");
  await call("GET", "/transactions");
  await call("POST", `/quotes/${quote.id}/execute`, undefined, user);
  await control("POST", "/worlds", {});
  await call("POST", "/customers", person, "sandbox+fork-1");
  await call("POST", "/customers", person);
  await call("GET", "/customers");
};

// spec/capsules.md#recording
describe("a simulator that runs", () => {
  test.each(["real", "manual"] as const)(
    "is recorded from its present state, clock %s",
    async (clock) => {
      const text = await live({ clock }, async (run) => {
        const made = await before(run);
        const recording = await run.startRecording();
        await traffic(run, made);
        return recording.end();
      });
      const { cutAfter } = readCapsule(text, "run.capsule");
      expect(cutAfter).toBeUndefined();
      expect(await replayed(text)).toEqual({ requests: 11 });
    },
  );

  test("continues unrecorded afterwards, and can be recorded again", async () => {
    const [first, second] = await live({ clock: "manual" }, async (run) => {
      const one = await run.startRecording();
      await run.call("POST", "/customers", person);
      const text = await one.end();
      await payments(run);
      const other = await run.startRecording();
      await run.call("GET", "/customers");
      return [text, await other.end()];
    });
    expect(await replayed(first)).toEqual({ requests: 1 });
    expect(await replayed(second)).toEqual({ requests: 1 });
  });
});

/** Records what is done with a simulator that already has some state. */
const recorded = (
  options: Parameters<typeof live>[0],
  {
    first = async () => {},
    work,
  }: { first?: (run: LiveRun) => Promise<unknown>; work(run: LiveRun): Promise<unknown> },
) =>
  live(options, async (run) => {
    await first(run);
    const recording = await run.startRecording();
    await work(run);
    return recording.end();
  });

// spec/capsules.md#beginning
describe("also there at the beginning", () => {
  test("are snapshots, the fork that a reset goes back to, and counts of forks", async () => {
    const text = await recorded(
      { clock: "manual", seed: "7" },
      {
        first: async ({ call, control }) => {
          await call("POST", "/customers", person);
          await control("PUT", "/snapshots/early");
          await control("POST", "/worlds", {});
          await control("DELETE", "/worlds/fork-1");
          await control("POST", "/worlds", { name: "beside" });
          await call("POST", "/customers", person, "sandbox+beside");
          await call("POST", "/customers", person);
        },
        work: async ({ call, control }) => {
          await control("POST", "/reset?world=beside");
          await call("GET", "/customers", undefined, "sandbox+beside");
          await control("POST", "/snapshots/early/restore", {});
          await call("GET", "/customers");
          await control("POST", "/worlds", {});
          await control("POST", "/reset");
          await call("POST", "/customers", person);
          await call("GET", "/customers");
        },
      },
    );
    expect(await replayed(text)).toEqual({ requests: 8 });
  });

  test("are the names of removed worlds, which a late call does not open again", async () => {
    const text = await recorded(
      { clock: "manual", seed: "7" },
      {
        first: async ({ call, control }) => {
          await call("POST", "/customers", person, "sandbox+gone");
          await control("DELETE", "/worlds/gone");
        },
        work: async ({ call, control }) => {
          const late = await call("GET", "/customers", undefined, "sandbox+gone");
          expect(late.reason).toBe("WORLD_REMOVED");
          await control("POST", "/worlds", { name: "gone" });
          await call("GET", "/customers", undefined, "sandbox+gone");
        },
      },
    );
    expect(await replayed(text)).toEqual({ requests: 3 });
  });

  test("is the fixture that a reset puts in again", async () => {
    const text = await recorded(
      { fixture: "payouts-demo", seed: "7" },
      {
        first: ({ call }) => call("POST", "/customers", person),
        work: async ({ call, control }) => {
          await control("POST", "/reset");
          await call("GET", "/customers");
          await call("POST", "/customers", person);
        },
      },
    );
    expect(await replayed(text)).toEqual({ requests: 3 });
  });

  test("are webhooks that a receiver refused, and one that it has not answered", async () => {
    const text = await recorded(
      {},
      {
        first: async ({ call, control, receiver }) => {
          receiver.behaviour = (_event, response) => {
            response.statusCode = 500;
            response.end();
          };
          await call("PATCH", "/config", { webhookEndpoint: receiver.url });
          await payments({ call, control, receiver } as LiveRun);
        },
        work: async ({ call, control, receiver }) => {
          receiver.behaviour = (_event, response) => void response.end();
          await control("POST", "/clock/advance", { by: "1h" });
          await call("GET", "/transactions");
        },
      },
    );
    expect(await replayed(text)).toEqual({ requests: 2 });
  });

  test("are calls that a fault switch and a rate limit have counted", async () => {
    const text = await recorded(
      { clock: "manual", rateLimit: "5/m" },
      {
        first: async ({ call, control }) => {
          await control("POST", "/faults", {
            match: { operation: "listCustomers", nth: 3 },
            fault: { status: 500 },
          });
          for (let count = 0; count < 2; count += 1) await call("GET", "/customers");
        },
        work: async ({ call }) => {
          const codes: unknown[] = [];
          for (let count = 0; count < 5; count += 1)
            codes.push((await call("GET", "/customers")).code);
          expect(codes).toEqual([
            "INTERNAL_ERROR",
            undefined,
            undefined,
            undefined,
            "RATE_LIMITED",
          ]);
        },
      },
    );
    expect(await replayed(text)).toEqual({ requests: 5 });
  });
});

// spec/capsules.md#recording
describe("a recording", () => {
  test("begins once: a second one is refused, naming the first", async () => {
    await live({}, async ({ url, startRecording, control }) => {
      const recording = await startRecording({ name: "run.capsule" });
      const second = await fetch(`${url}/_sim/capsule`, { method: "POST", ...json({}) });
      expect({ status: second.status, body: await second.json() }).toEqual({
        status: 409,
        body: {
          error: {
            code: "RECORDED_ALREADY",
            message:
              "This simulator is already being recorded, to run.capsule: one capsule at a time",
            next: ["End that recording first: press Ctrl-C where it runs"],
            details: { name: "run.capsule" },
          },
        },
      });
      await recording.end();
      expect((await control("DELETE", "/capsule")).error.code).toBe("NOTHING_RECORDED");
    });
  });

  test("waits for calls under way, and others wait for it to begin", async () => {
    const text = await recorded(
      { clock: "manual" },
      {
        first: async (run) => {
          await run.call("POST", "/customers", person);
          void run.control("POST", "/clock/advance", { by: "20d" });
          void run.call("POST", "/customers", person);
        },
        work: async ({ call }) => {
          await Promise.all([call("POST", "/customers", person), call("GET", "/customers")]);
        },
      },
    );
    expect(await replayed(text)).toEqual({ requests: 2 });
  });

  test("is not held up by a call that only waits", async () => {
    await live({ clock: "manual" }, async ({ url, startRecording }) => {
      const waits = new AbortController();
      const waiting = fetch(`${url}/_sim/webhooks/wait?type=TEST&timeoutMs=60000`, {
        signal: waits.signal,
      }).catch(() => {});
      const recording = await startRecording();
      await recording.end();
      waits.abort();
      await waiting;
    });
  });

  test("ends with the simulator, whole", async () => {
    const text = await live({}, async ({ sim, call, startRecording }) => {
      const recording = await startRecording();
      await call("POST", "/customers", person);
      await sim.close();
      return recording.text;
    });
    expect(readCapsule(text, "run.capsule").cutAfter).toBeUndefined();
    expect(await replayed(text)).toEqual({ requests: 1 });
  });

  test("ends when its reader is gone, and another can begin", async () => {
    await live({}, async ({ url, call, startRecording }) => {
      const reader = new AbortController();
      const { signal } = reader;
      const first = await fetch(`${url}/_sim/capsule`, { method: "POST", signal, ...json({}) });
      expect(first.status).toBe(200);
      reader.abort();
      let recording: Awaited<ReturnType<LiveRun["startRecording"]>> | undefined;
      while (!recording) recording = await startRecording().catch(() => undefined);
      await call("POST", "/customers", person);
      expect(await replayed(await recording.end())).toEqual({ requests: 1 });
    });
  });

  test("names a planted difference at its request", async () => {
    const text = await recorded(
      { clock: "manual", now: "2026-01-05T09:00:00Z" },
      {
        first: before,
        work: async ({ call }) => {
          await call("GET", "/customers");
          await call("POST", "/customers", person);
        },
      },
    );
    const planted = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))))
      .map((line) =>
        line.method === "POST" && line.t === "request"
          ? { ...line, reply: { ...line.reply, status: 409 } }
          : line,
      )
      .map(encodeLine)
      .join("");
    expect((await replayed(planted)).divergence).toMatchObject({
      where: "status",
      recorded: "409",
      found: "201",
      request: expect.stringMatching(/^req-1-\d+ \(entry \d+\)$/),
      asks: "POST /2025-10-13/customers",
      instant: "2026-01-05T09:00:00.000Z",
    });
  });
});

// spec/capsules.md#secrets
describe("secrets of a simulator that runs", () => {
  const secret = "k7Qp-mine-0042-secret";
  const other = "zz91-other-world-secret";

  const work = async ({ url, call, control, sim }: LiveRun) => {
    await control("POST", "/worlds", { name: "third" });
    await control("POST", "/webhooks/keys/rotate");
    await call("GET", "/customers", undefined, "sandbox+third");
    const authorization = `Basic ${btoa(`bob:${other}`)}`;
    const path = new URL(sim.apiUrl).pathname;
    const answer = await fetch(`${url}${path}/customers`, { headers: { authorization } });
    expect(answer.status).toBe(200);
  };
  const first = async ({ control }: LiveRun) => {
    await control("POST", "/worlds", { name: "b", clientId: "bob", clientSecret: other });
    await control("POST", "/webhooks/keys/rotate");
  };

  test("are not in the file, and every check has its verdict", async () => {
    const text = await recorded({ clientSecret: secret }, { first, work });
    for (const hidden of [secret, other, btoa(`bob:${other}`)]) expect(text).not.toContain(hidden);
    expect(await replayed(text)).toEqual({ requests: 4 });
  });

  test("webhook keys are others in the file", async () => {
    const { text, keys } = await live({}, async (run) => {
      await first(run);
      const recording = await run.startRecording();
      await work(run);
      const { current, retired } = await run.control("GET", "/webhooks/keys");
      return { text: await recording.end(), keys: [current, ...retired] };
    });
    for (const { fingerprint } of keys) expect(text).not.toContain(fingerprint);
    expect(await replayed(text)).toEqual({ requests: 5 });
  });

  test("are in it with withSecrets", async () => {
    const text = await live({ clientSecret: secret }, async (run) => {
      await first(run);
      const recording = await run.startRecording({ withSecrets: true });
      await work(run);
      return recording.end();
    });
    expect(text).toContain(secret);
    expect(await replayed(text)).toEqual({ requests: 4 });
  });
});
