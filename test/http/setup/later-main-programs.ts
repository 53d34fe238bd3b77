import type { Programs } from "./main-clients.ts";

/**
 * Further flows of integrators in revision 2026-08: transfers and their ends, cards,
 * a business, accounts with the members that this revision requires.
 */
export const LATER_MAIN_FLOWS = `
import { ended, type MainApi, runMainFlows, startReceiver, until } from "./main-flows.ts";
import type { components } from "./platform.d.ts";

type S = components["schemas"];
/** Generators differ in the form of maps; the flows read none. */
type Maps = "counterpartyInformation";
type Row =
  | Omit<S["IncomingTransaction"], Maps>
  | Omit<S["OutgoingTransaction"], Maps>
  | S["CardTransaction"];

/** Calls that the flows need of a client. */
export interface Api extends MainApi {
  transferIn(body: S["TransferInput"]): Promise<Pick<S["Transaction"], "id" | "direction">>;
  transferOut(body: S["TransferOutInput"]): Promise<Pick<S["Transaction"], "id" | "direction">>;
  cancel(transactionId: string, body: S["CancelTransactionInput"]): Promise<Row>;
  confirm(transactionId: string): Promise<Row>;
  listTransactions(query: { customerId: string; limit: number }): Promise<{ data: Row[] }>;
  createCard(body: S["CardInput"]): Promise<S["Card"]>;
  getCard(cardId: string): Promise<S["Card"]>;
  patchCard(cardId: string, body: S["CardPatch"]): Promise<S["Card"]>;
  revealCard(cardId: string): Promise<S["CardReveal"]>;
  authorize(cardId: string, body: S["CardAuthorizationInput"]): Promise<S["CardSimulation"]>;
  clear(cardId: string, body: S["CardClearingInput"]): Promise<S["CardSimulation"]>;
  giveBack(cardId: string, body: S["CardReturnInput"]): Promise<S["CardSimulation"]>;
  raise(cardId: string, body: S["CardAuthorizationAdviceInput"]): Promise<S["CardSimulation"]>;
  verify(body: S["VerificationInput"]): Promise<Pick<S["Verification"], "verificationStatus">>;
  getCustomer(customerId: string): Promise<Pick<S["Customer"], "kybStatus" | "businessInfo">>;
}

/** A transaction of a card in words: its type tells it from payments. */
const told = (event: S["WebhookEvent"]): string =>
  event.type === "CARD_TRANSACTION.SETTLED" || event.type === "CARD_TRANSACTION.REFUNDED"
    ? \`\${event.data.type} \${event.data.direction} \${event.data.settledAmount?.amount} \${event.data.status}\`
    : event.type;

const transfers = async (api: Api, [customerId, accountId]: [string, string]) => {
  const bank = (accountNumber: string) =>
    api.addPayee({
      customerId,
      currency: "USD",
      ownershipType: "FIRST_PARTY",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
      },
    });
  const [quick, slow] = [await bank("000123999"), await bank("000123005")];
  const incoming = await api.transferIn({
    source: { accountId: quick.id },
    destination: { accountId },
    amount: 500,
  });
  const outgoing = await api.transferOut({
    source: { accountId },
    destination: { accountId: quick.id, paymentRail: "WIRE" },
    amount: 700,
    remittanceInformation: "invoice 7",
  });
  const moved = [];
  for (const { id, direction } of [incoming, outgoing])
    moved.push([direction, await ended(api, id)]);
  const late = await api.transferOut({
    source: { accountId },
    destination: { accountId: slow.id },
    amount: 900,
  });
  const canceled = await api.cancel(late.id, { reason: "typo" });
  const confirmed = await api.confirm(outgoing.id);
  return {
    moved,
    canceled: canceled.type === "OUTGOING" && [canceled.status, canceled.failureReason, canceled.refund?.reason],
    confirmed: confirmed.type === "OUTGOING" && typeof confirmed.receiptDeliveryConfirmedAt,
  };
};

const cards = async (api: Api, [cardholderId, accountId]: [string, string]) => {
  const card = await api.createCard({
    cardholderId,
    form: "VIRTUAL",
    fundingSources: [accountId],
    maxSpendPerTransaction: 5_000,
  });
  await until(async () => (await api.getCard(card.id)).state === "ACTIVE");
  const { maxSpendPerTransaction } = await api.patchCard(card.id, { maxSpendPerTransaction: 3_000 });
  const { panEmbedUrl, expiresAt } = await api.revealCard(card.id);
  const merchant = { descriptor: "NORTH PIER BOOKS" };
  const buy = (amount: number) =>
    api.authorize(card.id, { amount, currency: { code: "USD" }, merchant });
  const bought = await buy(2_000);
  const tooMuch = await buy(3_001);
  const listed = async () =>
    (await api.listTransactions({ customerId: cardholderId, limit: 100 })).data.flatMap((one) =>
      one.type === "CARD" ? [one] : [],
    );
  const found = (await listed()).find(
    (one) => one.issuerTransactionToken === bought.issuerTransactionToken,
  );
  const cardTransactionId = found?.id ?? "none";
  await api.raise(card.id, { cardTransactionId, amount: 2_500 });
  await api.clear(card.id, { cardTransactionId, amount: 2_500 });
  await api.giveBack(card.id, { cardTransactionId, amount: 2_500 });
  const rows = await listed();
  const statusOf = ({ issuerTransactionToken }: S["CardSimulation"]) =>
    rows.find((one) => one.issuerTransactionToken === issuerTransactionToken)?.status;
  return {
    card: [card.state, maxSpendPerTransaction, panEmbedUrl.length > 0, expiresAt > card.createdAt],
    purchases: [statusOf(bought), statusOf(tooMuch)],
  };
};

const business = async (api: Api) => {
  const businessInfo = { legalName: "Analytical Engines", taxId: "12-3456789", incorporatedOn: "2020-02-29" };
  // @ts-expect-error a business needs its country
  const wrong: S["CustomerInput"] = { customerType: "BUSINESS", businessInfo };
  const refused = await api.createCustomer(wrong).then(
    () => "taken",
    () => "refused",
  );
  const { id: customerId } = await api.createCustomer({
    customerType: "BUSINESS",
    businessInfo: { ...businessInfo, country: "US", registrationNumber: "55417" },
  });
  const { verificationStatus } = await api.verify({ customerId });
  const { kybStatus, businessInfo: kept } = await api.getCustomer(customerId);
  return { business: [refused, verificationStatus, kybStatus, kept?.country] };
};

const accounts = async (api: Api, customerId: string) => {
  const person = { beneficiaryType: "INDIVIDUAL" as const, fullName: "Ana Flores" };
  const euros = (beneficiary: typeof person & { countryOfResidence: string }) =>
    api.addPayee({
      customerId,
      currency: "EUR",
      accountInfo: { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013000", beneficiary },
    });
  // @ts-expect-error a beneficiary of euros needs a country
  const refused = await euros(person).then(
    () => "taken",
    () => "refused",
  );
  const { status } = await euros({ ...person, countryOfResidence: "DE" });
  const yuan = await api.addPayee({
    customerId,
    currency: "CNY",
    accountInfo: {
      accountType: "CNY_ACCOUNT",
      bankName: "AliPay",
      phoneNumber: "+8613800138000",
      beneficiary: person,
    },
  });
  return { accounts: [refused, status, yuan.status] };
};

export const runLaterMainFlows = async (api: Api) => {
  const receiver = await startReceiver(told);
  await api.patchConfig({ webhookEndpoint: receiver.url });
  const { customerId, accountId, main } = await runMainFlows(api);
  const ids: [string, string] = [customerId, accountId];
  const found = {
    ...main,
    ...(await transfers(api, ids)),
    ...(await cards(api, ids)),
    ...(await business(api)),
    ...(await accounts(api, customerId)),
  };
  const { data } = await api.listTransactions({ customerId, limit: 100 });
  const kinds = data.map((one) => \`\${one.type} \${one.direction}\`);
  // The refund of the canceled transfer is a second later.
  await until(async () => {
    const rows = await api.listTransactions({ customerId, limit: 100 });
    return rows.data.some((one) => one.type === "OUTGOING" && one.refund?.status === "COMPLETED");
  });
  console.log(JSON.stringify({ ...found, kinds: [...new Set(kinds)].sort(), ...receiver.stop() }));
};
`;

