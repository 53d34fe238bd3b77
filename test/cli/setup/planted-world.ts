import { ONE_LINE_PLANT, PLANT, UNSEEN_PLANT } from "../../setup/plants.ts";
import { Receiver } from "../../setup/receiver.ts";
import {
  type Answer,
  type Parsed,
  startTestSimulator,
  type TestSimulator,
} from "../../setup/test-simulator.ts";

/**
 * A world in which every text that a caller can store holds codes that a terminal must not obey.
 */
export interface PlantedWorld {
  world: TestSimulator;
  url: string;
  /** Ids of records to look up. */
  ids: Record<string, string>;
  close(): Promise<void>;
}

/** The same body with a weaker plant, after a refusal. */
const softened = (body: Parsed, field: string): Parsed => {
  const [name = "", ...rest] = field.split(".");
  const member = body?.[name];
  if (rest.length > 0) return { ...body, [name]: softened(member, rest.join(".")) };
  const softer =
    typeof member === "string" &&
    member.replace(UNSEEN_PLANT, ONE_LINE_PLANT).replace(PLANT, UNSEEN_PLANT);
  if (!softer || softer === member) throw new Error(`Expected a record but ${field} was refused`);
  return { ...body, [name]: softer };
};

type Send = (body: Parsed) => Promise<Answer>;

/** Sends a body, and weakens its plants until no member is refused for control characters. */
const planted = async (send: Send, body?: Parsed): Promise<Parsed> => {
  const answer = await send(body);
  if (answer.status < 300) return answer.body;
  const { field } = answer.body.details ?? answer.body.error?.details ?? {};
  if (body === undefined || typeof field !== "string")
    throw new Error(`Expected a record but found ${JSON.stringify(answer.body)}`);
  return planted(send, softened(body, field));
};

const posting =
  ({ call }: TestSimulator, path: string): Send =>
  (body) =>
    call("POST", path, body);

const ADDRESS = { line1: PLANT, city: PLANT, postalCode: "69003", country: "FR" };

const plantPayments = async (world: TestSimulator) => {
  const customer = await planted(posting(world, "/customers"), {
    customerType: "INDIVIDUAL",
    fullName: PLANT,
    platformCustomerId: PLANT,
    address: ADDRESS,
  });
  const customerId = customer.id;
  const accounts = await world.call("GET", `/customers/internal-accounts?customerId=${customerId}`);
  const idOf = (currency: string): string =>
    accounts.body.data.find((one: Parsed) => one.balance.currency.code === currency).id;
  const usd = idOf("USD");
  await planted(posting(world, `/sandbox/internal-accounts/${usd}/fund`), { amount: 1_000_000 });
  const payee = await planted(posting(world, "/customers/external-accounts"), {
    customerId,
    currency: "USD",
    platformAccountId: PLANT,
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000123999",
      routingNumber: "021000021",
      bankName: PLANT,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: PLANT, address: ADDRESS },
    },
  });
  const quote = await planted(posting(world, "/quotes"), {
    source: { sourceType: "ACCOUNT", accountId: usd },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    description: PLANT,
  });
  await planted(posting(world, `/quotes/${quote.id}/execute`));
  return { customerId, usd, wallet: idOf("USDB"), payee: payee.id, quote: quote.id };
};

type Payments = Awaited<ReturnType<typeof plantPayments>>;

const POLICY = {
  permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
  approvalThresholds: { currency: "USD", amount: 100 },
};

const plantAgent = async (world: TestSimulator, { customerId, usd, payee }: Payments) => {
  const input = { name: PLANT, customerId, policy: POLICY };
  const { agent, deviceCode } = await planted(posting(world, "/agents"), input);
  const redeem = `/agents/device-codes/${deviceCode.code}/redeem`;
  const { accessToken } = await planted(posting(world, redeem));
  const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
  const transfer: Send = (body) =>
    world.raw("POST", "/agents/me/transfer-out", { headers, body: JSON.stringify(body) });
  const act = async (): Promise<string> => {
    const parties = { source: { accountId: usd }, destination: { accountId: payee } };
    return (await planted(transfer, { amount: 32_500, ...parties })).id;
  };
  return { agent: agent.id, waiting: await act(), approved: await act(), rejected: await act() };
};

const plantCard = async (world: TestSimulator, { customerId, usd }: Payments) => {
  await world.control("PATCH", `/customers/${customerId}`, { kycStatus: "APPROVED" });
  const card = await planted(posting(world, "/cards"), {
    cardholderId: customerId,
    form: "VIRTUAL",
    fundingSources: [usd],
    platformCardId: PLANT,
  });
  await world.control("POST", "/clock/advance", { by: "1m" });
  const authorization = `/sandbox/cards/${card.id}/simulate/authorization`;
  const purchase = await planted(posting(world, authorization), {
    amount: 2000,
    currency: { code: "USD" },
    merchant: { descriptor: PLANT },
  });
  return { card: card.id, purchase: purchase.id };
};

const JSON_BODY = { "content-type": "application/json" };

/** Calls whose paths, headers and bodies the request log keeps. */
const plantRequests = async ({ call, raw, control }: TestSimulator) => {
  const encoded = encodeURIComponent(PLANT);
  await call("GET", `/customers/${encoded}`);
  await call("GET", `/quotes/${encoded}?description=${encoded}`);
  const headers = {
    ...JSON_BODY,
    "idempotency-key": "\u009b31m\u0085\u00ad",
    "user-agent": "\u009b31m\u0085\u00ad",
  };
  const token = { name: UNSEEN_PLANT, permissions: ["VIEW"] };
  await raw("POST", "/tokens", { headers, body: JSON.stringify(token) });
  await raw("POST", "/customers", { headers: JSON_BODY, body: PLANT });
  const path = `/customers/${PLANT.replaceAll(/\s/g, "")}`;
  await planted((body) => control("POST", "/faults", body), {
    match: { path },
    fault: { status: 503 },
  });
};

export const plantWorld = async (): Promise<PlantedWorld> => {
  const receiver = await new Receiver().start();
  receiver.behaviour = (event, response) =>
    void response.writeHead(event.type.startsWith("OUTGOING") ? 500 : 200).end(PLANT);
  const world = await startTestSimulator();
  const { url } = await world.sim.listen();
  await planted((body) => world.call("PATCH", "/config", body), {
    webhookEndpoint: `${receiver.url}?${PLANT}`,
    embeddedWalletConfig: { appName: PLANT, sendFromEmailSenderName: PLANT },
  });
  const payments = await plantPayments(world);
  const agents = await plantAgent(world, payments);
  const cards = await plantCard(world, payments);
  await planted(posting(world, "/auth/credentials"), {
    type: "EMAIL_OTP",
    accountId: payments.wallet,
    email: "ada@example.com",
  });
  await plantRequests(world);
  const close = async () => {
    await world.sim.close();
    await receiver.stop();
  };
  return { world, url, ids: { ...payments, ...agents, ...cards }, close };
};
