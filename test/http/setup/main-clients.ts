import {
  type ClientFolder,
  HEY_API,
  NODE,
  OPENAPI_TYPESCRIPT,
  SWAGGER_TYPESCRIPT,
} from "./generators.ts";

/** Types with a thin fetch: openapi-typescript and openapi-fetch. */
const THIN_MAIN = `
import createClient from "openapi-fetch";
import type { MainApi } from "./main-flows.ts";
import type { paths } from "./platform.d.ts";

const { API_URL = "", CREDENTIALS = "" } = process.env;
const headers = { authorization: \`Basic \${btoa(CREDENTIALS)}\` };
export const client = createClient<paths>({ baseUrl: API_URL, headers });
const by = (token: string) => ({ headers: { authorization: \`Bearer \${token}\` } });

export const ok = <Body>({ data, error }: { data?: Body; error?: unknown }): Body => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

export const main: MainApi = {
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
`;

/** A whole SDK: @hey-api/openapi-ts. */
const SDK_MAIN = `
import type { MainApi } from "./main-flows.ts";
import { client } from "./sdk/client.gen";
import * as sdk from "./sdk/sdk.gen";

const { API_URL = "", CREDENTIALS = "" } = process.env;
client.setConfig({ baseUrl: API_URL, auth: CREDENTIALS });
export const throwOnError = true;

export const main: MainApi = {
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
`;

/** A client of one file that needs nothing of Node.js: swagger-typescript-api. */
const ONE_FILE_MAIN = `
import type { MainApi } from "./main-flows.ts";
import { Api } from "./one-file.ts";

const { API_URL = "", CREDENTIALS = "" } = process.env;
const by = (authorization: string) => ({ headers: { authorization } });
export const client = new Api({ baseUrl: API_URL, baseApiParams: by(\`Basic \${btoa(CREDENTIALS)}\`) });
const asAgent = (token: string) => by(\`Bearer \${token}\`);

export const main: MainApi = {
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
`;

const ONE_FILE = ["generate", "--generate-union-enums", "-p", "platform.json", "-o", "."];

/** Clients that generators make of `platform.json`, each with its calls of the main flows. */
export const CLIENTS = [
  { client: "thin", calls: THIN_MAIN, make: [] },
  {
    client: "sdk",
    calls: SDK_MAIN,
    make: [HEY_API, "--input", "platform.json", "--output", "sdk", "--no-log-file"],
  },
  {
    client: "one-file",
    calls: ONE_FILE_MAIN,
    make: [SWAGGER_TYPESCRIPT, ...ONE_FILE, "-n", "one-file.ts"],
  },
] as const;

/** Programs for each client, by the client's name. */
export type Programs = Record<(typeof CLIENTS)[number]["client"], string>;

/**
 * Makes every client of a simulator's document, and compiles programs on them: the program of the
 * client `thin` and the name `wallet` is `thin-wallet.ts`.
 * @param modules what the programs import, by file
 */
export const makeClients = async (
  folder: ClientFolder,
  document: string,
  [modules, programs]: [Record<string, string>, Record<string, Programs>],
) => {
  folder.write("platform.json", document);
  folder.link("openapi-fetch", "openapi-typescript-helpers");
  await folder.run(OPENAPI_TYPESCRIPT, "platform.json", "--output", "platform.d.ts");
  const files = Object.entries(modules);
  for (const { client, calls, make } of CLIENTS) {
    if (make.length > 0) await folder.run(...make);
    files.push([`${client}-main.ts`, calls]);
    for (const [name, texts] of Object.entries(programs))
      files.push([`${client}-${name}.ts`, texts[client]]);
  }
  for (const [name, text] of files) folder.write(name, text);
  const names = files.map(([name]) => name);
  await folder.compile(names, { ...NODE, skipLibCheck: true });
};
