import { mxnAccount, quoteInput } from "../setup/platform.ts";
import { json, type PlatformCall } from "./platform-call.ts";

interface Identified {
  id: string;
}

/** Makes a customer and its account in Mexico, and the body of a quote from one to the other. */
export const createQuoteBody = async (call: PlatformCall): Promise<object> => {
  const customer = await json<Identified>(
    call("POST", "/customers", { customerType: "INDIVIDUAL" }),
  );
  const { data } = await json<{ data: Identified[] }>(
    call("GET", `/customers/internal-accounts?customerId=${customer.id}&currency=USD`),
  );
  const payee = await json<Identified>(
    call("POST", "/customers/external-accounts", {
      customerId: customer.id,
      currency: "MXN",
      accountInfo: mxnAccount("999"),
    }),
  );
  const [account] = data;
  if (!account) throw new Error("Expected a USD account but found none");
  return quoteInput(account.id, payee.id);
};
