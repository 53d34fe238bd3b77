import { onTestFinished } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import { createRecipient, type Recipient, receive, SENDER } from "./incoming.ts";
import type { Refused } from "./refused.ts";

const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";
/** The discard port, where nothing listens. */
const DEAF = "http://127.0.0.1:9/hooks";

const listening = ({ call }: TestSimulator) => call("PATCH", "/config", { webhookEndpoint: DEAF });

/** A payment to a customer of a platform with an endpoint, with changed members. */
const received =
  (members: (recipient: Recipient) => object) =>
  async (world: TestSimulator): Promise<Answer> => {
    await listening(world);
    const recipient = await createRecipient(world);
    return receive(world, recipient, members(recipient));
  };

const refused = (status: number, code: string, field?: string): Refused => ({
  status,
  code,
  ...(field !== undefined && { field }),
});

const receiving: DeclaredRefusal[] = [
  {
    word: "INVALID_UMA_ADDRESS",
    refused: refused(400, "INVALID_UMA_ADDRESS", "senderUmaAddress"),
    meet: received(() => ({ senderUmaAddress: "success.usd@sandbox.uma.test" })),
  },
  {
    word: "INVALID_UMA_ADDRESS",
    refused: refused(400, "INVALID_UMA_ADDRESS", "receiverUmaAddress"),
    meet: received(() => ({ receiverUmaAddress: "$nadia" })),
  },
  {
    word: "USER_NOT_FOUND",
    refused: refused(404, "USER_NOT_FOUND", "customerId"),
    meet: received(() => ({ customerId: NOBODY })),
  },
  {
    word: "USER_NOT_FOUND",
    refused: refused(404, "USER_NOT_FOUND", "receiverUmaAddress"),
    meet: received(() => ({ receiverUmaAddress: "$nobody@pay.example", customerId: undefined })),
  },
  {
    word: "UMA_NOT_FOUND",
    refused: refused(404, "UMA_NOT_FOUND", "senderUmaAddress"),
    meet: received(() => ({ senderUmaAddress: "$nobody@sandbox.uma.test" })),
  },
  {
    word: "UMA_NOT_FOUND",
    refused: refused(404, "UMA_NOT_FOUND", "senderUmaAddress"),
    meet: received(() => ({ senderUmaAddress: "$success.usd@elsewhere.example" })),
  },
  {
    word: "ACCOUNT_NOT_ACTIVE",
    refused: {
      ...refused(400, "INVALID_INPUT", "customerId"),
      reason: "ACCOUNT_NOT_ACTIVE",
    },
    meet: async (world: TestSimulator) => {
      await listening(world);
      const recipient = await createRecipient(world);
      await world.control("PATCH", `/internal-accounts/${recipient.accountId}`, {
        status: "FROZEN",
      });
      return receive(world, recipient);
    },
  },
  {
    word: "INVALID_CURRENCY",
    refused: refused(400, "INVALID_CURRENCY", "receivingCurrencyCode"),
    meet: received(() => ({ receivingCurrencyCode: "XYZ" })),
  },
  {
    word: "INVALID_AMOUNT",
    refused: refused(400, "INVALID_AMOUNT", "receivingCurrencyAmount"),
    meet: received(() => ({ receivingCurrencyAmount: 0 })),
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: refused(400, "AMOUNT_OUT_OF_RANGE", "receivingCurrencyAmount"),
    meet: received(() => ({ receivingCurrencyAmount: 9_000_000_000_000_001 })),
  },
  {
    word: "WEBHOOK_ENDPOINT_NOT_SET",
    refused: refused(400, "WEBHOOK_ENDPOINT_NOT_SET"),
    meet: async (world: TestSimulator) => receive(world, await createRecipient(world)),
  },
].map((one) => ({ operation: "sandboxReceiveUma", ...one }));

const VERBS = ["approve", "reject"] as const;

const deciding = VERBS.flatMap((verb): DeclaredRefusal[] =>
  [
    {
      word: "TRANSACTION_NOT_FOUND",
      refused: refused(404, "TRANSACTION_NOT_FOUND"),
      meet: ({ call }: TestSimulator) => call("POST", `/transactions/Transaction:none/${verb}`),
    },
    {
      word: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
      refused: refused(409, "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"),
      meet: async (world: TestSimulator) => {
        const { body } = await received(() => ({}))(world);
        await world.call("POST", `/transactions/${body.id}/reject`);
        return world.call("POST", `/transactions/${body.id}/${verb}`);
      },
    },
  ].map((one) => ({ operation: `${verb}Transaction`, ...one })),
);

/**
 * Refusals that the operations of incoming payments declare (spec/uma-payments.md#receive-request,
 * spec/uma-payments.md#approval-by-call).
 */
export const DECLARED_INCOMING_REFUSALS: DeclaredRefusal[] = [
  ...receiving,
  ...deciding,
  {
    operation: "approveTransaction",
    word: "MISSING_MANDATORY_USER_INFO",
    refused: refused(400, "MISSING_MANDATORY_USER_INFO", "receiverCustomerInfo.TAX_ID"),
    meet: async (world) => {
      const recipient = await createRecipient(world, { currencies: ["USDC"] });
      const usd = { currencyCode: "USD", minAmount: 100, maxAmount: 10_000_000 };
      const supportedCurrencies = [{ ...usd, providerRequiredCustomerFields: ["TAX_ID"] }];
      const receiver = await new Receiver().start();
      onTestFinished(() => receiver.stop());
      receiver.behaviour = () => {};
      const config = { supportedCurrencies, webhookEndpoint: receiver.url };
      await world.control("POST", "/seed", { fixture: { name: "fields", config } });
      const { body } = await receive(world, recipient, { senderUmaAddress: SENDER });
      return world.call("POST", `/transactions/${body.id}/approve`);
    },
  },
];
