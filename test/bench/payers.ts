import { mxnAccount, quoteInput } from "../setup/platform.ts";
import { json } from "./platform-call.ts";
import { requestLoop } from "./request-loop.ts";
import type { SimulatorProcess } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

interface Identified {
  id: string;
}

/** Connections that calls come over. */
export const CONNECTIONS = 50;

/** A large sum, which no run uses up. */
const FUNDS_MINOR = 1_000_000_000;

/** The body of a quote of a new customer with money; its payment settles after six minutes. */
const payerBody = async ({ call }: SimulatorProcess): Promise<object> => {
  const customer = await json<Identified>(
    call("POST", "/customers", { customerType: "INDIVIDUAL" }),
  );
  const { data } = await json<{ data: [Identified] }>(
    call("GET", `/customers/internal-accounts?customerId=${customer.id}&currency=USD`),
  );
  const [{ id: accountId }] = data;
  await json(call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: FUNDS_MINOR }));
  const accountInfo = mxnAccount("003");
  const payee = await json<Identified>(
    call("POST", "/customers/external-accounts", {
      customerId: customer.id,
      currency: "MXN",
      accountInfo,
    }),
  );
  return quoteInput(accountId, payee.id, 1_000);
};

/** Bodies of quotes of several customers: webhooks about one account wait for each other. */
export const payerBodies = async (simulator: SimulatorProcess, payers: number) => {
  const bodies: object[] = [];
  while (bodies.length < payers) bodies.push(await payerBody(simulator));
  return bodies;
};

/** Creates quotes, 50 at once; resolves with their ids. */
export const createQuotes = async (
  workplace: Workplace,
  { apiUrl, authorization }: SimulatorProcess,
  { bodies, count }: { bodies: readonly object[]; count: number },
): Promise<readonly string[]> => {
  const { origin, pathname } = new URL(apiUrl);
  const { ids = [] } = await requestLoop(workplace, {
    origin,
    headers: { authorization },
    requests: bodies.map((body) => ({ method: "POST", path: `${pathname}/quotes`, body })),
    connections: CONNECTIONS,
    total: count,
    asksIds: true,
  });
  return ids;
};

/** Executes quotes, 50 at once; resolves with the seconds that it took. */
export const executeQuotes = async (
  workplace: Workplace,
  { apiUrl, authorization }: SimulatorProcess,
  ids: readonly string[],
): Promise<number> => {
  const { origin, pathname } = new URL(apiUrl);
  const { seconds } = await requestLoop(workplace, {
    origin,
    headers: { authorization },
    requests: ids.map((id) => ({ method: "POST", path: `${pathname}/quotes/${id}/execute` })),
    connections: CONNECTIONS,
    total: ids.length,
  });
  return seconds;
};

/** Calls the control surface; the path begins after `/_sim`. */
export const control = async (
  { apiUrl }: SimulatorProcess,
  path: string,
  body: object,
): Promise<object> => {
  const answer = await fetch(`${new URL(apiUrl).origin}/_sim${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Expected a success of ${path} but found ${text}`);
  return JSON.parse(text) as object;
};
