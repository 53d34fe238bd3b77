import { createPayer } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { accountCase, creationBody, withEnding } from "./account-bodies.ts";
import type { Refused } from "./refused.ts";

/** One refusal that an operation declares, and a call that gets it. */
export interface DeclaredRefusal {
  operation: string;
  /** The declared word. */
  word: string;
  refused: Refused;
  meet(world: TestSimulator): Promise<Answer>;
}

const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";
const PERSON = { customerType: "INDIVIDUAL" };
const invalid = (field: string, reason?: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  field,
  ...(reason !== undefined && { reason }),
});
const REFERENCE_NOT_FOUND: Refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
const USER_NOT_FOUND: Refused = { status: 404, code: "USER_NOT_FOUND" };
const OUT_OF_RANGE = { status: 400, code: "AMOUNT_OUT_OF_RANGE" };

const customers: DeclaredRefusal[] = [
  {
    operation: "createCustomer",
    word: "INVALID_UMA_ADDRESS",
    refused: { status: 400, code: "INVALID_UMA_ADDRESS", field: "umaAddress" },
    meet: ({ call }) => call("POST", "/customers", { ...PERSON, umaAddress: "lena@pay.example" }),
  },
  {
    operation: "createCustomer",
    word: "UMA_ADDRESS_EXISTS",
    refused: { status: 409, code: "UMA_ADDRESS_EXISTS", field: "umaAddress" },
    meet: async ({ call }) => {
      await call("POST", "/customers", { ...PERSON, umaAddress: "$lena@pay.example" });
      return call("POST", "/customers", { ...PERSON, umaAddress: "$LENA@pay.example" });
    },
  },
  {
    operation: "createCustomer",
    word: "PLATFORM_CUSTOMER_ID_EXISTS",
    refused: {
      status: 409,
      code: "CONFLICT",
      reason: "PLATFORM_CUSTOMER_ID_EXISTS",
      field: "platformCustomerId",
    },
    meet: async ({ call }) => {
      await call("POST", "/customers", { ...PERSON, platformCustomerId: "acct-7781" });
      return call("POST", "/customers", { ...PERSON, platformCustomerId: "acct-7781" });
    },
  },
  {
    operation: "getCustomer",
    word: "USER_NOT_FOUND",
    refused: USER_NOT_FOUND,
    meet: ({ call }) => call("GET", `/customers/${NOBODY}`),
  },
  {
    operation: "patchCustomer",
    word: "USER_NOT_FOUND",
    refused: USER_NOT_FOUND,
    meet: async ({ call }) => {
      const { body } = await call("POST", "/customers", PERSON);
      await call("DELETE", `/customers/${body.id}`);
      return call("PATCH", `/customers/${body.id}`, PERSON);
    },
  },
  {
    operation: "patchCustomer",
    word: "INVALID_UMA_ADDRESS",
    refused: { status: 400, code: "INVALID_UMA_ADDRESS", field: "umaAddress" },
    meet: async ({ call }) => {
      const { body } = await call("POST", "/customers", PERSON);
      return call("PATCH", `/customers/${body.id}`, { ...PERSON, umaAddress: "$lena" });
    },
  },
  {
    operation: "patchCustomer",
    word: "UMA_ADDRESS_EXISTS",
    refused: { status: 409, code: "UMA_ADDRESS_EXISTS", field: "umaAddress" },
    meet: async ({ call }) => {
      const { body: first } = await call("POST", "/customers", PERSON);
      const { body: second } = await call("POST", "/customers", PERSON);
      const { umaAddress } = first;
      return call("PATCH", `/customers/${second.id}`, { ...PERSON, umaAddress });
    },
  },
  {
    operation: "deleteCustomer",
    word: "USER_NOT_FOUND",
    refused: USER_NOT_FOUND,
    meet: ({ call }) => call("DELETE", `/customers/${NOBODY}`),
  },
  {
    operation: "deleteCustomer",
    word: "CUSTOMER_DELETED",
    refused: { status: 410, code: "CUSTOMER_DELETED" },
    meet: async ({ call }) => {
      const { body } = await call("POST", "/customers", PERSON);
      await call("DELETE", `/customers/${body.id}`);
      return call("DELETE", `/customers/${body.id}`);
    },
  },
];

const mxn = accountCase("MXN_ACCOUNT");

const creations = (operation: string, path: string): DeclaredRefusal[] => [
  {
    operation,
    word: "INVALID_CURRENCY",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "currency" },
    meet: ({ call }) => call("POST", path, { ...creationBody(mxn), currency: "USD" }),
  },
  {
    operation,
    word: "INVALID_BANK_ACCOUNT",
    refused: { status: 400, code: "INVALID_BANK_ACCOUNT", field: "accountInfo.clabeNumber" },
    meet: ({ call }) =>
      call("POST", path, creationBody(mxn, { clabeNumber: withEnding(mxn, "105") })),
  },
  {
    operation,
    word: "EXTERNAL_ACCOUNT_EXISTS",
    refused: { status: 409, code: "CONFLICT", reason: "EXTERNAL_ACCOUNT_EXISTS" },
    meet: async ({ call }) => {
      await call("POST", path, creationBody(mxn));
      return call("POST", path, creationBody(mxn));
    },
  },
];

