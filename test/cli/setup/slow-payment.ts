import type { RunningCli } from "../../setup/cli.ts";
import { mxnAccount, quoteInput } from "../../setup/platform.ts";

type Call = RunningCli["call"];

const created = async (answer: ReturnType<Call>, status = 201) => {
  const { status: found, body } = await answer;
  if (found !== status)
    throw new Error(`Expected ${status} but found ${found}: ${JSON.stringify(body)}`);
  return body;
};

/** A customer whose USD account holds 10,000.00, and a payee whose payments take six minutes. */
export const createParties = async ({ call }: RunningCli) => {
  const { id: customerId } = await created(
    call("POST", "/customers", { customerType: "INDIVIDUAL" }),
  );
  const query = `customerId=${customerId}&currency=USD`;
  const accounts = await created(call("GET", `/customers/internal-accounts?${query}`), 200);
  const accountId: string = accounts.data[0].id;
  const fund = `/sandbox/internal-accounts/${accountId}/fund`;
  await created(call("POST", fund, { amount: 1_000_000 }), 200);
  const payee = { customerId, currency: "MXN", accountInfo: mxnAccount("003") };
  const { id: payeeId } = await created(call("POST", "/customers/external-accounts", payee));
  return { customerId: customerId as string, accountId, payeeId: payeeId as string };
};

/** A payment of 250.00 USD that settles after six minutes. */
export const sendSlowPayment = async (simulator: RunningCli) => {
  const { call } = simulator;
  const { accountId, payeeId } = await createParties(simulator);
  const quote = await created(call("POST", "/quotes", quoteInput(accountId, payeeId)));
  return created(call("POST", `/quotes/${quote.id}/execute`), 200);
};
