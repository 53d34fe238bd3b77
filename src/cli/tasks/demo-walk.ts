import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "../../contract/core/defined.ts";
import { verifyBytes } from "../../crypto/ecdsa.ts";
import { bareSignature } from "../../crypto/webhook-signature.ts";
import { httpServer } from "../../http/sockets/http-server.ts";
import { createSimulator, type LocalSimulator } from "../../simulator.ts";
import { money } from "../../text/layout.ts";
import { asCalled } from "../text/called-as.ts";
import { signatureIn } from "./signature-header.ts";

/** One step of the demo: the call, its result, and whether that was expected. */
export interface DemoStep {
  n: number;
  operation: string;
  says: string;
  status: number;
  shows: string;
  ok: boolean;
  /** The same step as shell lines. */
  curl?: string;
}

export interface DemoReport {
  ok: boolean;
  steps: DemoStep[];
  simulatedMs: number;
  wallMs: number;
  webhooks: { received: number; verified: number; types: string[] };
  arrived: string;
}

/** Events of a successful payout, in the order in which they reach the receiver's payment lane. */
const EXPECTED_PAYMENT_EVENTS = [
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
];
const SIMULATED_MS = 360_000;

/** A webhook receiver that verifies every signature against the raw bytes. */
class VerifyingReceiver {
  readonly types: string[] = [];
  received = 0;
  verified = 0;
  publicPem = "";
  private readonly server: Server = httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const signature = signatureIn(request.headers)?.value ?? "";
      this.received += 1;
      if (verifyBytes(this.publicPem, bytes, bareSignature(signature))) this.verified += 1;
      this.types.push(JSON.parse(bytes.toString("utf8")).type);
      response.end();
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

type Body = ReturnType<typeof JSON.parse>;

interface Expectation {
  operation: string;
  says: string;
  method: string;
  path: string;
  body?: object;
  status: number;
  shows: (body: Body) => string;
  holds?: (body: Body) => boolean;
  /** An id in an answer that later steps use: the shell variable and its path. */
  saves?: { variable: string; member: string; id: (body: Body) => string };
}

/** Walks through the simulator over HTTP and records the result of each step. */
class Walk {
  readonly steps: DemoStep[] = [];
  private readonly sim: LocalSimulator;
  private readonly variables = new Map<string, string>();

  constructor(sim: LocalSimulator) {
    this.sim = sim;
  }

  async step(expected: Expectation): Promise<Body> {
    const { apiUrl, clientId, clientSecret } = this.sim;
    const text = expected.body === undefined ? undefined : JSON.stringify(expected.body);
    const response = await fetch(`${apiUrl}${expected.path}`, {
      method: expected.method,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
        ...(text !== undefined && { "content-type": "application/json" }),
      },
      ...defined({ body: text }),
    });
    const body = await response.json();
    const ok = response.status === expected.status && (expected.holds?.(body) ?? true);
    this.note({
      operation: expected.operation,
      says: expected.says,
      status: response.status,
      shows: ok ? expected.shows(body) : `expected ${expected.status}: ${JSON.stringify(body)}`,
      ok,
      curl: this.curlOf(expected, text),
    });
    const { saves } = expected;
    if (ok && saves) this.variables.set(saves.id(body), saves.variable);
    return body;
  }

  note(step: Omit<DemoStep, "n">) {
    this.steps.push({ n: this.steps.length + 1, ...step });
  }

  /** The call as a shell line; ids of earlier answers appear as their variables. */
  private curlOf({ method, path, saves }: Expectation, text: string | undefined) {
    const named = (words: string, quote: (variable: string) => string) =>
      [...this.variables].reduce((all, [id, name]) => all.replaceAll(id, quote(`$${name}`)), words);
    const call = [
      'curl -s -u "$SERVICE_SIM_CLIENT_ID:$SERVICE_SIM_CLIENT_SECRET"',
      ...(method === "GET" || (method === "POST" && text !== undefined) ? [] : [`-X ${method}`]),
      ...(text === undefined
        ? []
        : [`-H 'content-type: application/json' -d '${named(text, (name) => `'"${name}"'`)}'`]),
      `"$SERVICE_SIM_API_URL${named(path, (name) => name)}"`,
    ].join(" ");
    return saves ? `${saves.variable}=$(${call} | ${idReader(saves.member)})` : call;
  }
}

const idReader = (member: string) =>
  `node -pe 'JSON.parse(require("fs").readFileSync(0))${member}'`;

const tail = (id: unknown) => `…${String(id).slice(-6)}`;

const payee = {
  currency: "EUR",
  accountInfo: {
    accountType: "EUR_ACCOUNT",
    iban: "FR7630006000011234567893003",
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: "Lucie Moreau",
      address: { line1: "4 rue des Lilas", city: "Lyon", postalCode: "69003", country: "FR" },
    },
  },
};