const accounts: DeclaredRefusal[] = [
  ...creations("createCustomerExternalAccount", "/customers/external-accounts"),
  ...creations("createPlatformExternalAccount", "/platform/external-accounts"),
  {
    operation: "createCustomerExternalAccount",
    word: "USER_NOT_FOUND_IN_BODY",
    refused: invalid("customerId", "USER_NOT_FOUND"),
    meet: ({ call }) =>
      call("POST", "/customers/external-accounts", { ...creationBody(mxn), customerId: NOBODY }),
  },
  ...["GET", "DELETE"].flatMap((method) =>
    ["customers", "platform"].map((scope): DeclaredRefusal => {
      const verb = method === "GET" ? "get" : "delete";
      const name = scope === "customers" ? "Customer" : "Platform";
      return {
        operation: `${verb}${name}ExternalAccount`,
        word: "REFERENCE_NOT_FOUND",
        refused: REFERENCE_NOT_FOUND,
        meet: ({ call }) => call(method, `/${scope}/external-accounts/ExternalAccount:none`),
      };
    }),
  ),
];

const fund = async (world: TestSimulator, amount: number) => {
  const { accountId } = await createPayer(world, 0);
  return world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });
};

const money: DeclaredRefusal[] = [
  {
    operation: "fundInternalAccount",
    word: "REFERENCE_NOT_FOUND",
    refused: REFERENCE_NOT_FOUND,
    meet: ({ call }) =>
      call("POST", "/sandbox/internal-accounts/InternalAccount:none/fund", { amount: 1 }),
  },
  {
    operation: "fundInternalAccount",
    word: "ACCOUNT_NOT_ACTIVE",
    refused: invalid("accountId", "ACCOUNT_NOT_ACTIVE"),
    meet: async (world) => {
      const { accountId } = await createPayer(world, 0);
      await world.control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
      return world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    },
  },
  {
    operation: "fundInternalAccount",
    word: "CUSTOMER_DELETED_IN_PAYMENT",
    refused: invalid("accountId", "CUSTOMER_DELETED"),
    meet: async (world) => {
      const { accountId, customerId } = await createPayer(world, 0);
      await world.call("DELETE", `/customers/${customerId}`);
      return world.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    },
  },
  {
    operation: "fundInternalAccount",
    word: "INVALID_AMOUNT",
    refused: { status: 400, code: "INVALID_AMOUNT", field: "amount" },
    meet: (world) => fund(world, 0),
  },
  {
    operation: "fundInternalAccount",
    word: "AMOUNT_OUT_OF_RANGE",
    refused: { ...OUT_OF_RANGE, field: "amount" },
    meet: (world) => fund(world, 100_000_000_001),
  },
  {
    operation: "patchConfig",
    word: "AMOUNT_OUT_OF_RANGE",
    refused: { ...OUT_OF_RANGE, field: "supportedCurrencies.0.maxAmount" },
    meet: ({ call }) => {
      const usd = { currencyCode: "USD", minAmount: 0, maxAmount: 9_000_000_000_000_001 };
      return call("PATCH", "/config", { supportedCurrencies: [usd] });
    },
  },
  {
    operation: "listExchangeRates",
    word: "INVALID_CURRENCY",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "sourceCurrency" },
    meet: ({ call }) => call("GET", "/exchange-rates?sourceCurrency=XYZ"),
  },
  {
    operation: "listExchangeRates",
    word: "AMOUNT_OUT_OF_RANGE",
    refused: { ...OUT_OF_RANGE, field: "sendingAmount" },
    meet: ({ call }) => call("GET", "/exchange-rates?sendingAmount=9000000000000001"),
  },
  {
    operation: "getQuote",
    word: "QUOTE_NOT_FOUND",
    refused: { status: 404, code: "QUOTE_NOT_FOUND" },
    meet: ({ call }) => call("GET", "/quotes/Quote:none"),
  },
  {
    operation: "getTransaction",
    word: "TRANSACTION_NOT_FOUND",
    refused: { status: 404, code: "TRANSACTION_NOT_FOUND" },
    meet: ({ call }) => call("GET", "/transactions/Transaction:none"),
  },
  {
    operation: "sendTestWebhook",
    word: "WEBHOOK_ENDPOINT_NOT_SET",
    refused: { status: 400, code: "WEBHOOK_ENDPOINT_NOT_SET" },
    meet: ({ call }) => call("POST", "/sandbox/webhooks/test"),
  },
  {
    operation: "sendTestWebhook",
    word: "WEBHOOK_DELIVERY_ERROR",
    refused: { status: 400, code: "WEBHOOK_DELIVERY_ERROR" },
    meet: async ({ call }) => {
      // Nothing listens on the discard port.
      await call("PATCH", "/config", { webhookEndpoint: "http://127.0.0.1:9/hooks" });
      return call("POST", "/sandbox/webhooks/test");
    },
  },
];

/**
 * Refusals that operations declare beyond those of every operation; quotes have a list of their
 * own.
 */
export const DECLARED_REFUSALS = [...customers, ...accounts, ...money];
