import type { WholeRecord } from "../../contract/control/records.ts";
import type { CallDetails } from "../../contract/control/requests.ts";
import type { PartyIdentifier, Story } from "../../contract/control/why.ts";
import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { answerOf, callPlatform, type PlatformCall } from "../call-platform.ts";
import { type Control, Refused } from "../control.ts";

interface Made {
  id: string;
}

interface QuoteBody {
  source: { sourceType: string; currency?: string };
  destination: object;
  lookupId?: string;
  immediatelyExecute?: boolean;
}

/** Tables that read the payer's identifier; the others read the payee's. */
const READ_OF_SOURCE: ReadonlySet<string> = new Set(["pull", "transferIn", "umaSender"]);

/** The end of a payment whose identifier an outcome table reads. */
export const endRead = (group: string) => (READ_OF_SOURCE.has(group) ? "source" : "destination");

const refuse = (message: string): never => {
  throw new Refused(0, { error: { code: "NOT_REPEATABLE", message, next: [] } });
};

/** The call that made a payment, as it was logged. */
const firstCall = async (control: Control, { chain }: Pick<Story, "chain">) => {
  const because = chain[0]?.because;
  if (because?.kind !== "request")
    return refuse("No call made this payment, so it can't be made again from here");
  const path = `/requests/${encodeURIComponent(because.id)}?bodies=whole`;
  const request = await control.get<CallDetails>(path);
  if (request.requestBody === undefined)
    return refuse(`The request ${request.id} was logged without its body`);
  return { path: request.path, body: JSON.parse(request.requestBody) };
};

/** Makes an external account like another one, with its own identifier; finds it where it exists. */
const accountLike = async (
  control: Control,
  { account = "", field }: PartyIdentifier,
  value: string,
): Promise<string> => {
  const { record } = await control.get<WholeRecord>(`/records/${encodeURIComponent(account)}`);
  const { customerId, currency, accountInfo } = record as unknown as {
    customerId?: string;
    currency: string;
    accountInfo: Record<string, never>;
  };
  const { paymentRails: _rails, ...info } = accountInfo;
  const body = { currency, accountInfo: { ...info, [field]: value } };
  const input: PlatformCall =
    customerId === undefined
      ? { operationId: "createPlatformExternalAccount", body }
      : { operationId: "createCustomerExternalAccount", body: { customerId, ...body } };
  const { body: made, refused, details } = await answerOf<Made>(control, input);
  const id = made?.id ?? details?.existingAccountId;
  if (typeof id === "string") return id;
  throw refused;
};

/** Starts a quote as its kind wants it: by money that arrives, by a signature, or at once. */
const start = async (control: Control, { id, body }: { id: string; body: QuoteBody }) => {
  if (body.immediatelyExecute === true) return;
  const { source } = body;
  if (source.sourceType === "REALTIME_FUNDING") {
    const quote = await callPlatform<{ totalSendingAmount: number }>(control, {
      operationId: "getQuote",
      params: { quoteId: id },
    });
    await callPlatform(control, {
      operationId: "sandboxSend",
      body: {
        quoteId: id,
        currencyCode: source.currency ?? "",
        currencyAmount: quote.totalSendingAmount,
      },
    });
    return;
  }
  const execute: PlatformCall = { operationId: "executeQuote", params: { quoteId: id } };
  const first = await callPlatform<{ requestId?: string }>(control, execute);
  if (first?.requestId === undefined) return;
  await callPlatform(control, {
    ...execute,
    headers: {
      "request-id": first.requestId,
      "service-wallet-signature": MAGIC_VALUES.walletSignature,
    },
  });
};

const quoteAgain = async (control: Control, asked: QuoteBody, umaAddress: string | undefined) => {
  const { lookupId, ...body } = asked;
  const found =
    umaAddress === undefined
      ? lookupId
      : (
          await callPlatform<{ lookupId: string }>(control, {
            operationId: "lookUpUma",
            params: { receiverUmaAddress: umaAddress },
          })
        ).lookupId;
  const whole = { ...body, ...(found !== undefined && { lookupId: found }) };
  const input = { operationId: "createQuote", body: whole };
  const { id } = await callPlatform<Made>(control, input);
  await start(control, { id, body: asked });
  return id;
};

/**
 * Makes a payment again with another identifier at the end that its outcome is read from.
 * @returns the id of the new payment or of its quote
 * @throws Refused with the platform's words, or where the first call is no longer known
 */
export const repeatPayment = async (
  control: Control,
  { story, group, value }: { story: Story; group: string; value: string },
): Promise<string> => {
  const { path, body } = await firstCall(control, story);
  const end = endRead(group);
  const identifier = story.identifiers?.[end];
  if (!identifier) return refuse("This payment has no identifier that chooses its outcome");
  const isUma = identifier.account === undefined;
  const accountId = isUma ? undefined : await accountLike(control, identifier, value);
  if (path.endsWith("/quotes")) {
    const changed = isUma ? { umaAddress: value } : { accountId };
    const quote = { ...body, [end]: { ...body[end], ...changed } };
    return quoteAgain(control, quote, isUma ? value : undefined);
  }
  const changed = isUma ? { senderUmaAddress: value } : { [end]: { accountId } };
  const input = { path: path.replace("/agents/me", ""), body: { ...body, ...changed } };
  const { id } = await callPlatform<Made>(control, { method: "POST", ...input });
  return id;
};