const setUp = async (walk: Walk, hooks: string) => {
  await walk.step({
    operation: "patchConfig",
    says: "PATCH /config, webhooks to its own receiver",
    method: "PATCH",
    path: "/config",
    body: { webhookEndpoint: hooks },
    status: 200,
    shows: ({ webhookEndpoint }) => webhookEndpoint,
  });
  const customer = await walk.step({
    operation: "createCustomer",
    says: "POST /customers",
    method: "POST",
    path: "/customers",
    body: { customerType: "INDIVIDUAL", fullName: "Ada Byron" },
    status: 201,
    shows: ({ id }) => tail(id),
    saves: { variable: "CUSTOMER", member: ".id", id: ({ id }) => id },
  });
  const external = await walk.step({
    operation: "createCustomerExternalAccount",
    says: "POST /customers/external-accounts, IBAN …3003",
    method: "POST",
    path: "/customers/external-accounts",
    body: { customerId: customer.id, ...payee },
    status: 201,
    shows: ({ id }) => tail(id),
    saves: { variable: "PAYEE", member: ".id", id: ({ id }) => id },
  });
  const accounts = await walk.step({
    operation: "listCustomerInternalAccounts",
    says: "GET /customers/internal-accounts, the USD one",
    method: "GET",
    path: `/customers/internal-accounts?customerId=${customer.id}&currency=USD`,
    status: 200,
    shows: ({ data }) => tail(data[0]?.id),
    holds: ({ data }) => data.length === 1,
    saves: { variable: "ACCOUNT", member: ".data[0].id", id: ({ data }) => data[0].id },
  });
  return { externalId: external.id as string, internalId: accounts.data?.[0]?.id as string };
};

const pay = async (walk: Walk, { externalId, internalId }: Awaited<ReturnType<typeof setUp>>) => {
  await walk.step({
    operation: "fundInternalAccount",
    says: `POST /sandbox/internal-accounts/${tail(internalId)}/fund`,
    method: "POST",
    path: `/sandbox/internal-accounts/${internalId}/fund`,
    body: { amount: 250_000 },
    status: 200,
    shows: ({ balance }) => money(balance.amount, balance.currency.code),
  });
  const quote = await walk.step({
    operation: "createQuote",
    says: "POST /quotes, send 250.00 USD",
    method: "POST",
    path: "/quotes",
    body: {
      source: { sourceType: "ACCOUNT", accountId: internalId },
      destination: { destinationType: "ACCOUNT", accountId: externalId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    },
    status: 201,
    shows: (body) =>
      `${money(body.totalReceivingAmount, "EUR")}, fee ${money(body.feesIncluded, "USD")}`,
    holds: (body) => body.totalReceivingAmount === 22_911 && body.feesIncluded === 96,
    saves: { variable: "QUOTE", member: ".id", id: ({ id }) => id },
  });
  await walk.step({
    operation: "executeQuote",
    says: `POST /quotes/${tail(quote.id)}/execute`,
    method: "POST",
    path: `/quotes/${quote.id}/execute`,
    status: 200,
    shows: ({ status }) => status,
    holds: ({ status }) => status === "PROCESSING",
  });
  return quote;
};

/** Starts a simulator in memory and plays a slow payout on it, step by step. */
export const walkDemo = async (): Promise<DemoReport> => {
  const startedMs = performance.now();
  const receiver = new VerifyingReceiver();
  const hooks = await receiver.start();
  const sim = await createSimulator({ clock: "manual", seed: "demo" });
  receiver.publicPem = sim.webhookPublicKey;
  const walk = new Walk(sim);
  try {
    await sim.listen();
    const quote = await pay(walk, await setUp(walk, hooks));
    const advanced = await sim.advance("6m");
    const { firedCount, complete } = advanced;
    walk.note({
      operation: "advance",
      says: asCalled("service-sim advance 6m"),
      status: 200,
      shows: `${firedCount} timer fired`,
      ok: complete && firedCount === 1,
    });
    const settled = await walk.step({
      operation: "getQuote",
      says: `GET /quotes/${tail(quote.id)}`,
      method: "GET",
      path: `/quotes/${quote.id}`,
      status: 200,
      shows: ({ status }) => status,
      holds: ({ status }) => status === "COMPLETED",
    });
    return reportOf({ walk, receiver, settled, wallMs: performance.now() - startedMs });
  } finally {
    await sim.close();
    receiver.stop();
  }
};

const reportOf = ({
  walk,
  receiver,
  settled,
  wallMs,
}: {
  walk: Walk;
  receiver: VerifyingReceiver;
  settled: Body;
  wallMs: number;
}): DemoReport => {
  const { received, verified, types } = receiver;
  const payments = types.filter((type) => type.startsWith("OUTGOING_PAYMENT"));
  const inOrder = payments.join() === EXPECTED_PAYMENT_EVENTS.join();
  return {
    ok: walk.steps.every(({ ok }) => ok) && inOrder && received === verified,
    steps: walk.steps,
    simulatedMs: SIMULATED_MS,
    wallMs: Math.round(wallMs),
    webhooks: { received, verified, types },
    arrived: money(settled.totalReceivingAmount ?? 0, "EUR"),
  };
};