const THIN = `
import { type Api, runLaterMainFlows } from "./later-main-flows.ts";
import { client, main, ok } from "./thin-main.ts";

const at = (cardId: string) => ({ path: { cardId } });

const api: Api = {
  ...main,
  transferIn: async (body) => ok(await client.POST("/transfer-in", { body })),
  transferOut: async (body) => ok(await client.POST("/transfer-out", { body })),
  cancel: async (transactionId, body) =>
    ok(await client.POST("/transactions/{transactionId}/cancel", {
      params: { path: { transactionId } },
      body,
    })),
  confirm: async (transactionId) =>
    ok(await client.POST("/transactions/{transactionId}/confirm", {
      params: { path: { transactionId } },
    })),
  listTransactions: async (query) => ok(await client.GET("/transactions", { params: { query } })),
  createCard: async (body) => ok(await client.POST("/cards", { body })),
  getCard: async (cardId) => ok(await client.GET("/cards/{cardId}", { params: at(cardId) })),
  patchCard: async (cardId, body) =>
    ok(await client.PATCH("/cards/{cardId}", { params: at(cardId), body })),
  revealCard: async (cardId) =>
    ok(await client.POST("/cards/{cardId}/reveal", { params: at(cardId) })),
  authorize: async (cardId, body) =>
    ok(await client.POST("/sandbox/cards/{cardId}/simulate/authorization", { params: at(cardId), body })),
  clear: async (cardId, body) =>
    ok(await client.POST("/sandbox/cards/{cardId}/simulate/clearing", { params: at(cardId), body })),
  giveBack: async (cardId, body) =>
    ok(await client.POST("/sandbox/cards/{cardId}/simulate/return", { params: at(cardId), body })),
  raise: async (cardId, body) =>
    ok(await client.POST("/sandbox/cards/{cardId}/simulate/authorization_advice", {
      params: at(cardId),
      body,
    })),
  verify: async (body) => ok(await client.POST("/verifications", { body })),
  getCustomer: async (customerId) =>
    ok(await client.GET("/customers/{customerId}", { params: { path: { customerId } } })),
};
await runLaterMainFlows(api);
`;

