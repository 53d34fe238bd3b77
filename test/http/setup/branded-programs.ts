/**
 * The main flows of an integrator against a platform of the brand `acme`, over whichever client a
 * generator made. Types are those of openapi-typescript, so that each client has to agree with them.
 */
export const FLOWS = `
import { createPublicKey, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { components, webhooks } from "./platform.d.ts";

type S = components["schemas"];
/** Generators differ in the form of maps within a quote; the flows read none. */
type Quote = Pick<S["Quote"], "id" | "transactionId" | "rateDetails">;
type Action = Pick<S["AgentAction"], "id" | "status">;
type Signed = { "Acme-Wallet-Signature": string; "Request-Id": string };

/** Calls that the flows need of a client. */
export interface Api {
  patchConfig(body: S["ConfigPatch"]): Promise<S["PlatformConfig"]>;
  createCustomer(body: S["CustomerInput"]): Promise<S["Customer"]>;
  listCustomers(query: { limit: number; cursor?: string }): Promise<S["CustomerPage"]>;
  listInternalAccounts(query: {
    customerId: string;
    currency?: string;
    type?: "EMBEDDED_WALLET";
  }): Promise<S["InternalAccountPage"]>;
  fund(accountId: string, body: S["SandboxFundInput"]): Promise<S["InternalAccount"]>;
  addPayee(body: S["CustomerExternalAccountInput"]): Promise<S["ExternalAccount"]>;
  createQuote(body: S["QuoteInput"]): Promise<Quote>;
  executeQuote(quoteId: string): Promise<unknown>;
  getTransaction(transactionId: string): Promise<Pick<S["Transaction"], "id" | "status">>;
  createCredential(
    body: S["CredentialInput"],
    signed?: Signed,
  ): Promise<S["AuthMethod"] | S["SigningChallenge"]>;
  verifyCredential(id: string, body: S["CredentialProof"]): Promise<S["AuthSession"]>;
  createAgent(body: S["AgentInput"]): Promise<S["CreatedAgent"]>;
  redeem(code: string): Promise<S["RedeemedDeviceCode"]>;
  agentCreateQuote(token: string, body: S["QuoteInput"]): Promise<Quote>;
  agentExecuteQuote(token: string, quoteId: string): Promise<Action>;
  listApprovals(): Promise<{ data: Action[] }>;
  approve(agentId: string, actionId: string): Promise<Action>;
}

type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;
type Completed = Json<webhooks["OUTGOING_PAYMENT.COMPLETED"]["post"]["requestBody"]>;

const told = (event: S["WebhookEvent"]): string => {
  if (event.type !== "OUTGOING_PAYMENT.COMPLETED") return event.type;
  const { data }: Completed = event;
  return \`\${data.sentAmount.amount} \${data.sentAmount.currency.code} sent\`;
};

const key = createPublicKey(process.env.WEBHOOK_KEY ?? "");
const seen: string[] = [];
let forged = 0;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const signature = Buffer.from(String(request.headers["x-acme-signature"]), "base64");
  if (verify("sha256", body, key, signature)) seen.push(told(JSON.parse(body.toString())));
  else forged += 1;
  response.end();
});

const MAGIC = "sandbox-valid-signature";
const CLIENT_KEY =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

const token = (claims: object) =>
  [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".") + ".c2lnbmF0dXJl";

/** Polls until a transaction ends: the clock of the simulator skips while somebody waits. */
const ended = async (api: Api, transactionId: string) => {
  for (let tries = 0; tries < 50; tries += 1) {
    const { status } = await api.getTransaction(transactionId);
    if (status === "COMPLETED" || status === "FAILED") return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return "none";
};

export const runFlows = async (api: Api) => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  await api.patchConfig({ webhookEndpoint: \`http://127.0.0.1:\${port}/\` });

  const customer = await api.createCustomer({ customerType: "INDIVIDUAL", fullName: "Ada Byron" });
  for (const fullName of ["Bo", "Cy"]) await api.createCustomer({ customerType: "INDIVIDUAL", fullName });
  const customerId = customer.id;
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
  const fee: number | undefined = quote.rateDetails?.acmeApiFixedFee;
  await api.executeQuote(quote.id);
  const paid = await ended(api, quote.transactionId);

  const { data: [wallet] } = await api.listInternalAccounts({ customerId, type: "EMBEDDED_WALLET" });
  const walletId = wallet?.id ?? "none";
  const email = await api.createCredential({
    type: "EMAIL_OTP",
    accountId: walletId,
    email: "ada@example.com",
  });
  const session =
    "id" in email &&
    (await api.verifyCredential(email.id, {
      type: "EMAIL_OTP",
      otp: "000000",
      clientPublicKey: CLIENT_KEY,
    }));
  const oauth = {
    type: "OAUTH" as const,
    accountId: walletId,
    oidcToken: token({ iss: "https://accounts.google.com", sub: "1", email: "ada@idp.example" }),
  };
  const asked = await api.createCredential(oauth);
  const added =
    "requestId" in asked &&
    (await api.createCredential(oauth, {
      "Acme-Wallet-Signature": MAGIC,
      "Request-Id": asked.requestId,
    }));

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

  console.log(JSON.stringify({
    walked: new Set(walked).size,
    fee,
    paid,
    signedIn: session && session.id.startsWith("Session:"),
    added: added && "id" in added,
    code: deviceCode.code.slice(0, "ACME-AGENT-".length),
    action: [action.status, waiting.data.map(({ id }) => id).includes(action.id), approved.status],
    seen: [...new Set(seen)].sort(),
    forged,
  }));
  receiver.close();
  receiver.closeAllConnections();
};
`;

