/**
 * Flows of an integrator that are the same in each revision, over whichever client a generator made.
 * Types are those of openapi-typescript, so that each client has to agree with them.
 * @param word the brand's word, as members and headers have it
 */
export const mainFlows = (word: string) => `
import { createPublicKey, verify } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { components, webhooks } from "./platform.d.ts";

type S = components["schemas"];
/** Generators differ in the form of maps within a quote; the flows read none. */
type Quote = Pick<S["Quote"], "id" | "transactionId" | "rateDetails">;
type Action = Pick<S["AgentAction"], "id" | "status">;

/** Calls that the flows need of a client. */
export interface MainApi {
  patchConfig(body: S["ConfigPatch"]): Promise<Pick<S["PlatformConfig"], "id" | "webhookEndpoint">>;
  createCustomer(body: S["CustomerInput"]): Promise<Pick<S["Customer"], "id">>;
  listCustomers(query: { limit: number; cursor?: string }): Promise<{
    data: Pick<S["Customer"], "id">[];
    hasMore: boolean;
    nextCursor?: string;
  }>;
  listInternalAccounts(query: {
    customerId: string;
    currency?: string;
    type?: "EMBEDDED_WALLET";
  }): Promise<{ data: Pick<S["InternalAccount"], "id" | "balance">[] }>;
  fund(accountId: string, body: S["SandboxFundInput"]): Promise<Pick<S["InternalAccount"], "id">>;
  addPayee(body: S["CustomerExternalAccountInput"]): Promise<Pick<S["ExternalAccount"], "id" | "status">>;
  createQuote(body: S["QuoteInput"]): Promise<Quote>;
  executeQuote(quoteId: string): Promise<unknown>;
  getTransaction(transactionId: string): Promise<Pick<S["Transaction"], "id" | "status">>;
  createAgent(body: S["AgentInput"]): Promise<S["CreatedAgent"]>;
  redeem(code: string): Promise<S["RedeemedDeviceCode"]>;
  agentCreateQuote(token: string, body: S["QuoteInput"]): Promise<Quote>;
  agentExecuteQuote(token: string, quoteId: string): Promise<Action>;
  listApprovals(): Promise<{ data: Action[] }>;
  approve(agentId: string, actionId: string): Promise<Action>;
}

/** Every call with its answer, and every webhook: a test judges them. */
const traffic: object[] = [];
const plain = globalThis.fetch;
const parsed = (text: string) => (text === "" ? undefined : JSON.parse(text));
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const sent = request.clone().text();
  const reply = await plain(request);
  const path = request.url.slice((process.env.API_URL ?? "").length);
  const requestBody = parsed(await sent);
  const responseBody = parsed(await reply.clone().text());
  const call = { kind: "call", method: request.method, path, status: reply.status };
  traffic.push({ ...call, requestBody, responseBody });
  return reply;
};

type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;
type Completed = Json<webhooks["OUTGOING_PAYMENT.COMPLETED"]["post"]["requestBody"]>;
type Told = (event: S["WebhookEvent"]) => string;

const told: Told = (event) => {
  if (event.type !== "OUTGOING_PAYMENT.COMPLETED") return event.type;
  const { data }: Completed = event;
  return \`\${data.sentAmount.amount} \${data.sentAmount.currency.code} sent\`;
};

/** Signed webhooks in words; \`forged\` counts those whose signature is wrong. */
export const startReceiver = async (alsoTold: Told = told) => {
  const key = createPublicKey(process.env.WEBHOOK_KEY ?? "");
  const seen = new Set<string>();
  let forged = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const signature = Buffer.from(String(request.headers["x-${word}-signature"]), "base64");
    if (!verify("sha256", body, key, signature)) forged += 1;
    const event = JSON.parse(body.toString()) as S["WebhookEvent"];
    traffic.push({ kind: "webhook", body: event });
    for (const one of [told, alsoTold]) seen.add(one(event));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: \`http://127.0.0.1:\${port}/\`,
    stop: () => {
      server.close();
      server.closeAllConnections();
      writeFileSync(process.env.TRAFFIC ?? "traffic.json", JSON.stringify(traffic));
      return { seen: [...seen].sort(), forged };
    },
  };
};

/** Polls until something is so: the clock of the simulator skips while somebody waits. */
export const until = async (read: () => Promise<boolean>) => {
  for (let tries = 0; tries < 50; tries += 1) {
    if (await read()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

/** The state in which a transaction ends. */
export const ended = async (api: MainApi, transactionId: string) => {
  let last = "none";
  await until(async () => {
    const { status } = await api.getTransaction(transactionId);
    last = status;
    return status === "COMPLETED" || status === "FAILED";
  });
  return last;
};

/** Pages of customers, a payout by quote, and one of an agent that a person approves. */
export const runMainFlows = async (api: MainApi) => {
  const { id: customerId } = await api.createCustomer({ customerType: "INDIVIDUAL", fullName: "Ada Byron" });
  for (const fullName of ["Bo", "Cy"]) await api.createCustomer({ customerType: "INDIVIDUAL", fullName });
  const walked: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await api.listCustomers({ limit: 2, ...(cursor !== undefined && { cursor }) });
    walked.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    if (!page.hasMore) break;
  }

  const { data: [account] } = await api.listInternalAccounts({ customerId, currency: "USD" });
  const accountId = account?.id ?? "none";
  await api.fund(accountId, { amount: 1_000_000 });
  const payee = await api.addPayee({
    customerId,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000003",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  });
  const input: S["QuoteInput"] = {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  };
  const quote = await api.createQuote(input);
  const fee: number | undefined = quote.rateDetails?.${word}ApiFixedFee;
  await api.executeQuote(quote.id);
  const paid = await ended(api, quote.transactionId);

  const { agent, deviceCode } = await api.createAgent({
    name: "Invoice bot",
    customerId,
    policy: {
      permissions: ["CREATE_QUOTES", "EXECUTE_QUOTES"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
    },
  });
  const { accessToken } = await api.redeem(deviceCode.code);
  const spending = await api.agentCreateQuote(accessToken, input);
  const action = await api.agentExecuteQuote(accessToken, spending.id);
  const waiting = await api.listApprovals();
  const approved = await api.approve(agent.id, action.id);
  await ended(api, spending.transactionId);

  return {
    customerId,
    accountId,
    transactionId: quote.transactionId,
    main: {
      walked: new Set(walked).size,
      fee,
      paid,
      code: deviceCode.code.slice(0, "${word.toUpperCase()}-AGENT-".length),
      action: [action.status, waiting.data.map(({ id }) => id).includes(action.id), approved.status],
    },
  };
};
`;