const SDK = `
import { type Api, runLaterMainFlows } from "./later-main-flows.ts";
import * as sdk from "./sdk/sdk.gen";
import { main, throwOnError } from "./sdk-main.ts";

const at = (cardId: string) => ({ path: { cardId }, throwOnError }) as const;
const of = (transactionId: string) => ({ path: { transactionId }, throwOnError }) as const;

const api: Api = {
  ...main,
  transferIn: async (body) => (await sdk.transferIn({ body, throwOnError })).data,
  transferOut: async (body) => (await sdk.transferOut({ body, throwOnError })).data,
  cancel: async (id, body) => (await sdk.cancelTransaction({ body, ...of(id) })).data,
  confirm: async (id) => (await sdk.confirmReceiptDelivery(of(id))).data,
  listTransactions: async (query) => (await sdk.listTransactions({ query, throwOnError })).data,
  createCard: async (body) => (await sdk.createCard({ body, throwOnError })).data,
  getCard: async (cardId) => (await sdk.getCard(at(cardId))).data,
  patchCard: async (cardId, body) => (await sdk.patchCard({ body, ...at(cardId) })).data,
  revealCard: async (cardId) => (await sdk.revealCard(at(cardId))).data,
  authorize: async (cardId, body) =>
    (await sdk.simulateCardAuthorization({ body, ...at(cardId) })).data,
  clear: async (cardId, body) => (await sdk.simulateCardClearing({ body, ...at(cardId) })).data,
  giveBack: async (cardId, body) => (await sdk.simulateCardReturn({ body, ...at(cardId) })).data,
  raise: async (cardId, body) =>
    (await sdk.simulateCardAuthorizationAdvice({ body, ...at(cardId) })).data,
  verify: async (body) => (await sdk.createVerification({ body, throwOnError })).data,
  getCustomer: async (customerId) =>
    (await sdk.getCustomer({ path: { customerId }, throwOnError })).data,
};
await runLaterMainFlows(api);
`;

const ONE_FILE = `
import { type Api, runLaterMainFlows } from "./later-main-flows.ts";
import { client, main } from "./one-file-main.ts";

const api: Api = {
  ...main,
  transferIn: async (body) => (await client.transferIn.transferIn(body)).data,
  transferOut: async (body) => (await client.transferOut.transferOut(body)).data,
  cancel: async (id, body) => (await client.transactions.cancelTransaction(id, body)).data,
  confirm: async (id) => (await client.transactions.confirmReceiptDelivery(id)).data,
  listTransactions: async (query) => (await client.transactions.listTransactions(query)).data,
  createCard: async (body) => (await client.cards.createCard(body)).data,
  getCard: async (cardId) => (await client.cards.getCard(cardId)).data,
  patchCard: async (cardId, body) => (await client.cards.patchCard(cardId, body)).data,
  revealCard: async (cardId) => (await client.cards.revealCard(cardId)).data,
  authorize: async (cardId, body) =>
    (await client.sandbox.simulateCardAuthorization(cardId, body)).data,
  clear: async (cardId, body) => (await client.sandbox.simulateCardClearing(cardId, body)).data,
  giveBack: async (cardId, body) => (await client.sandbox.simulateCardReturn(cardId, body)).data,
  raise: async (cardId, body) =>
    (await client.sandbox.simulateCardAuthorizationAdvice(cardId, body)).data,
  verify: async (body) => (await client.verifications.createVerification(body)).data,
  getCustomer: async (customerId) => (await client.customers.getCustomer(customerId)).data,
};
await runLaterMainFlows(api);
`;

/** Programs of the main flows in revision 2026-08, by client. */
export const LATER_MAIN_PROGRAMS: Programs = { thin: THIN, sdk: SDK, "one-file": ONE_FILE };