/** Types with a thin fetch: openapi-typescript and openapi-fetch. */
export const THIN_FETCH = `
import createClient from "openapi-fetch";
import { type Api, runFlows } from "./flows.ts";
import type { paths } from "./platform.d.ts";

const { API_URL = "", CREDENTIALS = "" } = process.env;
const headers = { authorization: \`Basic \${btoa(CREDENTIALS)}\` };
const client = createClient<paths>({ baseUrl: API_URL, headers });
const by = (token: string) => ({ headers: { authorization: \`Bearer \${token}\` } });

const ok = <Body>({ data, error }: { data?: Body; error?: unknown }): Body => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const api: Api = {
  patchConfig: async (body) => ok(await client.PATCH("/config", { body })),
  createCustomer: async (body) => ok(await client.POST("/customers", { body })),
  listCustomers: async (query) => ok(await client.GET("/customers", { params: { query } })),
  listInternalAccounts: async (query) =>
    ok(await client.GET("/customers/internal-accounts", { params: { query } })),
  fund: async (accountId, body) =>
    ok(await client.POST("/sandbox/internal-accounts/{accountId}/fund", {
      params: { path: { accountId } },
      body,
    })),
  addPayee: async (body) => ok(await client.POST("/customers/external-accounts", { body })),
  createQuote: async (body) => ok(await client.POST("/quotes", { body })),
  executeQuote: async (quoteId) =>
    ok(await client.POST("/quotes/{quoteId}/execute", { params: { path: { quoteId } } })),
  getTransaction: async (transactionId) =>
    ok(await client.GET("/transactions/{transactionId}", { params: { path: { transactionId } } })),
  createCredential: async (body, signed) =>
    ok(await client.POST("/auth/credentials", { body, params: { header: signed ?? {} } })),
  verifyCredential: async (id, body) =>
    ok(await client.POST("/auth/credentials/{id}/verify", { params: { path: { id } }, body })),
  createAgent: async (body) => ok(await client.POST("/agents", { body })),
  redeem: async (code) =>
    ok(await client.POST("/agents/device-codes/{code}/redeem", { params: { path: { code } } })),
  agentCreateQuote: async (token, body) =>
    ok(await client.POST("/agents/me/quotes", { body, ...by(token) })),
  agentExecuteQuote: async (token, quoteId) =>
    ok(await client.POST("/agents/me/quotes/{quoteId}/execute", {
      params: { path: { quoteId } },
      ...by(token),
    })),
  listApprovals: async () => ok(await client.GET("/agents/approvals")),
  approve: async (agentId, actionId) =>
    ok(await client.POST("/agents/{agentId}/actions/{actionId}/approve", {
      params: { path: { agentId, actionId } },
    })),
};
await runFlows(api);
`;

