import { expect, onTestFinished, test } from "vitest";
import { Recorder } from "../../src/capsules/recorder.ts";
import {
  createSimulator,
  type LocalSimulator,
  type SimulatorOptions,
} from "../../src/simulator.ts";
import { withBoundary } from "../../src/worlds/boundary.ts";
import { replayed } from "./setup/live-run.ts";

const person = { customerType: "INDIVIDUAL" } as const;

/** Records what a program does with a simulator in its own process. */
const inProcess = async (
  work: (sim: LocalSimulator) => Promise<unknown>,
  more: SimulatorOptions = {},
) => {
  const lines: string[] = [];
  const options = { seed: "7", clock: "manual", ...more } as const;
  const write = (line: string) => void lines.push(line);
  const recorder = new Recorder({ options, withSecrets: false, write });
  const sim = await createSimulator(withBoundary(options, recorder));
  onTestFinished(() => sim.close());
  recorder.opened(sim);
  await work(sim);
  recorder.close();
  return lines.join("");
};

// spec/capsules.md#recording
test.each<{ act: string; work(sim: LocalSimulator): Promise<unknown> }>([
  {
    act: "fork",
    work: async (sim) => {
      const fork = await sim.fork();
      await fork.call.createCustomer({ body: person });
      await fork.advance("1h");
    },
  },
  { act: "reset", work: (sim) => sim.reset() },
  {
    act: "snapshot and restore",
    work: async (sim) => {
      await sim.snapshot("early");
      await sim.call.createCustomer({ body: person });
      await sim.restore("early");
    },
  },
  {
    act: "rewind",
    work: async (sim) => {
      await sim.advance("1h");
      await sim.call.createCustomer({ body: person });
      await sim.rewind({ by: "30m" });
    },
  },
])("$act in process is repeated", async ({ work }) => {
  const text = await inProcess(async (sim) => {
    await sim.call.createCustomer({ body: person });
    await work(sim);
    await sim.call.createCustomer({ body: person });
    await sim.call.listCustomers();
  });
  const { divergence, requests } = await replayed(text);
  expect(divergence).toBeUndefined();
  expect(requests).toBeGreaterThan(3);
});

const clientPublicKey =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

// spec/capsules.md#secrets
test.each(["start", "later"])("random codes chosen at %s are repeated", async (chosen) => {
  const atStart = chosen === "start" ? { codes: "random" } : {};
  const signIn = async (sim: LocalSimulator) => {
    const headers = {
      authorization: `Bearer ${sim.controlToken}`,
      "content-type": "application/json",
    };
    const control = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await sim.fetch(new Request(sim.controlUrl + path, init))).json();
    };
    if (chosen === "later") await control("PUT", "/inbox/codes", { codes: "random" });
    const customer = await sim.call.createCustomer({ body: person });
    const accounts = await sim.call.listCustomerInternalAccounts({
      query: { customerId: customer.id, type: "EMBEDDED_WALLET" },
    } as never);
    const accountId = (accounts as { data: { id: string }[] }).data[0]?.id as string;
    const credential = await sim.call.createCredential({
      body: { type: "EMAIL_OTP", accountId, email: "ada@example.com" },
    } as never);
    const { data } = await control("GET", "/inbox");
    await sim.call.verifyCredential({
      params: { id: (credential as { id: string }).id },
      body: { type: "EMAIL_OTP", otp: data[0].code, clientPublicKey },
    } as never);
    await control("POST", "/webhooks/keys/rotate");
  };
  const text = await inProcess(signIn, atStart);
  expect(await replayed(text)).toEqual({ requests: chosen === "later" ? 7 : 6 });
});
