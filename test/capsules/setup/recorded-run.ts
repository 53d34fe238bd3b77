import { Recorder } from "../../../src/capsules/recorder.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../../src/simulator.ts";
import { withBoundary } from "../../../src/worlds/boundary.ts";
import { Receiver } from "../../setup/receiver.ts";
import type { Parsed } from "../../setup/test-simulator.ts";

/** One run over real sockets, with a receiver, that was written down. */
export interface Run {
  sim: Simulator;
  receiver: Receiver;
  call(...asked: [method: string, path: string, body?: unknown, user?: string]): Promise<Parsed>;
  control(method: string, path: string, body?: unknown): Promise<Parsed>;
}

export const answered = async (response: Response) => {
  const text = await response.text();
  return text === "" ? {} : JSON.parse(text);
};

export const json = (body: unknown) =>
  body === undefined
    ? {}
    : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };

/** Records what is done with a simulator; the text of its capsule. */
export const record = async (
  { withSecrets = false, ...options }: SimulatorOptions & { withSecrets?: boolean },
  work: (run: Run) => Promise<void>,
): Promise<string> => {
  const lines: string[] = [];
  const recorder = new Recorder({ options, withSecrets, write: (line) => void lines.push(line) });
  const sim = await createSimulator(withBoundary(options, recorder));
  recorder.opened(sim);
  const { url } = await sim.listen({ port: 0 });
  const receiver = await new Receiver().start();
  const { pathname } = new URL(sim.apiUrl);
  const call: Run["call"] = async (...[method, path, body, user = sim.clientId]) => {
    const { headers, ...init } = json(body);
    const authorization = `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
    const asked = { ...init, method, headers: { ...headers, authorization } };
    return answered(await fetch(url + pathname + path, asked));
  };
  const control: Run["control"] = async (method, path, body) =>
    answered(await fetch(`${url}/_sim${path}`, { method, ...json(body) }));
  try {
    await work({ sim, receiver, call, control });
  } finally {
    await sim.close();
    await receiver.stop();
    recorder.close();
  }
  return lines.join("");
};

/** Payments with several endings, while time continues. */
export const payments = async ({ call, control, receiver }: Run) => {
  await call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const customer = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customer.id}&currency=USD`;
  const { data } = await call("GET", `/customers/internal-accounts?${query}`);
  const accountId = data[0].id;
  await call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000 });
  for (const suffix of ["002", "003", "005", "999"]) {
    const payee = await call("POST", "/customers/external-accounts", {
      customerId: customer.id,
      currency: "MXN",
      accountInfo: {
        accountType: "MXN_ACCOUNT",
        clabeNumber: `646180110400000${suffix}`,
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
      },
    });
    const quote = await call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: payee.id },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    });
    await call("POST", `/quotes/${quote.id}/execute`);
    await control("POST", "/clock/advance", { by: "20s" });
    await call("GET", `/quotes/${quote.id}`);
  }
  await control("POST", "/clock/advance", { by: "10m" });
  await call("GET", "/transactions");
  await call("GET", "/nothing");
};