/** A whole SDK: @hey-api/openapi-ts. */
export const WHOLE_SDK = `
import { type Api, runFlows } from "./flows.ts";
import { client } from "./sdk/client.gen";
import * as sdk from "./sdk/sdk.gen";

const { API_URL = "", CREDENTIALS = "" } = process.env;
client.setConfig({ baseUrl: API_URL, auth: CREDENTIALS });
const throwOnError = true;

const api: Api = {
  patchConfig: async (body) => (await sdk.patchConfig({ body, throwOnError })).data,
  createCustomer: async (body) => (await sdk.createCustomer({ body, throwOnError })).data,
  listCustomers: async (query) => (await sdk.listCustomers({ query, throwOnError })).data,
  listInternalAccounts: async (query) =>
    (await sdk.listCustomerInternalAccounts({ query, throwOnError })).data,
  fund: async (accountId, body) =>
    (await sdk.fundInternalAccount({ path: { accountId }, body, throwOnError })).data,
  addPayee: async (body) => (await sdk.createCustomerExternalAccount({ body, throwOnError })).data,
  createQuote: async (body) => (await sdk.createQuote({ body, throwOnError })).data,
  executeQuote: async (quoteId) => (await sdk.executeQuote({ path: { quoteId }, throwOnError })).data,
  getTransaction: async (transactionId) =>
    (await sdk.getTransaction({ path: { transactionId }, throwOnError })).data,
  createCredential: async (body, signed) =>
    (await sdk.createCredential({ body, ...(signed && { headers: signed }), throwOnError })).data,
  verifyCredential: async (id, body) =>
    (await sdk.verifyCredential({ path: { id }, body, throwOnError })).data,
  createAgent: async (body) => (await sdk.createAgent({ body, throwOnError })).data,
  redeem: async (code) => (await sdk.redeemDeviceCode({ path: { code }, throwOnError })).data,
  agentCreateQuote: async (auth, body) =>
    (await sdk.agentCreateQuote({ body, auth, throwOnError })).data,
  agentExecuteQuote: async (auth, quoteId) =>
    (await sdk.agentExecuteQuote({ path: { quoteId }, auth, throwOnError })).data,
  listApprovals: async () => (await sdk.listAgentApprovals({ throwOnError })).data,
  approve: async (agentId, actionId) =>
    (await sdk.approveAgentAction({ path: { agentId, actionId }, throwOnError })).data,
};
await runFlows(api);
`;

/** A client of one file that needs nothing of Node.js: swagger-typescript-api. */
export const WITHOUT_NODE = `
import { type Api as Flows, runFlows } from "./flows.ts";
import { Api } from "./one-file.ts";

const { API_URL = "", CREDENTIALS = "" } = process.env;
const by = (authorization: string) => ({ headers: { authorization } });
const client = new Api({ baseUrl: API_URL, baseApiParams: by(\`Basic \${btoa(CREDENTIALS)}\`) });
const asAgent = (token: string) => by(\`Bearer \${token}\`);

const api: Flows = {
  patchConfig: async (body) => (await client.config.patchConfig(body)).data,
  createCustomer: async (body) => (await client.customers.createCustomer(body)).data,
  listCustomers: async (query) => (await client.customers.listCustomers(query)).data,
  listInternalAccounts: async (query) =>
    (await client.customers.listCustomerInternalAccounts(query)).data,
  fund: async (accountId, body) => (await client.sandbox.fundInternalAccount(accountId, body)).data,
  addPayee: async (body) => (await client.customers.createCustomerExternalAccount(body)).data,
  createQuote: async (body) => (await client.quotes.createQuote(body)).data,
  executeQuote: async (quoteId) => (await client.quotes.executeQuote(quoteId)).data,
  getTransaction: async (transactionId) => (await client.transactions.getTransaction(transactionId)).data,
  createCredential: async (body, signed) =>
    (await client.auth.createCredential(body, signed && { headers: { ...signed } })).data,
  verifyCredential: async (id, body) => (await client.auth.verifyCredential(id, body)).data,
  createAgent: async (body) => (await client.agents.createAgent(body)).data,
  redeem: async (code) => (await client.agents.redeemDeviceCode(code)).data,
  agentCreateQuote: async (token, body) =>
    (await client.agents.agentCreateQuote(body, asAgent(token))).data,
  agentExecuteQuote: async (token, quoteId) =>
    (await client.agents.agentExecuteQuote(quoteId, asAgent(token))).data,
  listApprovals: async () => (await client.agents.listAgentApprovals()).data,
  approve: async (agentId, actionId) =>
    (await client.agents.approveAgentAction(agentId, actionId)).data,
};
await runFlows(api);
`;
