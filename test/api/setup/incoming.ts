import type { ServerResponse } from "node:http";
import { mxnAccount } from "../../setup/platform.ts";
import type { Behaviour, Received, Receiver } from "../../setup/receiver.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { goTo, timeOf } from "./told.ts";

export const PENDING = "INCOMING_PAYMENT.PENDING";

/** The address of a sandbox person. */
export const senderAt = (name: string) => `${name}@sandbox.uma.test`;
export const SENDER = senderAt("$success.usd");

/** A customer who is paid, and its USD account. */
export interface Recipient {
  customerId: string;
  accountId: string;
  umaAddress: string;
}

export const accountIn = async (
  { call }: TestSimulator,
  customerId: string,
  currency: string,
): Promise<string> => {
  const query = `customerId=${customerId}&currency=${currency}`;
  const { body } = await call("GET", `/customers/internal-accounts?${query}`);
  return body.data[0].id;
};

export const createRecipient = async (
  world: TestSimulator,
  members: object = {},
): Promise<Recipient> => {
  const { body } = await world.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    umaAddress: "$nadia@pay.example",
    ...members,
  });
  const accountId = await accountIn(world, body.id, "USD");
  return { customerId: body.id, accountId, umaAddress: body.umaAddress };
};

/** A payment of 88.00 dollars to a customer, with changed members. */
export const receive = (
  { call }: TestSimulator,
  { customerId }: Recipient,
  members: object = {},
): Promise<Answer> =>
  call("POST", "/sandbox/uma/receive", {
    senderUmaAddress: SENDER,
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: 8_800,
    customerId,
    ...members,
  });

/** A receiver that answers approval requests in its own way, and accepts everything else. */
export const answering =
  (answer: Behaviour): Behaviour =>
  (event, response, count) => {
    if (event.type === PENDING) return answer(event, response, count);
    response.end();
  };

/** An answer with a status and a body. */
export const answered =
  (status: number, body: unknown = ""): Behaviour =>
  (_event: Received, response: ServerResponse) => {
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** Sets up a receiver and lets its TEST event finish; the time is then 10 seconds past 09:00. */
export const greet = async (world: TestSimulator, receiver: Receiver) => {
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await goTo(world, "09:00:10.000");
  receiver.received.length = 0;
};

/** Events in order of arrival: instant, type, and a status or a balance. */
export const toldBy = ({ received }: Receiver) =>
  received.map((event) => [
    timeOf(event),
    event.type.replace("INCOMING_PAYMENT.", "").replace("INTERNAL_ACCOUNT.", ""),
    event.data.balance?.amount ?? event.data.status,
  ]);

/** A default deposit account in Mexico whose CLABE has a given ending. */
export const createDeposit = async (
  { call }: TestSimulator,
  customerId: string,
  suffix: string,
): Promise<string> => {
  const { status, body } = await call("POST", "/customers/external-accounts", {
    customerId,
    currency: "MXN",
    defaultUmaDepositAccount: true,
    accountInfo: mxnAccount(suffix),
  });
  if (status !== 201) throw new Error(`Expected an account but found ${JSON.stringify(body)}`);
  return body.id;
};

/** Lets the platform receive pesos too. */
export const takePesos = ({ call }: TestSimulator) => {
  const entry = (currencyCode: string) => ({
    currencyCode,
    minAmount: 100,
    maxAmount: 10_000_000,
  });
  return call("PATCH", "/config", { supportedCurrencies: [entry("USD"), entry("MXN")] });
};
