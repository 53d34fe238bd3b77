/**
 * A program on the clients that a generator made: it pays, moves the clock and takes the webhooks,
 * told apart by their type. It prints what it saw. The lines that must not compile say so.
 */
export const CLIENT_PROGRAM = `
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { client as control } from "./control/client.gen";
import { advance } from "./control/sdk.gen";
import type { QuoteInput, WebhookEvent } from "./platform/types.gen";
import { client as platform } from "./platform/client.gen";
import {
  createCustomer, createCustomerExternalAccount, createQuote, executeQuote, fundInternalAccount,
  listCustomerInternalAccounts, patchConfig,
} from "./platform/sdk.gen";

const { API_URL = "", CONTROL_URL = "", CREDENTIALS = "" } = process.env;
platform.setConfig({ baseUrl: API_URL, auth: CREDENTIALS });
control.setConfig({ baseUrl: CONTROL_URL });

const told = (event: WebhookEvent): string => {
  switch (event.type) {
    case "OUTGOING_PAYMENT.COMPLETED":
      return \`\${event.data.sentAmount.amount} \${event.data.sentAmount.currency.code} sent\`;
    case "card.state_change":
    case "CARD.STATE_CHANGE":
      return event.data.state;
    case "CUSTOMER.KYC_APPROVED":
      // @ts-expect-error a customer has no amount
      return event.data.sentAmount;
    default:
      return event.type;
  }
};

const seen: string[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  seen.push(told(JSON.parse(Buffer.concat(chunks).toString()) as WebhookEvent));
  response.end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const { port } = receiver.address() as AddressInfo;

const throwOnError = true;
await patchConfig({ body: { webhookEndpoint: \`http://127.0.0.1:\${port}/\` }, throwOnError });
const { data: customer } = await createCustomer({
  body: { customerType: "INDIVIDUAL", fullName: "Ada Byron" },
  throwOnError,
});
const { data: accounts } = await listCustomerInternalAccounts({
  query: { customerId: customer.id, currency: "USD" },
  throwOnError,
});
const accountId = accounts.data[0]?.id ?? "none";
await fundInternalAccount({ path: { accountId }, body: { amount: 1_000_000 }, throwOnError });
const { data: payee } = await createCustomerExternalAccount({
  body: {
    customerId: customer.id,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000003",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  },
  throwOnError,
});
// @ts-expect-error an ACCOUNT as the source needs an accountId
export const wrong: QuoteInput["source"] = { sourceType: "ACCOUNT" };
const { data: quote } = await createQuote({
  body: {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  },
  throwOnError,
});
await executeQuote({ path: { quoteId: quote.id }, throwOnError });
const { data: report } = await advance({ body: { by: "6m" }, throwOnError });
const refused = await executeQuote({ path: { quoteId: quote.id } });
console.log(JSON.stringify({
  source: quote.source.sourceType === "ACCOUNT" && quote.source.accountId === accountId,
  fired: report.fired.map(({ timer }) => timer),
  refused: refused.error && "code" in refused.error && refused.error.code,
  seen,
}));
receiver.close();
`;

/** The same on types alone, with nothing but \`fetch\`. */
export const TYPES_PROGRAM = `
import type { components as Control } from "./control.d.ts";
import type { components, paths, webhooks } from "./platform.d.ts";

type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;
type Operation = paths["/customers"]["post"];
type Input = Json<NonNullable<Operation["requestBody"]>>;
type Customer = Json<Operation["responses"][201]>;
type Failed = Json<Operation["responses"][400]>;
type WebhookEvent = components["schemas"]["WebhookEvent"];
type Completed = Json<webhooks["OUTGOING_PAYMENT.COMPLETED"]["post"]["requestBody"]>;

const body: Input = { customerType: "BUSINESS", businessInfo: {
  legalName: "Analytical Engines", taxId: "12-3456789", incorporatedOn: "2020-02-29" } };
// @ts-expect-error only people have a birth date
export const wrong: Input = { customerType: "BUSINESS", birthDate: "1815-12-10" };

const { API_URL = "", CONTROL_URL = "", CREDENTIALS = "" } = process.env;
const reply = await fetch(\`\${API_URL}/customers\`, {
  method: "POST",
  headers: { "content-type": "application/json", authorization: \`Basic \${btoa(CREDENTIALS)}\` },
  body: JSON.stringify(body),
});
const customer = (await reply.json()) as Customer | Failed;
const clock = (await (await fetch(\`\${CONTROL_URL}/clock\`)).json()) as Control["schemas"]["Clock"];

export const amountOf = (event: WebhookEvent): number =>
  event.type === "OUTGOING_PAYMENT.COMPLETED" ? event.data.sentAmount.amount : 0;
export const same = (event: Completed): WebhookEvent => event;

console.log(JSON.stringify({
  name: "code" in customer ? customer.code : customer.businessInfo?.legalName,
  mode: clock.mode,
}));
`;
